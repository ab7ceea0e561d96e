"""Giving feedback, changing and taking it back."""

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.models import Feedback, FeedbackTag
from matchmaking.refusals import NotPlayedTogetherError
from ratings.merging.merge import Followed
from ratings.models import MatchState, Participant, Player
from ratings.players.site_ids import is_deleted

__all__ = ["feedback_by", "follow_merge", "give_feedback", "likes_of", "over_for", "take_back"]


def over_for(player_ids: Collection[int]) -> QuerySet[Participant]:
    """Participations of these players in matches that took place and are over for them: reported, or decided."""
    own = Participant.objects.filter(player__in=player_ids, playing=False)
    return own.exclude(match__state=MatchState.ABORTED)


def give_feedback(
    *, author: Player, subject_id: int, enjoyed: bool | None, tags: Iterable[str] = ()
) -> Feedback:
    """Say whether playing with somebody was enjoyed; None skips the question about the last match together.

    The newest word counts, with its tags. Skipping leaves an earlier word as it is. Raises NotPlayedTogetherError.
    """
    wanted = set(tags) if enjoyed is not None else set()
    chosen = [tag for tag in FeedbackTag.values if tag in wanted]
    with briefly():
        # Neither is deleted or merged meanwhile, and two words at once come one after the other.
        both = Player.objects.filter(pk__in=[author.pk, subject_id]).order_by("pk")
        people = {one.pk: one for one in both.select_for_update(no_key=True)}
        subject = people.get(subject_id)
        match = None if subject is None else _last_together(author.pk, subject_id)
        if subject is None or match is None or is_deleted(subject):
            raise NotPlayedTogetherError(subject_id)
        now = clock.now()
        found = Feedback.objects.filter(author=author, subject=subject).first()
        if found is None:
            return Feedback.objects.create(
                game_id=author.game_id,
                author=author,
                subject=subject,
                match_id=match,
                enjoyed=enjoyed,
                tags=chosen,
                at=now,
            )
        found.match_id = match
        if enjoyed is not None:
            found.enjoyed, found.tags, found.at = enjoyed, chosen, now
        found.save(update_fields=["match", "enjoyed", "tags", "at"])
    return found


def take_back(*, author: Player, subject_id: int) -> bool:
    """Delete what somebody said of a player, also of those who count for the two; returns whether there was any."""
    by = Q(author=author) | Q(author__merged_into=author)
    of = Q(subject=subject_id) | Q(subject__merged_into=subject_id)
    return bool(Feedback.objects.filter(by & of).delete()[0])


def feedback_by(author_ids: Collection[int]) -> QuerySet[Feedback]:
    """What players said, the latest first, with whom it is about; what they skipped is not in it."""
    said = Feedback.objects.filter(author__in=author_ids, enjoyed__isnull=False)
    return said.select_related("subject").order_by("-pk")


def likes_of(player: Player) -> list[int]:
    """Ids of those whom the player said to have enjoyed playing with. For what is shown to that player alone."""
    liked = Feedback.objects.filter(author=player, enjoyed=True, subject__merged_into=None)
    return list(liked.order_by("subject").values_list("subject", flat=True))


def follow_merge(followed: Followed) -> None:
    """Let what a merged player said, and what was said of it, count for the one it counts for; where both have a word,
    the newer one. What the merged player had stays in place, and counts again when the merge is undone: what came
    along is taken off then, unless something newer has been said.
    """
    merged, into = followed.merge.merged_id, followed.merge.into_id
    rows = Feedback.objects.filter(Q(author=merged) | Q(subject=merged))
    # In one order: two merges at once do not wait for each other in a circle.
    for row in rows.exclude(author=into).exclude(subject=into).order_by("pk"):
        author = into if row.author_id == merged else row.author_id
        subject = into if row.subject_id == merged else row.subject_id
        there = Feedback.objects.filter(author=author, subject=subject)
        if followed.is_undone:
            there.filter(at=row.at, enjoyed=row.enjoyed, tags=row.tags).delete()
            continue
        # A question that was skipped is no word: it neither replaces one nor stands against it.
        newer = there.filter(at__gte=row.at, enjoyed__isnull=False)
        if newer.exists() or (row.enjoyed is None and there.exists()):
            continue
        there.delete()
        Feedback.objects.create(
            game_id=row.game_id,
            author_id=author,
            subject_id=subject,
            match_id=row.match_id,
            enjoyed=row.enjoyed,
            tags=row.tags,
            at=row.at,
        )


def _last_together(author: int, subject: int) -> int | None:
    """The id of the last match of the two that is over for the author."""
    if author == subject:
        return None
    with_other = Participant.objects.filter(match=OuterRef("match"), player=subject)
    found = over_for([author]).filter(Exists(with_other)).order_by("-match_id")
    return found.values_list("match_id", flat=True).first()

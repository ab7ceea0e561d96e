"""Profiles: what players tell of themselves, who sees it, and what queues and rooms may go by.

What is told "for matching" is seen by nobody, and compared all the same; what is empty is neither.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet

from foundation.countries import country_name
from foundation.postgresql.transactions import briefly
from people.models import AgeGroup, PlaysFor, Profile, ProfileTag, Tag, Told
from people.refusals import UnknownTagError
from ratings.models import Player

__all__ = [
    "FIELDS",
    "MOST_TAGS",
    "ShownProfile",
    "offered_tags",
    "profile_of",
    "shown_profile",
    "tags_of",
    "tell",
    "told_for_matching",
]

FIELDS = ("country", "age_group", "plays_for")
MOST_TAGS = 10  # of one player


@dataclass(frozen=True, slots=True)
class ShownProfile:
    """What somebody may see of a profile; empty for what is not told, or not to them."""

    country: str = ""
    age_group: str = ""
    plays_for: str = ""
    tags: list[Tag] = field(default_factory=list)

    @property
    def country_name(self) -> str:
        """The country as the reader calls it."""
        return country_name(self.country)

    @property
    def age_words(self) -> str:
        """The age group in words."""
        return str(AgeGroup(self.age_group).label) if self.age_group else ""

    @property
    def purpose(self) -> str:
        """What the player plays for, in words."""
        return str(PlaysFor(self.plays_for).label) if self.plays_for else ""

    def __bool__(self) -> bool:
        return bool(self.country or self.age_group or self.plays_for or self.tags)


def profile_of(player_id: int) -> Profile:
    """What the player tells; an empty one, not saved, for who tells nothing. One query."""
    return Profile.objects.filter(player=player_id).first() or Profile(player_id=player_id)


def tags_of(player_id: int) -> list[Tag]:
    """The tags that a player has chosen. One query."""
    rows = ProfileTag.objects.filter(player=player_id).select_related("tag").order_by("tag__name")
    return [row.tag for row in rows]


def offered_tags(game_id: int) -> QuerySet[Tag]:
    """The tags that players of a game may choose."""
    return Tag.objects.filter(game=game_id, offered=True).order_by("name", "pk")


def tell(*, player: Player, told: Mapping[str, str], tags: Iterable[str] | None = None) -> Profile:
    """Change what is given of a profile; the rest stays. `tags` by short names; what is chosen already may stay even
    where it is offered no more. Raises UnknownTagError.
    """
    with briefly():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        profile = profile_of(player.pk)
        for name, value in told.items():
            setattr(profile, name, value)
        profile.save()
        if tags is not None:
            _choose(player, list(dict.fromkeys(tags)))
    return profile


def shown_profile(
    player_id: int, *, to_friend: bool = False, to_self: bool = False, only_friends: bool = False
) -> ShownProfile:
    """What everyone sees of a profile; or a friend; or the player itself. `only_friends`: what friends alone see.

    Two queries; one for who tells nothing.
    """
    seen = {Told.EVERYONE.value}
    if to_friend or to_self:
        seen.add(Told.FRIENDS)
    if to_self:
        seen.add(Told.MATCHING)
    if only_friends:
        seen = {Told.FRIENDS.value}
    profile = Profile.objects.filter(player=player_id).first()
    if profile is None:
        return ShownProfile()
    return ShownProfile(
        country=profile.country if profile.country_told in seen else "",
        age_group=profile.age_group if profile.age_group_told in seen else "",
        plays_for=profile.plays_for if profile.plays_for_told in seen else "",
        tags=tags_of(player_id) if profile.tags_told in seen else [],
    )


def told_for_matching(
    player_ids: Collection[int], what: str, *, seen_by_all: Collection[int] = ()
) -> dict[int, set[str]]:
    """What these players tell of `what` ("country", "age_group", "plays_for" or "tags"), whoever sees it: for queues
    and rooms that go by it. Who tells nothing is left out. One query.

    seen_by_all  those of them of whom only what everyone sees is wanted, as somebody else may learn what comes of it
    """
    if what not in (*FIELDS, "tags"):
        raise ValueError(f"profiles have no {what!r}: ask for one of {', '.join(FIELDS)} or tags")
    not_for_all = Profile.objects.filter(player__in=seen_by_all).exclude(
        **{f"{what}_told": Told.EVERYONE}
    )
    if what == "tags":
        found: dict[int, set[str]] = {}
        chosen = ProfileTag.objects.filter(player__in=player_ids)
        if seen_by_all:
            chosen = chosen.exclude(player__in=not_for_all.values("player"))
        for player, slug in chosen.values_list("player", "tag__slug"):
            found.setdefault(player, set()).add(slug)
        return found
    rows = Profile.objects.filter(player__in=player_ids).exclude(**{what: ""})
    if seen_by_all:
        rows = rows.exclude(player__in=not_for_all.values("player"))
    return {player: {value} for player, value in rows.values_list("player", what)}


def _choose(player: Player, slugs: list[str]) -> None:
    kept = ProfileTag.objects.filter(player=player)
    had = {row.tag.slug: row for row in kept.select_related("tag")}
    new = [slug for slug in slugs if slug not in had]
    offered = {tag.slug: tag for tag in offered_tags(player.game_id).filter(slug__in=new)}
    unknown = [slug for slug in new if slug not in offered]
    if unknown or len(slugs) > MOST_TAGS:
        raise UnknownTagError(unknown, MOST_TAGS)
    kept.exclude(tag__slug__in=slugs).delete()
    ProfileTag.objects.bulk_create(ProfileTag(player=player, tag=offered[slug]) for slug in new)

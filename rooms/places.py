"""What a room can be like: the lobby of its game, and what the queues of its ladder know of maps and words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from matchmaking.models import Queue
from matchmaking.pairing.settings import Settings
from matchmaking.queues.settings import settings_of
from people.profiles import offered_tags
from ratings.models import Game, Ladder, Mode
from rooms.models import Lobby

__all__ = ["Place", "ladders_with_rooms", "lobby_of", "place_of", "places_of"]


@dataclass(frozen=True, slots=True)
class Place:
    """A ladder in which rooms can be opened.

    queue     by whose settings words are read and teams balanced; one that is not stored where the ladder has none
    maps      of all the ladder's queues, each once
    tags      of profiles, which the game offers: names by short name
    """

    ladder: Ladder
    lobby: Lobby
    queue: Queue
    settings: Settings
    maps: Sequence[str]
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def shows_ratings(self) -> bool:
        """Whether filters may go by ratings: on normal ladders nothing tells one."""
        return bool(self.ladder.mode == Mode.RANKED)

    @property
    def seats(self) -> int:
        """Players of a match."""
        return self.ladder.team_count * self.ladder.team_size

    def words(self, name: str) -> Sequence[str]:
        """The words that players choose from under a preference; none: any."""
        return self.settings.vocabulary.get(name, ())


def lobby_of(game_id: int) -> Lobby:
    """What the operator has chosen for a game's rooms; as by default where that is nothing. One query."""
    return Lobby.objects.filter(game=game_id).first() or Lobby(game_id=game_id)


def place_of(ladder: Ladder, lobby: Lobby | None = None) -> Place:
    """What rooms of this ladder can be like. Three queries, two with the lobby given."""
    return places_of([ladder], lobby or lobby_of(ladder.game_id))[ladder.pk]


def places_of(ladders: Collection[Ladder], lobby: Lobby) -> dict[int, Place]:
    """The same of ladders of one game, by their ids. Two queries."""
    by_ladder: dict[int, list[Queue]] = {ladder.pk: [] for ladder in ladders}
    for queue in Queue.objects.in_use().filter(ladder__in=by_ladder).order_by("pk"):
        by_ladder[queue.ladder_id].append(queue)
    tags = {tag.slug: tag.name for tag in offered_tags(lobby.game_id)}
    return {ladder.pk: _place(ladder, lobby, by_ladder[ladder.pk], tags) for ladder in ladders}


def _place(ladder: Ladder, lobby: Lobby, queues: Sequence[Queue], tags: Mapping[str, str]) -> Place:
    for queue in queues:
        queue.ladder = ladder
    settings = [settings_of(queue) for queue in queues]
    maps = dict.fromkeys(one.name for its in settings for one in its.game_maps)
    first = queues[0] if queues else Queue(ladder=ladder, name=ladder.name, slug=ladder.slug)
    return Place(
        ladder=ladder,
        lobby=lobby,
        queue=first,
        settings=settings[0] if settings else Settings(),
        maps=[name for name in maps if len(name) <= 60],
        tags=tags,
    )


def ladders_with_rooms(game: Game) -> list[Ladder]:
    """In which rooms of a game can be opened, ranked ones first. One query."""
    used = Ladder.objects.in_use().by_results().filter(game=game).select_related("game")
    return list(used.order_by("-mode", "name", "pk"))

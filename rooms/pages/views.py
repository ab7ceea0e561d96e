"""The lists of rooms, one room, and the forms with which a host opens or changes one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.page_actions import account_of, for_those_who_accept
from foundation.countries import country_name
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of, wants_part
from foundation.refusals import RefusedError
from groups.read import own_groups
from matchmaking.conduct.standing import cooling_until
from matchmaking.pages.preference_form import language_choices
from matchmaking.parties.lifecycle import plain_code
from people.models import AgeGroup
from people.ties import friend_ids
from ratings.ledger.forecasts import Belief, forecasters_of
from ratings.matches.expected_scores import beliefs_now
from ratings.matches.summary import public_tracks
from ratings.models import Game, Ladder, Player
from rooms import lifecycle
from rooms.filters.words import NEUTRAL, reason_of
from rooms.held import room_of
from rooms.listing import LISTS, Wish, reasons_against, rooms_listed
from rooms.models import Room, RoomMember, RoomState
from rooms.pages.forms import CATEGORY_WORDS, RoomForm
from rooms.pages.invited import show_invited, show_to_visitor
from rooms.places import Place, ladders_with_rooms, lobby_of, place_of
from rooms.refusals import RoomNotOpenError, RoomOverError, WrongRoomError
from rooms.seen import RoomSeen, may_see, room_seen
from rooms.tend import beat

__all__ = ["change_room", "find_room", "open_room", "player_in", "room_page", "rooms"]

_ON_A_PAGE = 20
_BY_HAND, _BY_HAND_TURN = 10, 4  # seconds after which pages without JavaScript load again


@dataclass(frozen=True, slots=True)
class RoomPage:
    """The page of a room, for the bar around it too: it leaves out what the page says."""

    seen: RoomSeen

    @property
    def shown_as(self) -> str:
        """As the bar names the matter."""
        return f"room-{self.seen.room.pk}"


@never_cache
@login_required
@require_safe
def rooms(request: HttpRequest) -> HttpResponse:
    """Rooms of a game in which the visitor plays: those to join, or all with the reason why not."""
    mine = Player.objects.filter(user=account_of(request), game__archived_at=None)
    players = list(mine.select_related("game").order_by("game__name", "pk"))
    slug = request.GET.get("game", "")
    player = next(
        (one for one in players if one.game.slug == slug), players[0] if players else None
    )
    if player is None:
        return render(request, "rooms/rooms.html", {"player": None, "players": players})
    wish = _wish_of(request)
    found, following = rooms_listed(player, wish, _ON_A_PAGE)
    own = room_of(player.pk)
    version = version_of(
        [(one.room.pk, one.room.revision, one.seated, one.watching, one.reason) for one in found],
        own.pk if own else None,
    )
    if is_unchanged(request, version):
        return nothing_new()
    lobby, ladders = lobby_of(player.game_id), ladders_with_rooms(player.game)
    context = {
        "player": player,
        "players": players,
        "wish": wish,
        "lists": [(name, _query(request, list=name)) for name in LISTS],
        "ladders": ladders,
        "categories": [(name, CATEGORY_WORDS.get(name, name)) for name in lobby.category_names],
        "lobby": lobby,
        "found": found,
        "own": own,
        "next": _query(request, before=following) if following else "",
        "again": ask_again(request, version),
        "seconds": _BY_HAND,
        # Asked by the whole page alone.
        "cooling_until": lambda: cooling_until(player.pk),
    }
    return show(request, "rooms/rooms.html", context, part="rooms/_rooms.html")


@never_cache
@require_safe
def room_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One room, live. Whoever has its code may look into it as well as those who may join; who is signed out, or has no
    player in the game, sees who invites, and signs in or chooses a name first.
    """
    code = plain_code(request.GET.get("code", ""))
    if not request.user.is_authenticated:
        return show_to_visitor(request, pk, code)
    room = _room(pk)
    player = player_in(request, room.game)
    if player is None:
        return show_invited(request, room, code)
    if not may_see(room, player):
        refusal = (
            RoomNotOpenError(pk, room.state) if room.is_live else RoomOverError(pk, room.state)
        )
        messages.error(request, refusal.on_pages)
        return (
            HttpResponseClientRedirect(reverse("rooms"))
            if wants_part(request)
            else redirect("rooms")
        )
    if room.match_id is not None and _played(room, player):
        address = reverse("play-match", args=[room.match_id])
        return HttpResponseClientRedirect(address) if wants_part(request) else redirect(address)
    seen = room_seen(room)
    own = seen.own(player.pk)
    if own is not None:
        beat(player.pk)
    version = version_of(*seen.shown, own is not None, code)
    if is_unchanged(request, version):
        return nothing_new()
    reason = _reason_against(player, seen, code) if own is None else ""
    beliefs, decimals = _beliefs(seen)
    link = request.build_absolute_uri(reverse("room", args=[pk]))
    context = {
        "page": RoomPage(seen),
        "seen": seen,
        "player": player,
        "own": own,
        "beliefs": beliefs,
        "decimals": decimals,
        "is_host": room.is_live and own is not None and room.host_id == player.pk,
        "is_member": own is not None,
        # Asked by the whole page alone, not by the part that is fetched again and again.
        "may_moderate": lambda: account_of(request).has_perm(lifecycle.MAY_CLOSE),
        "category": CATEGORY_WORDS.get(room.category, room.category),
        "code": code if own is None else "",
        "reason": reason_of(reason) if reason else "",
        "invitation": f"{link}?code={room.code}" if own is not None else "",
        "filters": _filters_in_words(room, seen.place),
        "again": ask_again(request, version),
        "seconds": _BY_HAND_TURN if seen.turn else _BY_HAND,
    }
    return show(request, "rooms/room.html", context, part="rooms/_room.html")


def _beliefs(seen: RoomSeen) -> tuple[dict[int, Belief], int]:
    """What is believed of its members, by id, and in how many decimals; of nobody where ratings are not shown."""
    place = seen.place
    track = public_tracks([place.ladder]).get(place.ladder.pk) if place.shows_ratings else None
    if track is None:
        return {}, 0
    forecaster = forecasters_of([track])[track.pk]
    players = [one.player_id for one in seen.members]
    return beliefs_now(forecaster, players, seen.now), track.decimals


def _reason_against(player: Player, seen: RoomSeen, code: str) -> str:
    """Why the player, who is not in the room, may not come in; empty where that is allowed, or only no seat is free.

    Nor is the neutral reason said before somebody asks: a page that changes as others sit down would tell of blocks.
    """
    room = seen.room
    if room.state != RoomState.OPEN:
        return ""
    friends = friend_ids(player.pk)
    members = {room.pk: seen.members}
    reason = reasons_against(player, [room], members, friends, code=code)[room.pk]
    return "" if reason in {"full", NEUTRAL} else reason


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def open_room(request: HttpRequest, slug: str) -> HttpResponse:
    """The form with which a room of a ladder is opened."""
    ladder = get_object_or_404(Ladder.objects.in_use().select_related("game"), slug=slug)
    player = player_in(request, ladder.game)
    if player is None:
        messages.error(request, _("Choose a name in this game first."))
        return redirect("play")
    place = place_of(ladder)
    form = RoomForm(
        request.POST or None,
        place=place,
        groups=own_groups(player),
        initial={"name": _("Room of %(name)s") % {"name": player.name[:40]}},
    )
    if request.method == "POST" and form.is_valid():
        try:
            room = lifecycle.open_room(player=player, ladder=ladder, settings=form.settings)
        except WrongRoomError as refusal:
            form.show_wrong(refusal)
        except RefusedError as refusal:
            messages.error(request, refusal.on_pages)
        else:
            return redirect("room", room.pk)
    context = {
        "form": form,
        "ladder": ladder,
        "room_itself": None,
        "cooling_until": cooling_until(player.pk),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "rooms/form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def change_room(request: HttpRequest, pk: int) -> HttpResponse:
    """The form with which its host changes a room."""
    room = _room(pk)
    player = player_in(request, room.game)
    if player is None or room.host_id != player.pk or not room.is_live:
        raise Http404
    place = place_of(room.ladder)
    groups = own_groups(player)
    as_it_is = RoomForm.of_room(room, place, groups)
    form = as_it_is
    if request.POST:
        form = RoomForm(request.POST, place=place, groups=groups, initial=as_it_is.initial)
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.change_settings(room_id=pk, by=player, settings=form.settings)
        except WrongRoomError as refusal:
            form.show_wrong(refusal)
        except RefusedError as refusal:
            messages.error(request, refusal.on_pages)
            return redirect("room", pk)
        else:
            messages.success(request, _("The room is changed. Nobody is ready for it yet."))
            return redirect("room", pk)
    context = {"form": form, "ladder": room.ladder, "room_itself": room}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "rooms/form.html", context, status=status)


@login_required
@require_safe
def find_room(request: HttpRequest) -> HttpResponse:
    """Lead from a code that somebody typed to its room."""
    code = plain_code(request.GET.get("code", ""))
    games = Player.objects.filter(user=account_of(request)).values("game")
    room = Room.objects.filter(code=code, game__in=games, ended_at=None).first() if code else None
    if room is None:
        messages.error(
            request, _("No room has this code. It may have started, or have a new code.")
        )
        return redirect("rooms")
    return redirect(f"{reverse('room', args=[room.pk])}?{urlencode({'code': code})}")


def player_in(request: HttpRequest, game: Game) -> Player | None:
    """The account's player in a game."""
    return Player.objects.filter(user=account_of(request), game=game).first()


def _room(pk: int) -> Room:
    return get_object_or_404(Room.objects.select_related("ladder__game", "host", "match"), pk=pk)


def _played(room: Room, player: Player) -> bool:
    return RoomMember.objects.filter(
        room=room, player=player, seat__isnull=False, removed=False
    ).exists()


def _wish_of(request: HttpRequest) -> Wish:
    given = request.GET
    which = given.get("list", "")
    before = given.get("before", "")
    return Wish(
        which=which if which in LISTS else LISTS[0],
        category=given.get("category", "")[:30],
        ladder=given.get("ladder", "")[:50],
        text=given.get("q", "").strip()[:60],
        before=int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None,
    )


def _query(request: HttpRequest, **changed: object) -> str:
    """The address of the same list, but for this; from its first page."""
    query = request.GET.copy()
    for name in ("seen", "before"):
        query.pop(name, None)
    for name, value in changed.items():
        query[name] = str(value)
    return f"{request.path}?{query.urlencode()}"


def _filters_in_words(room: Room, place: Place) -> list[str]:
    """What the room asks of those who come, a sentence each."""
    filters, words = room.filters, []
    rating = filters.get("rating", {})
    if "low" in rating and "high" in rating:
        words.append(_("Rating from %(low)d to %(high)d") % rating)
    elif "low" in rating:
        words.append(_("Rating from %(low)d") % rating)
    elif "high" in rating:
        words.append(_("Rating up to %(high)d") % rating)
    if chance := filters.get("chance"):
        words.append(_("At most %(percent)d%% from even") % {"percent": round(chance * 100)})
    if filters.get("established"):
        words.append(_("Established players only"))
    # What stands there by its short name, and is said by another.
    said: dict[str, Mapping[str, Any]] = {
        "tags": place.tags,
        "age_groups": dict(AgeGroup.choices),
        "countries": {one: country_name(one) for one in filters.get("countries", ())},
        "languages": dict(language_choices()),
    }
    for name, label in (
        ("languages", _("Languages: %(names)s")),
        ("regions", _("Regions: %(names)s")),
        ("styles", _("Styles of play: %(names)s")),
        ("rules", _("Rules: %(names)s")),
        ("tags", _("Tags of profiles: %(names)s")),
        ("countries", _("Countries: %(names)s")),
        ("age_groups", _("Age groups: %(names)s")),
    ):
        if filters.get(name):
            names = (str(said.get(name, {}).get(one, one)) for one in filters[name])
            words.append(label % {"names": ", ".join(names)})
    if latency := filters.get("latency"):
        words.append(_("Latency up to %(latency)d ms") % {"latency": latency})
    if filters.get("conduct"):
        words.append(_("Good conduct only"))
    if filters.get("own"):
        words.append(_("The game's own rules for matches"))
    return words

"""The catalogue of events: what each kind says, what it carries, who gets it, and since when.

A new kind is declared here, and in the tables of docs/architecture.md and docs/api.md. It is announced in two ways:

    publish      writes a row into the outbox: once to each subscriber of this site, in order (`events.outbox`)
    broadcast    sends a message to open streams, and keeps it for programs that were away (`events.live`)
"""

from enum import StrEnum

from events.declaring import Declared, of_absence, of_clan, of_group, of_match, of_players, of_use

__all__ = ["Kind"]


class Kind(StrEnum):
    """A kind of event. As a string it is its name; what is declared of it stands in `Declared`."""

    says: str
    since: str
    payload: tuple[str, ...]
    topics: tuple[str, ...]
    ids: tuple[str, ...]

    def __new__(cls, *declared: object) -> "Kind":
        given = Declared(*declared)  # type: ignore[arg-type]
        kind = str.__new__(cls, given.name)
        kind._value_ = given.name
        kind.says, kind.since = given.says, given.since
        kind.payload, kind.topics, kind.ids = given.payload, given.topics, given.ids
        return kind

    TICKET_WAITING = of_players(
        "ticket.waiting", "a search has begun", ids=("ticket", "queue"), since="0.1.0"
    )
    TICKET_ASKED = of_players(
        "ticket.asked",
        "its players are asked whether they are still there; until then no match is offered",
        ids=("ticket", "queue"),
        since="0.3.0",
    )
    TICKET_CANCELLED = of_players(
        "ticket.cancelled", "a search was cancelled", ids=("ticket", "queue"), since="0.1.0"
    )
    TICKET_EXPIRED = of_players(
        "ticket.expired",
        "a search ended without a sign of life",
        ids=("ticket", "queue"),
        since="0.1.0",
    )
    PARTNER_ASKED = of_players(
        "partner.asked",
        "nobody has come for a search: the game's server is asked for a partner",
        ids=("ticket", "queue", "request"),
        since="0.3.0",
    )
    PARTNER_ACCEPTED = of_players(
        "partner.accepted",
        "the game supplies a partner: a match that is not rated has begun",
        ids=("ticket", "queue", "request", "match"),
        since="0.3.0",
    )
    PARTNER_DECLINED = of_players(
        "partner.declined",
        "the game supplies none; the search goes on",
        ids=("ticket", "queue", "request"),
        since="0.3.0",
    )
    PARTNER_EXPIRED = of_players(
        "partner.expired",
        "the game has not answered in time; the search goes on",
        ids=("ticket", "queue", "request"),
        since="0.3.0",
    )
    PARTNER_WITHDRAWN = of_players(
        "partner.withdrawn",
        "no partner is needed any more: a match is offered, or the search or the wish is over",
        ids=("ticket", "queue", "request"),
        since="0.3.0",
    )
    OFFER_MADE = of_players(
        "offer.made",
        "a match is offered; one message for each ticket",
        ids=("ticket", "offer", "queue"),
        since="0.1.0",
    )
    OFFER_ANSWERED = of_players(
        "offer.answered", "one has accepted, others must still", ids=("offer",), since="0.1.0"
    )
    OFFER_ACCEPTED = of_players(
        "offer.accepted",
        "all have accepted; where nobody is asked, one message for each ticket",
        ids=("ticket", "offer", "queue"),
        since="0.1.0",
    )
    OFFER_DECLINED = of_players(
        "offer.declined",
        "one has declined, or plays already; one message for each ticket",
        ids=("ticket", "offer", "queue"),
        since="0.1.0",
    )
    OFFER_EXPIRED = of_players(
        "offer.expired",
        "the time of an offer is over; one message for each ticket",
        ids=("ticket", "offer", "queue"),
        since="0.1.0",
    )
    CHALLENGE_MADE = of_players(
        "challenge.made",
        "one player challenges another, or has made a link",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_ACCEPTED = of_players(
        "challenge.accepted",
        "a challenge was accepted, or an appointment agreed",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_DECLINED = of_players(
        "challenge.declined", "a challenge was declined", ids=("challenge",), since="0.1.0"
    )
    CHALLENGE_WITHDRAWN = of_players(
        "challenge.withdrawn", "a challenge was taken back", ids=("challenge",), since="0.1.0"
    )
    CHALLENGE_EXPIRED = of_players(
        "challenge.expired",
        "the time to accept a challenge is over",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_REMINDED = of_players(
        "challenge.reminded", "an appointment is an hour away", ids=("challenge",), since="0.1.0"
    )
    CHALLENGE_CALLED = of_players(
        "challenge.called",
        "the time of an appointment has come: both are asked to be there",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_HERE = of_players(
        "challenge.here",
        "one of the two of a challenge is there",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_STARTED = of_players(
        "challenge.started", "the match of a challenge has begun", ids=("challenge",), since="0.1.0"
    )
    CHALLENGE_MISSED = of_players(
        "challenge.missed",
        "not both were there in time, so no match began",
        ids=("challenge",),
        since="0.1.0",
    )
    CHALLENGE_CANCELLED = of_players(
        "challenge.cancelled", "what was accepted was called off", ids=("challenge",), since="0.1.0"
    )
    MATCH_STARTED = of_match("match.started", "a match has begun", since="0.1.0")
    MATCH_REPORTED = of_match(
        "match.reported", "one side has told how a match ended", since="0.1.0"
    )
    MATCH_DISPUTED = of_match(
        "match.disputed",
        "reports of a match contradict each other, or a player asks for a decision",
        since="0.1.0",
    )
    MATCH_CONFIRMED = of_match("match.confirmed", "the result of a match counts", since="0.1.0")
    MATCH_ABANDONED = of_match("match.abandoned", "nobody reported a match in time", since="0.1.0")
    MATCH_ABORTED = of_match("match.aborted", "a match ended without a result", since="0.1.0")
    MATCH_ANNULLED = of_match(
        "match.annulled", "an operator has taken back the result of a match", since="0.1.0"
    )
    MATCH_CORRECTED = of_match(
        "match.corrected", "the result of a match was corrected", since="0.1.0"
    )
    MATCH_AWAY = of_absence("match.away", "a player has lost the connection to a match")
    MATCH_BACK = of_absence("match.back", "a player is back in a match")
    MATCH_GONE = of_absence("match.gone", "who is away from a match has not come back in time")
    PARTY_JOINED = of_players(
        "party.joined", "a party was opened, or has a new member", ids=("party",), since="0.1.0"
    )
    PARTY_LEFT = of_players(
        "party.left", "a member has left a party, or was removed", ids=("party",), since="0.1.0"
    )
    PARTY_LED = of_players(
        "party.led", "another member leads a party", ids=("party",), since="0.1.0"
    )
    PARTY_ENDED = of_players(
        "party.ended",
        "an operator has dissolved a party, or archived its game",
        ids=("party",),
        since="0.1.0",
    )
    FRIEND_ASKED = of_players(
        "friend.asked",
        "`player` asks `other` to be friends",
        ids=("player", "other"),
        since="0.1.0",
    )
    FRIEND_AGREED = of_players(
        "friend.agreed",
        "`player` has agreed: the two are friends",
        ids=("player", "other"),
        since="0.1.0",
    )
    FRIEND_ENDED = of_players(
        "friend.ended",
        "two are friends no more, or a request is gone; never why",
        ids=("player", "other"),
        since="0.1.0",
    )
    GROUP_MADE = of_group("made", "a player has made a group")
    GROUP_INVITED = of_group("invited", "a player is invited into a group")
    GROUP_JOINED = of_group("joined", "a player has come into a group")
    GROUP_LEFT = of_group("left", "a player has left a group, or was removed")
    GROUP_CHANGED = of_group(
        "changed", "a group has other settings, another owner, or an invitation less"
    )
    GROUP_DRAWN = of_group("drawn", "players were put together by lot")
    GROUP_ENDED = of_group("ended", "a group was dissolved, or its time is over")
    CLAN_FOUNDED = of_clan("founded", "a player has founded a clan")
    CLAN_INVITED = of_clan("invited", "a player is invited into a clan")
    CLAN_APPLIED = of_clan("applied", "a player asks to come into a clan")
    CLAN_JOINED = of_clan("joined", "a player has come into a clan")
    CLAN_LEFT = of_clan("left", "a player has left a clan, or was removed")
    CLAN_CHANGED = of_clan(
        "changed", "a clan has other settings, leaders or officers, or fewer who are asked or ask"
    )
    CLAN_ENDED = of_clan("ended", "a clan was dissolved")
    ROOM_OPENED = of_players("room.opened", "a room was opened", ids=("room",), since="0.1.0")
    ROOM_JOINED = of_players(
        "room.joined",
        "a player has come into a room, or looks on now",
        ids=("room",),
        since="0.1.0",
    )
    ROOM_LEFT = of_players(
        "room.left",
        "a player has left a room, was removed, or was not heard from",
        ids=("room",),
        since="0.1.0",
    )
    ROOM_CHANGED = of_players(
        "room.changed",
        "a room has other settings, another host or seat, or the next turn",
        ids=("room",),
        since="0.1.0",
    )
    ROOM_STARTED = of_players(
        "room.started", "a room's match has begun", ids=("room", "match"), since="0.1.0"
    )
    ROOM_CLOSED = of_players(
        "room.closed", "a room was closed without a match", ids=("room",), since="0.1.0"
    )
    TALK_SAID = Declared(
        "talk.said",
        "somebody has written a line in a party, a room, or in a match or on one side of it",
        since="0.1.0",
        topics=("player",),
        ids=("party", "match", "room"),
    )
    SANCTION_IMPOSED = of_players(
        "sanction.imposed",
        "an operator has warned, hidden or suspended a player; the API says how",
        ids=("player",),
        since="0.1.0",
    )
    SANCTION_LIFTED = of_players(
        "sanction.lifted",
        "an operator has lifted a sanction",
        ids=("player",),
        since="0.1.0",
    )
    REPORT_CLOSED = of_players(
        "report.closed",
        "a moderator has looked at a player's report of another",
        ids=("player",),
        since="0.1.0",
    )
    APPEAL_DECIDED = of_players(
        "appeal.decided",
        "a moderator has decided a player's appeal",
        ids=("player",),
        since="0.1.0",
    )
    NAME_CHANGED = Declared(
        "name.changed",
        "a player has another name, by its own choice or a moderator's",
        since="0.1.0",
        topics=("player", "game"),
        ids=("player",),
    )
    PLAYER_MERGED = Declared(
        "player.merged",
        "a player counts for another from now on: `player` for `into`",
        since="0.1.0",
        topics=("player", "game"),
        ids=("player", "into"),
    )
    PLAYER_UNMERGED = Declared(
        "player.unmerged",
        "a player counts for another no longer: `player` for `into`",
        since="0.1.0",
        topics=("player", "game"),
        ids=("player", "into"),
    )
    PLAYER_MOVED = of_players(
        "player.moved", "another account has a player now", ids=("player",), since="0.1.0"
    )
    PLAYER_DELETED = Declared(
        "player.deleted",
        "what is known of a player was deleted; its matches stay as they are",
        since="0.1.0",
        topics=("game",),
        ids=("player",),
    )
    GAME_ARCHIVED = of_use("game", "archived")
    GAME_RESTORED = of_use("game", "restored")
    LADDER_ARCHIVED = of_use("ladder", "archived")
    LADDER_RESTORED = of_use("ladder", "restored")
    QUEUE_ARCHIVED = of_use("queue", "archived")
    QUEUE_RESTORED = of_use("queue", "restored")
    ROUND_ANNOUNCED = Declared(
        "round.announced",
        "a queue has new rounds at set times",
        "0.1.0",
        topics=("game",),
        ids=("queue",),
    )
    ROUND_BEGAN = Declared(
        "round.began",
        "a round has begun: all who joined it and are there search",
        "0.1.0",
        topics=("game",),
        ids=("round", "queue"),
    )
    ROUND_CANCELLED = Declared(
        "round.cancelled",
        "a round will not begin",
        "0.1.0",
        topics=("game",),
        ids=("round", "queue"),
    )
    NOTICE_MADE = of_players(
        "notice.made", "a player is told something", ids=("player", "notice"), since="0.1.0"
    )
    NOTICE_CHANGED = of_players(
        "notice.changed",
        "notices of a player were read, deleted or taken back",
        ids=("player",),
        since="0.1.0",
    )
    STANDINGS_UPDATED = Declared(
        "standings.updated",
        "a leaderboard has changed",
        since="0.1.0",
        topics=("ladder", "game", "site"),
        ids=("ladder",),
    )
    MATCHES_IMPORTED = Declared(
        "matches.imported",
        "a file of matches was imported",
        since="0.1.0",
        payload=("ladder", "file", "matches"),
    )
    RATINGS_CHANGED = Declared(
        "ratings.changed",
        "a run has changed ratings of a track",
        since="0.1.0",
        payload=("track", "revision"),
    )
    PERIOD_CLOSED = Declared(
        "period.closed",
        "a run has closed rating periods of a track, up to `last`",
        since="0.1.0",
        payload=("track", "last"),
    )
    TRACK_REPLACED = Declared(
        "track.replaced",
        "a replayed track has taken the place of another",
        since="0.1.0",
        payload=("track", "replaced", "ladder", "shown"),
    )
    TRACK_SHOWN = Declared(
        "track.shown",
        "a ladder shows another track",
        since="0.1.0",
        payload=("track", "replaced", "ladder", "shown"),
    )

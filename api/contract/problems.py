"""Problems: every way in which the API can refuse, in one place. Codes are stable; titles and words may change.

What the rules of play refuse (`foundation.refusals.RefusedError`) is listed here too, with the status its class gives.
"""

from http import HTTPStatus

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from api.contract.field_errors import MOST_NAMED
from api.contract.problem import Problem, Words
from api.contract.problems_of_challenges import OF_CHALLENGES
from api.contract.problems_of_conduct import OF_CONDUCT
from api.contract.problems_of_groups import OF_GROUPS
from api.contract.problems_of_moderation import OF_MODERATION
from api.contract.problems_of_rooms import OF_ROOMS
from api.contract.problems_of_servers import OF_SERVERS

__all__ = ["CODES", "MEDIA_TYPE", "PROBLEMS", "ProblemError"]

MEDIA_TYPE = "application/problem+json"


class ProblemError(Exception):
    """A refusal by the API itself. `code` must stand in `PROBLEMS`.

    errors   what is wrong with single fields: mappings with `pointer` or `parameter`, `code` and `detail`
    headers  further headers of the answer
    extra    further members of the answer; must be JSON
    """

    def __init__(
        self,
        code: str,
        detail: Words,
        *,
        errors: list[dict[str, str]] | None = None,
        headers: dict[str, str] | None = None,
        **extra: object,
    ) -> None:
        super().__init__(code)
        self.problem = PROBLEMS[code]
        self.detail = detail
        self.errors = errors[:MOST_NAMED] if errors else errors
        if errors and len(errors) > MOST_NAMED:
            self.detail = format_lazy(
                _("{detail} Only the first {most} are named."), detail=detail, most=MOST_NAMED
            )
        self.headers = headers or {}
        self.extra = extra


_ALL = [
    # The request itself
    Problem("malformed_body", HTTPStatus.BAD_REQUEST, _("The body cannot be read"),
            _("The body must be one JSON object in UTF-8. Numbers must be finite.")),
    Problem("invalid_parameter", HTTPStatus.BAD_REQUEST, _("A parameter is wrong"),
            _("A parameter of the address is unknown or has a value it cannot have. `errors` names it.")),
    Problem("invalid_idempotency_key", HTTPStatus.BAD_REQUEST, _("The idempotency key is wrong"),
            _("`Idempotency-Key` must be 1 to 255 printable ASCII characters.")),
    Problem("length_required", HTTPStatus.LENGTH_REQUIRED, _("The length is missing"),
            _("Send `Content-Length`: bodies of unknown length are not accepted.")),
    Problem("body_too_large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("The body is too large"),
            _("Send less at once. `limit` is the number of bytes allowed.")),
    Problem("unsupported_media_type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("Not JSON"),
            _("Send `Content-Type: application/json`.")),
    Problem("invalid_body", HTTPStatus.UNPROCESSABLE_ENTITY, _("Something in the body is wrong"),
            _("A field is missing, unknown, or has a value it cannot have. `errors` names each.")),
    Problem("idempotency_key_reused", HTTPStatus.UNPROCESSABLE_ENTITY, _("The key was used for something else"),
            _("This `Idempotency-Key` was already used with another address or body. "
            "Use a new key for each new request.")),
    Problem("answer_gone", HTTPStatus.CONFLICT, _("The answer is kept no more"),
            _("Done before, and not done again: the answer named somebody who was deleted since.")),
    Problem("not_found", HTTPStatus.NOT_FOUND, _("Not found"),
            _("There is nothing at this address, or nothing that you may see.")),
    Problem("archived", HTTPStatus.GONE, _("Archived"),
            _("The operators have archived this, or what it belongs to. Its history is kept, and nothing begins there "
              "any more. They may restore it: then it is here again.")),
    Problem("method_not_allowed", HTTPStatus.METHOD_NOT_ALLOWED, _("Method not allowed"),
            _("The address does not take this method. The header `Allow` lists those it takes.")),
    Problem("not_acceptable", HTTPStatus.NOT_ACCEPTABLE, _("Not acceptable"),
            _("`Accept` rules out what is answered here. Leave it out, or "
              "accept `application/json`.")),
    Problem("body_too_slow", HTTPStatus.REQUEST_TIMEOUT, _("The body came too slowly"),
            _("The body was not there in time, and the connection is closed. Send it again.")),
    Problem("address_too_long", HTTPStatus.REQUEST_URI_TOO_LONG, _("The address is too long"),
            _("The line with method and address may have 8,190 bytes at most.")),
    Problem("headers_too_large", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _("The headers are too large"),
            _("There may be 100 headers, of 8,190 bytes each.")),
    Problem("bad_request", HTTPStatus.BAD_REQUEST, _("Not understood"),
            _("The request is not HTTP as this server reads it, or asks for a host that it does not serve.")),
    # Who asks
    Problem("authentication_required", HTTPStatus.UNAUTHORIZED, _("Sign-in needed"),
            _("Send `Authorization: Bearer` and a server key or player token.")),
    Problem("invalid_token", HTTPStatus.UNAUTHORIZED, _("Unknown key or token"),
            _("This site has no such key or token.")),
    Problem("expired_token", HTTPStatus.UNAUTHORIZED, _("The key or token has expired"),
            _("Create a new one.")),
    Problem("revoked_token", HTTPStatus.UNAUTHORIZED, _("The key or token was revoked"),
            _("Its owner or an operator has ended it. Create a new one.")),
    Problem("account_closed", HTTPStatus.UNAUTHORIZED, _("The account is closed"),
            _("The account of this player is closed, and its tokens with it.")),
    Problem("missing_scope", HTTPStatus.FORBIDDEN, _("Not allowed with this key or token"),
            _("The key or token lacks a scope. `needed` lists those of which one is enough.")),
    Problem("key_in_browser", HTTPStatus.FORBIDDEN, _("A server key in a browser"),
            _("A server key was sent from a web page, where anybody can read it. Revoke"
            " it, and give the page a player's token instead.")),
    # Too much, or not now
    Problem("in_progress", HTTPStatus.CONFLICT, _("Still in progress"),
            _("A request with the same `Idempotency-Key` is being carried out. Ask again after `Retry-After`.")),
    Problem("rate_limited", HTTPStatus.TOO_MANY_REQUESTS, _("Too many requests"),
            _("Wait for `Retry-After` seconds. See the headers `RateLimit-…`.")),
    Problem("internal_error", HTTPStatus.INTERNAL_SERVER_ERROR, _("Something went wrong here"),
            _("It is our fault, and it is in the log. Nothing was changed. Asking again later may help.")),
    Problem("busy", HTTPStatus.SERVICE_UNAVAILABLE, _("Too busy"),
            _("What the request needs was in use for too long. Nothing was changed. Ask again after `Retry-After`.")),
    Problem("stream_limit", HTTPStatus.TOO_MANY_REQUESTS, _("Too many streams from one caller"),
            _("One address, and one key or player, can hold only a certain number of "
            "streams at once. Close one, or try again after `Retry-After`. Polling "
            "still works.")),
    Problem("too_many_streams", HTTPStatus.SERVICE_UNAVAILABLE, _("Too many streams"),
            _("This process holds as many streams as it can. Poll, and try again after `Retry-After`.")),
    Problem("events_gone", HTTPStatus.GONE, _("Events are gone"),
            _("Some of what happened after this cursor is kept no more, or never happened: events are kept for some "
              "days, and a site that was restored begins anew. Ask anew for everything, and go on from `after`.")),
    Problem("no_room", HTTPStatus.SERVICE_UNAVAILABLE, _("The disk is full"),
            _("The site takes nothing new until its operator has made room. Nothing was changed. "
              "Ask again after `Retry-After`.")),
    Problem("unavailable", HTTPStatus.SERVICE_UNAVAILABLE, _("Not available"),
            _("The database does not answer, or not in the time that a request has. "
              "It is not certain whether the last request was carried out: "
              "ask again with the same `Idempotency-Key`.")),
    # Setting up
    Problem("key_of_one_game", HTTPStatus.FORBIDDEN, _("The key is for another game"),
            _("A key of one game sets up this game and no other. A key of all games makes new ones.")),
    Problem("slug_taken", HTTPStatus.CONFLICT, _("The short name is taken"),
            _("Short names of ladders and queues are there once on a site, and another game has this one.")),
    Problem("cannot_change", HTTPStatus.CONFLICT, _("This does not change"),
            _("What `field` names stays as it was made, which is `present`. Leave it out, or make something new.")),
    Problem("system_has_no_deviation", HTTPStatus.CONFLICT, _("No conservative rating"),
            _("The system's ratings have no deviation: its leaderboard can be ordered by the rating alone.")),
    Problem("several_tracks", HTTPStatus.CONFLICT, _("Which track?"),
            _("The ladder has several live tracks of this system. They are changed in the admin.")),
    # Players and games
    Problem("wrong_game", HTTPStatus.UNPROCESSABLE_ENTITY, _("From another game"),
            _("The player, ladder or queue belongs to another game.")),
    Problem("unknown_player", HTTPStatus.NOT_FOUND, _("No such player"),
            _("The game has no player with this id. A server makes one known with "
              "`PUT /players/by-external-id/{external_id}`.")),
    Problem("reserved_id", HTTPStatus.UNPROCESSABLE_ENTITY, _("The id is this site's"),
            _("No server makes players known under ids that begin with `evenmatch:`, or are as `deleted-12` or "
              "`Deleted player 12`, or look so. None renames, or gets tokens for, accounts' players whose id begins "
              "with `evenmatch:` or is `account-` and a number.")),
    Problem("wrong_player_field", HTTPStatus.UNPROCESSABLE_ENTITY, _("Which player?"),
            _("A server names the player it acts for in `player`; a player's token acts for its own player only.")),
    Problem("name_taken", HTTPStatus.CONFLICT, _("The name is taken"),
            _("Another player of the game, who has an account, has a name that looks the same.")),
    Problem("bad_name", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not a valid name"),
            _("The name is too short or too long, contains invisible characters, or is one of those that deleted "
              "players have.")),
    Problem("has_player", HTTPStatus.CONFLICT, _("Already has a player"),
            _("An account has one player in a game. `player` is its id.")),
    Problem("not_on_board", HTTPStatus.NOT_FOUND, _("Not on the leaderboard"),
            _("The player has no place there: not rated, or hidden. `everyone=true` shows who is hidden.")),
    Problem("suspended", HTTPStatus.FORBIDDEN, _("Suspended"),
            _("An operator has suspended the player: `player` is the id, `suspended_from` from what, `until` when it "
              "ends (null: when an operator lifts it), `appeal` where to ask for that.")),
    *(Problem(*words) for words in OF_CONDUCT),
    Problem("wrong_sanction", HTTPStatus.CONFLICT, _("The sanction cannot be"),
            _("A suspension says from what, its end is to come, and only what is in force can be lifted.")),
    Problem("player_merged", HTTPStatus.PERMANENT_REDIRECT, _("Merged into another player"),
            _("The player and another are one person: `merged_into` is the id of the other, and `Location` the same "
              "address of that one. Take that number in place of this one; `player.unmerged` tells if operators take "
              "it back.")),
    Problem("cannot_merge", HTTPStatus.CONFLICT, _("The players cannot be merged"),
            _("They play different games, one of them is part of another merge, or both took part in the same "
              "matches.")),
    Problem("cannot_move", HTTPStatus.CONFLICT, _("The account cannot have the player"),
            _("An account has one player in a game, and only persons have accounts.")),
    # Ladders
    Problem("unknown_ladder", HTTPStatus.NOT_FOUND, _("No such ladder"),
            _("The game has no ladder with this short name.")),
    Problem("track_not_live", HTTPStatus.CONFLICT, _("The track is not live"),
            _("It is replaying or was replaced, so its parameters cannot be changed.")),
    Problem("track_cannot_be_shown", HTTPStatus.CONFLICT, _("The track cannot be shown"),
            _("Players see live tracks that rate them as a whole, and have caught up.")),
    # Matches
    Problem("already_playing", HTTPStatus.CONFLICT, _("Already in a match"),
            _("A player can be in one match of a game at a time. The other one must be "
            "reported first.")),
    Problem("wrong_players", HTTPStatus.UNPROCESSABLE_ENTITY, _("Wrong players"),
            _("The number of teams or players does not fit the ladder, or a player is listed "
              "twice.")),
    Problem("wrong_result", HTTPStatus.UNPROCESSABLE_ENTITY, _("The result doesn't fit the match"),
            _("It needs one rank per team, and may name only players of the match.")),
    Problem("match_not_disputed", HTTPStatus.CONFLICT, _("The match is not disputed"),
            _("Only disputed matches wait for an operator.")),
    Problem("match_not_confirmed", HTTPStatus.CONFLICT, _("The match is not confirmed"),
            _("Only a confirmed match can be annulled or corrected.")),
    Problem("match_corrected", HTTPStatus.CONFLICT, _("The match was corrected meanwhile"),
            _("Somebody else has corrected its result since it was read. Look at it again: `corrections` says how many "
              "corrections it has now.")),
    Problem("match_exists", HTTPStatus.CONFLICT, _("The match already exists"),
            _("The game already has a match with this id. `match` names it, and `detail` says whether it is the same. "
              "Whoever asks again for the same sends an `Idempotency-Key`.")),
    Problem("not_in_match", HTTPStatus.FORBIDDEN, _("Not your match"),
            _("Only players of a match can report it, leave it, or be away from it.")),
    Problem("match_decided", HTTPStatus.CONFLICT, _("The match is decided"),
            _("Its result stands and cannot be reported again.")),
    # Parties and avoid lists
    Problem("no_teams", HTTPStatus.CONFLICT, _("No teams in this game"),
            _("No ladder of the game is played in teams, so nobody needs a party.")),
    Problem("unknown_party", HTTPStatus.NOT_FOUND, _("No such party"),
            _("No live party of the game has this code. It may have ended, or got a new"
            " code when somebody was removed.")),
    Problem("already_in_party", HTTPStatus.CONFLICT, _("Already in a party"),
            _("A player is in one party of a game at a time. `party` is its id.")),
    Problem("party_full", HTTPStatus.CONFLICT, _("The party is full"),
            _("It has as many members as the largest team of the game. `largest` is their number.")),
    Problem("party_offered", HTTPStatus.CONFLICT, _("The party is offered a match"),
            _("Somebody who came now would end that. Try again in a minute.")),
    Problem("party_over", HTTPStatus.CONFLICT, _("The party is over"),
            _("Its last member has left, or an operator has ended it. Open another one.")),
    Problem("not_in_party", HTTPStatus.CONFLICT, _("Not in this party"),
            _("Whoever acts in a party, and whoever is acted on, must be a member of it. "
              "`player` is the one who is not.")),
    Problem("not_leader", HTTPStatus.FORBIDDEN, _("Not the leader"),
            _("Only the leader searches for a party, removes members and hands over the lead."
              " `leader` is the leader's id.")),
    Problem("avoids_itself", HTTPStatus.UNPROCESSABLE_ENTITY, _("You cannot avoid yourself"),
            _("The player to avoid is the owner of the list.")),
    Problem("avoids_too_many", HTTPStatus.CONFLICT, _("The avoid list is full"),
            _("It holds `most` players. Remove somebody first.")),
    Problem("not_played_together", HTTPStatus.CONFLICT, _("You haven't played together"),
            _("Feedback needs a finished match of the two. `player` is the id of the other.")),
    # People
    Problem("player_not_open", HTTPStatus.CONFLICT, _("The player is not open to this"),
            _("The other player does not take this from everyone, or from nobody now, or cannot play the match of a "
              "challenge. No more is said, whatever the reason. `player` is the other's id.")),
    Problem("player_is_yourself", HTTPStatus.UNPROCESSABLE_ENTITY, _("That is the player itself"),
            _("Nobody follows, befriends or blocks themselves.")),
    Problem("player_of_another_game", HTTPStatus.UNPROCESSABLE_ENTITY, _("The player plays another game"),
            _("Friends, follows and blocks are between players of one game.")),
    Problem("unknown_tag", HTTPStatus.UNPROCESSABLE_ENTITY, _("No such tag"),
            _("The game does not offer these `tags`, or they are more than `most`. `GET /me/profile` lists those it "
              "offers.")),
    Problem("people_list_full", HTTPStatus.CONFLICT, _("The list is full"),
            _("It holds `most` players. Take somebody off it first.")),
    # Talk
    Problem("no_such_talk", HTTPStatus.NOT_FOUND, _("No talk here"),
            _("There is no such party or match, or the player is not in it. A side of one player has "
              "no talk of its own.")),
    Problem("talk_off", HTTPStatus.CONFLICT, _("No talk in this game"),
            _("The operator has not switched it on for the game.")),
    Problem("talk_over", HTTPStatus.CONFLICT, _("This talk is over"),
            _("In a match players write until some minutes after its end. What was said can still be read.")),
    Problem("empty_line", HTTPStatus.UNPROCESSABLE_ENTITY, _("Nothing to be seen"),
            _("Signs that cannot be seen are left out of lines, and nothing else was sent.")),
    Problem("line_too_long", HTTPStatus.UNPROCESSABLE_ENTITY, _("The line is too long"),
            _("It has `length` characters; `most` are allowed.")),
    Problem("talks_too_fast", HTTPStatus.TOO_MANY_REQUESTS, _("Too many lines in a minute"),
            _("So many lines a minute are taken as the operator of the game allows. Write again in "
              "`retry_after` seconds.")),
    Problem("mutes_itself", HTTPStatus.UNPROCESSABLE_ENTITY, _("You cannot mute yourself"),
            _("The player to mute is the owner of the list.")),
    Problem("mutes_too_many", HTTPStatus.CONFLICT, _("The list of muted players is full"),
            _("It holds `most` players. Unmute somebody first.")),
    # What a player is told
    Problem("wrong_quiet_hours", HTTPStatus.UNPROCESSABLE_ENTITY, _("Quiet hours that cannot be"),
            _("Give two different times of the day and a time zone such as Europe/Berlin, or null for none.")),
    Problem("wrong_push_address", HTTPStatus.UNPROCESSABLE_ENTITY, _("No address of a browser"),
            _("`endpoint` must be the https address that the browser gives, in the public network.")),
    Problem("wrong_push_keys", HTTPStatus.UNPROCESSABLE_ENTITY, _("No keys of this browser"),
            _("`p256dh` and `auth` must be those that the browser gives with this address.")),
    Problem("no_account", HTTPStatus.CONFLICT, _("The player has no account"),
            _("Mail and push go to accounts of this site, and the player belongs to none.")),
    # Queues, tickets, offers
    Problem("unknown_queue", HTTPStatus.NOT_FOUND, _("No such queue"),
            _("There is no queue with this short name. `GET /queues` lists them.")),
    Problem("queue_closed", HTTPStatus.CONFLICT, _("The queue is closed"),
            _("It isn't taking new tickets right now.")),
    Problem("wrong_wishes", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not available in this queue"),
            _("The queue does not know a language, region, map, role or another preference. "
              "`errors` names each. `GET /queues/{slug}` lists maps and roles.")),
    Problem("party_too_large", HTTPStatus.CONFLICT, _("The party is too large"),
            _("It has more `players` than a team of the queue, whose size is `team_size`.")),
    Problem("member_searching", HTTPStatus.CONFLICT, _("A party member is searching elsewhere"),
            _("`player` is the member's id, `ticket` the search that must end first.")),
    Problem("member_playing", HTTPStatus.CONFLICT, _("A party member is in a match"),
            _("`player` is the member's id, `match` the match whose end must be reported first.")),
    Problem("too_many_disputes", HTTPStatus.CONFLICT, _("Too many disputes"),
            _("The player's disputed matches that count are as many as the game's `limit`, and ranked queues are "
              "closed to the player until one of `matches` is decided. Disputes with opponents who have more of them "
              "do not count.")),
    Problem("member_disputes", HTTPStatus.CONFLICT, _("A party member has too many disputes"),
            _("`player` is the member's id, `matches` the disputed matches of which one must be decided first.")),
    Problem("already_searching", HTTPStatus.CONFLICT, _("Already searching"),
            _("A player has one live ticket in a game. `ticket` is its id.")),
    Problem("already_matched", HTTPStatus.CONFLICT, _("Already matched"),
            _("The match had begun before the ticket was cancelled. `match` is its id.")),
    Problem("round_over", HTTPStatus.CONFLICT, _("The round is over"),
            _("It has begun, or was cancelled: `state` says which. Nobody joins or leaves it any more.")),
    Problem("no_alerts", HTTPStatus.CONFLICT, _("No alerts here"),
            _("The queue's operator has switched alerts off: `queue` tells nobody of searches.")),
    Problem("nearness_hidden", HTTPStatus.UNPROCESSABLE_ENTITY, _("Nearness is hidden"),
            _("The ladder hides ratings, and an alert about somebody near would tell of them. Send `near: anybody`.")),
    Problem("ticket_over", HTTPStatus.CONFLICT, _("The ticket is over"),
            _("The search has ended already. `state` says how.")),
    Problem("no_offer", HTTPStatus.CONFLICT, _("No offer"),
            _("The ticket has no offer to answer.")),
    Problem("offer_over", HTTPStatus.CONFLICT, _("The offer is over"),
            _("Somebody declined, or the time to accept is up.")),
    Problem("no_partner", HTTPStatus.CONFLICT, _("No partner here"),
            _("The queue gets no partners from its game (its `partner_seconds` is null), or the ticket's players are "
              "not one whole team: `team_size` are.")),
    Problem("partner_request_over", HTTPStatus.CONFLICT, _("The request is over"),
            _("The game answered it otherwise or too late, or it was withdrawn because a match was found or the search "
              "has ended: `state` says which.")),
    *OF_MODERATION,
    *(Problem(*one) for one in OF_ROOMS),
    *(Problem(*one) for one in OF_GROUPS),
    *(Problem(*one) for one in OF_CHALLENGES),
    *(Problem(*one) for one in OF_SERVERS),
]  # fmt: skip

PROBLEMS = {problem.code: problem for problem in _ALL}
CODES = sorted(PROBLEMS)

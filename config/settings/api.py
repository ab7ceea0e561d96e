"""Settings of the API: how it answers, its description, its limits, and which web sites may call it."""

import os

from environs import Env

from config.settings.environment import check_settings, read_limit, read_origins
from config.settings.settings_file import take_settings_file

take_settings_file(os.environ)
check_settings(os.environ)  # all of them: this is where the first are read
env = Env()

REST_FRAMEWORK = {
    # What an endpoint allows is decided by `api.views.base.ApiView`; a view that is none lets nobody in.
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.auth.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["api.contract.bodies.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.description.ApiSchema",
    "EXCEPTION_HANDLER": "api.contract.error_responses.answer_exception",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Evenmatch API",
    "DESCRIPTION": "Matchmaking, ratings and leaderboards for the players of a game.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "PATH_CONVERTER_OVERRIDES": {"id": int, "id_in_game": str},
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SCHEMA_PATH_PREFIX_TRIM": True,
    "SERVERS": [{"url": "/api/v1"}],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # words that say no more than themselves
    "ENUM_NAME_OVERRIDES": {
        "PlayerScope": "api.auth.scopes.PLAYER_SCOPE_NAMES",
        "ServerScope": "api.auth.scopes.SERVER_SCOPE_NAMES",
        "ProblemCode": "api.contract.problems.CODES",
        "MatchState": "api.serializers.words.MATCH_STATES",
        "TicketState": "api.serializers.words.TICKET_STATES",
        "ByEnum": "api.serializers.words.FACETS",
        "FriendState": "api.serializers.people.people.STATES",
        "Nearness": "api.serializers.searching.alerts.NEARNESS",
        "Told": "api.serializers.people.people.TOLD",
        "Whom": "api.serializers.people.people.WHOM",
        "ClanBoardBy": "api.views.clans.boards.BOARD_BY",
        "ClanAccess": "api.serializers.people.clans.CLAN_ACCESS",
        "ClanRole": "api.serializers.people.clans.ROLES",
        "GroupAccess": "api.serializers.people.groups.ACCESS",
        "RoomAccess": "api.serializers.rooms.ACCESS",
        "RoomState": "api.serializers.words.ROOM_STATES",
        "ChallengeState": "api.serializers.words.CHALLENGE_STATES",
        "EventKind": "api.serializers.words.EVENT_KINDS",
        "MatchEventType": "api.serializers.words.MATCH_EVENT_TYPES",
        "RatedBy": "api.serializers.words.RATED_BY",
        "NoticeGroup": "api.serializers.people.notices.NOTICE_GROUPS",
        "RatingStatus": "api.serializers.words.STATUSES",
    },
    "TAGS": [
        {"name": "Start", "description": "Who calls, and where to go on."},
        {"name": "Games and ladders", "description": "What can be played, and who is best."},
        {"name": "Players", "description": "Players, their ratings, tokens and avoid lists."},
        {
            "name": "Queues and tickets",
            "description": "Searching for a match, and being found one.",
        },
        {
            "name": "People",
            "description": "Friends, following, blocks, and who may turn to a player.",
        },
        {"name": "Parties", "description": "Players who search together."},
        {
            "name": "Clans",
            "description": "Players of one game under one name and tag, for all to see.",
        },
        {
            "name": "Groups",
            "description": "Players who like to play together: made, suggested, and drawn by lot.",
        },
        {"name": "Rooms", "description": "Players who gather for a match of their own making."},
        {"name": "Talk", "description": "What players write to each other, and whom they mute."},
        {
            "name": "Challenges",
            "description": "One player asks another, at once, by a link or for a time.",
        },
        {
            "name": "Notifications",
            "description": "What a player is told, by which ways, and when it is quiet.",
        },
        {"name": "Matches", "description": "Matches from the start to the result."},
        {
            "name": "Game servers",
            "description": "Servers that players join and leave, and what they tell event by event.",
        },
        {
            "name": "Statistics",
            "description": "What was fragged on game servers, and rankings by frags alone.",
        },
        {
            "name": "Behaviour",
            "description": "What players do in matches, and what it says of how strong they are.",
        },
        {"name": "Setting up", "description": "Games, ladders, queues and keys, for deployments."},
    ],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.schema.description.add_headers",
    ],
    "CONTACT": {"name": "The operator of this site"},
    "LICENSE": {"name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "ENABLE_DJANGO_DEPLOY_CHECK": False,  # a test holds that the description has no warnings
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
# Requests of one caller in any stretch of seconds: "600/60", or "off".
API_LIMITS = {
    "anonymous": read_limit(env, "EVENMATCH_LIMIT_ANONYMOUS", "300/60"),
    "player-read": read_limit(env, "EVENMATCH_LIMIT_PLAYER_READ", "600/60"),
    "player-write": read_limit(env, "EVENMATCH_LIMIT_PLAYER_WRITE", "120/60"),
    "server-read": read_limit(env, "EVENMATCH_LIMIT_SERVER_READ", "60000/60"),
    "server-write": read_limit(env, "EVENMATCH_LIMIT_SERVER_WRITE", "60000/60"),
}
# Web sites whose pages may call the API from browsers, with tokens of players. It never looks at cookies, and pages
# outside it stay closed to all other sites.
CORS_ALLOWED_ORIGINS = sorted(read_origins(env, "EVENMATCH_CORS_ORIGINS"))
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
CORS_ALLOW_HEADERS = ["authorization", "content-type", "idempotency-key", "if-none-match"]
CORS_EXPOSE_HEADERS = [
    "Allow", "ETag", "Idempotent-Replayed", "Location", "Retry-After",
    "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
]  # fmt: skip
CORS_PREFLIGHT_MAX_AGE = 7200  # seconds for which a browser need not ask again
BODY_SECONDS = env.float("EVENMATCH_BODY_SECONDS", 30.0)  # for which the server waits for a body
SEND_SECONDS = env.float(
    "EVENMATCH_SEND_SECONDS", 60.0
)  # for which a visitor may take to read a piece of an answer
REQUEST_SECONDS = env.float("EVENMATCH_REQUEST_SECONDS", 15.0)  # in which a request is answered
# So many requests a web process works on at once: by default as many as there are connections to PostgreSQL, for which
# the others would only wait.
REQUESTS_AT_ONCE = env.int(
    "EVENMATCH_REQUESTS_AT_ONCE", env.int("EVENMATCH_DATABASE_POOL", 20) or 20
)
TURN_SECONDS = env.float("EVENMATCH_TURN_SECONDS", 5.0)  # for which a request waits for its turn
# Behind a proxy all come from one address. 0: any number.
CONNECTIONS_PER_ADDRESS = env.int(
    "EVENMATCH_CONNECTIONS_PER_ADDRESS", 0 if env.bool("EVENMATCH_BEHIND_PROXY", False) else 200
)
# Seconds for which a process trusts what it has read of a key or token; it is told at once of those that are revoked.
KEYS_TRUSTED = env.float("EVENMATCH_KEYS_TRUSTED", 5.0)
API_MAX_BODY = env.int("EVENMATCH_API_MAX_BODY", 1_048_576)  # bytes; batches have their own
# Web Push goes to the public network alone, by certificates that this machine trusts; tests have a receiver of theirs.
PUSH_TO_PRIVATE = False
PUSH_CERTIFICATES: str | None = None
# Mails and pushes in an hour that one player causes another, and that all players together cause one.
NOTICES_FROM_ONE = env.int("EVENMATCH_NOTICES_FROM_ONE", 6)
NOTICES_FROM_ALL = env.int("EVENMATCH_NOTICES_FROM_ALL", 30)
# Where log lines of game servers are heard by UDP; port 0: nowhere.
LOG_PORT = env.int("EVENMATCH_LOG_PORT", 0)
LOG_BIND = env.str("EVENMATCH_LOG_BIND", "") or "127.0.0.1"

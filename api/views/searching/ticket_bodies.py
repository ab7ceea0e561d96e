"""What a request to search says: who, where, and with which preferences (see `matchmaking.tickets.preferences`)."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.contract.bodies import Body
from api.contract.fields import (
    PRINTABLE,
    ListOfField,
    NumberField,
    ObjectField,
    ShortNameField,
    TextField,
    TruthField,
    WholeField,
    with_fields,
)
from api.contract.player_stats_fields import LONGEST_CHARACTER
from api.views.bodies import PlayerBody
from matchmaking.models import PartyMember, Queue
from matchmaking.pairing.conditions import PREFERENCES
from matchmaking.pairing.preference import PreferenceDeclaration, PreferenceKind
from matchmaking.pairing.section import LONGEST_WORD, MOST_WORDS
from matchmaking.tickets.lifecycle import Choice
from matchmaking.tickets.preferences import HIGHEST_LATENCY, HIGHEST_OWN
from matchmaking.tickets.saved_preferences import choices_of

__all__ = ["WISHES", "OwnField", "TicketBody", "field_of", "others_in"]

WISHES = (*PREFERENCES, "own")


# What is wrong with a preference is told by `matchmaking.tickets.preferences`; here its limits are described.
_WORD = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD, "pattern": PRINTABLE}
_CODE = {"type": "string", "pattern": "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$"}
_BY_WORD = {"type": "object", "propertyNames": _WORD, "maxProperties": MOST_WORDS}


def _list_of(word: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": word, "maxItems": MOST_WORDS}


def _words(what: str) -> "WordsField":
    return WordsField(child=TextField(allow_blank=True), required=False, help_text=what)


@extend_schema_field(_list_of(_WORD))
class WordsField(ListOfField):
    """Words that the queue may know."""


@extend_schema_field(_list_of(_CODE))
class LanguagesField(ListOfField):
    """Codes of languages."""


@extend_schema_field(
    {
        **_BY_WORD,
        "additionalProperties": {"type": "number", "minimum": -HIGHEST_OWN, "maximum": HIGHEST_OWN},
    }
)
class OwnField(ObjectField):
    """Numbers by name."""


@extend_schema_field(
    {
        "oneOf": [
            {
                **_BY_WORD,
                "additionalProperties": {
                    "type": ["number", "null"],
                    "minimum": 0,
                    "maximum": HIGHEST_LATENCY,
                },
            },
            _list_of(_WORD),
        ]
    }
)
class LatenciesField(serializers.JSONField):
    """Regions with latencies, or regions alone."""


@extend_schema_field({"type": "string", "maxLength": LONGEST_CHARACTER, "pattern": PRINTABLE})
class CharacterNameField(TextField):
    """The name of a character; empty for none."""


@with_fields({part.name: _words(part.ticket_help) for part in PREFERENCES["maps"].parts})
class MapsBody(Body):
    """Maps of the queue, by name."""


class ChoiceBody(Body):
    """What another member of the party has chosen."""

    member = WholeField(help_text="The other player's id, as in the party's `members`.")
    character = CharacterNameField(required=False, allow_blank=True)
    roles = _words("Roles the member would take.")


def field_of(preference: PreferenceDeclaration) -> serializers.Field[Any, Any, Any, Any]:
    """The field in which a body has a preference."""
    words = preference.ticket_help
    match preference.kind:
        case PreferenceKind.WORDS:
            return _words(words)
        case PreferenceKind.LANGUAGES:
            child = TextField(allow_blank=True)
            return LanguagesField(child=child, required=False, help_text=words)
        case PreferenceKind.LATENCIES:
            return LatenciesField(required=False, help_text=words)
        case PreferenceKind.MAPS:
            return MapsBody(required=False)


@with_fields({name: field_of(preference) for name, preference in PREFERENCES.items()}, before="own")
class TicketBody(PlayerBody):
    """Who wants to play where, and how."""

    queue = ShortNameField(help_text="Short name of the queue.")
    party = WholeField(
        required=False, help_text="Id of the party that the player leads: then all of it searches."
    )
    own = OwnField(
        child=NumberField(),
        required=False,
        help_text="Numbers that the game's own conditions read.",
    )
    character = CharacterNameField(
        required=False,
        allow_blank=True,
        help_text="Chosen before the search: hidden from opponents until all have accepted.",
    )
    roles = _words("Roles of the queue that the player would take. None: any.")
    partner = TruthField(
        default=False,
        help_text="A partner of the game is wanted if nobody comes, where the queue has such.",
    )
    members = ListOfField(
        child=ChoiceBody(),
        required=False,
        max_length=100,
        help_text="What the party's other members have chosen; left out: what each has asked for on the site.",
    )


def others_in(given: Mapping[str, Any], queue: Queue, *, by_player: bool) -> dict[int, Choice]:
    """What the other members of a party have chosen, by their ids; `by_player`: as another player says."""
    if "members" in given:
        return {
            one["member"]: Choice(
                one.get("character", ""), one.get("roles", ()), ("members", index), by_player
            )
            for index, one in enumerate(given["members"])
        }
    if given.get("party") is None:
        return {}
    members = PartyMember.objects.filter(party=given["party"], live=True)
    return choices_of(members.values_list("player", flat=True), queue)

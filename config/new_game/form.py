"""The questions, in sections of a page; each says what its answers mean."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.new_game.make import WantedGame
from matchmaking.pairing.settings.defaults import usual_for
from matchmaking.queues.defaults import Expected, widening_for
from matchmaking.queues.rescale import untold_figures
from ratings import systems
from ratings.admin.fields import RangedFloat, RangedInteger
from ratings.models import Mode
from ratings.wording import say, span_in_words, system_name, system_purpose

__all__ = ["Form", "Section"]

_OTHER = "other"
_SHORTEST, _LONGEST = 1 / 86_400, 36_525.0


class MatchFormat(models.TextChoices):
    """How many meet in a match."""

    DUEL = "duel", gettext_lazy("One against one")
    TEAMS = "teams", gettext_lazy("Two teams")
    EVERYBODY = "everybody", gettext_lazy("Everybody for themselves")


_FORMAT_HELP = gettext_lazy(
    "Is one side better, as white in chess or the team at home? Then name it first with each match: what a side is"
    " worth is learned from the matches, and the weaker side gets it."
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its title, what to know before answering, and its fields."""

    name: str
    title: str
    words: str
    fields: list[forms.BoundField]


def _systems() -> list[tuple[str, str]]:
    return [(name, f"{system_name(name)}: {system_purpose(name)}") for name in systems.names()]


class Form(forms.Form):
    """What is asked. `makes_keys`: whether who answers may make keys."""

    game_name = forms.CharField(label=gettext_lazy("Name of the game"), max_length=120)
    game_slug = forms.SlugField(
        label=gettext_lazy("Short name of the game"),
        required=False,
        help_text=gettext_lazy("For addresses and programs. Empty: made from the name."),
    )
    ladder_name = forms.CharField(
        label=gettext_lazy("Name of the ladder"),
        max_length=120,
        help_text=gettext_lazy("Such as “Ranked duel”. A game may have several later."),
    )
    ladder_slug = forms.SlugField(
        label=gettext_lazy("Short name of the ladder"),
        required=False,
        help_text=gettext_lazy("Once on this site. Empty: made from both names."),
    )
    mode = forms.ChoiceField(
        label=gettext_lazy("Ratings"),
        widget=forms.RadioSelect,
        choices=[
            (Mode.RANKED, gettext_lazy("ranked: everybody sees them, on a leaderboard")),
            (Mode.NORMAL, gettext_lazy("normal: used to find fitting opponents, and never shown")),
        ],
        initial=Mode.RANKED,
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Who meets in a match"),
        widget=forms.RadioSelect,
        choices=MatchFormat.choices,
        initial=MatchFormat.DUEL,
        help_text=_FORMAT_HELP,
    )
    system = forms.ChoiceField(
        label=gettext_lazy("Rating system"),
        widget=forms.RadioSelect,
        choices=_systems,
        initial=systems.USUAL_FOR_DUELS,
    )
    period = forms.ChoiceField(
        label=gettext_lazy("Rating period"),
        widget=forms.RadioSelect,
        choices=[
            ("none", gettext_lazy("none: a rating moves after each match")),
            ("1", gettext_lazy("1 day")),
            ("7", gettext_lazy("7 days")),
            (
                "30",
                gettext_lazy("30 days: ratings stand still until then, the first ones too"),
            ),
            (_OTHER, gettext_lazy("another number of days")),
        ],
        initial="7",
    )
    has_queue = forms.BooleanField(
        label=gettext_lazy("Players search for matches here"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Leave it out where the game finds opponents by itself."),
    )
    expected = forms.ChoiceField(
        label=gettext_lazy("How many search at the same time?"),
        widget=forms.RadioSelect,
        choices=Expected.choices,
        initial=Expected.FEW,
        required=False,
        help_text=gettext_lazy("Of few, each has to take who is there; it can be changed later."),
    )
    key_name = forms.CharField(
        label=gettext_lazy("Name of the key"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("To tell it from others later. Empty: no key."),
    )

    def __init__(self, *args: Any, makes_keys: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        number = {"low": 2, "high": 100, "required": False}
        self.fields["team_size"] = RangedInteger(
            label=_("Players in a team"), initial=5, help_text=_("With two teams."), **number
        )
        self.fields["players"] = RangedInteger(
            label=_("Players in a match"),
            initial=4,
            help_text=_("With everybody for themselves."),
            **{**number, "low": 3},
        )
        self.fields["period_days"] = _optional(
            RangedFloat(
                label=_("Days"),
                low=_SHORTEST,
                high=_LONGEST,
                required=False,
                help_text=_("With another number of days: from 1/86,400 (a second) to 36,525."),
            )
        )
        for name in ("team_size", "players"):
            _optional(self.fields[name])
        self.fields["key_name"].initial = _("Game server")
        if not makes_keys:
            del self.fields["key_name"]

    def sections(self) -> Iterator[Section]:
        """The parts of the page in their order."""
        yield self._section("game", _("The game"), "", "game_name game_slug")
        yield self._section(
            "ladder",
            _("A ladder"),
            _(
                "Matches of one kind that are compared with each other, and the rating of everybody in them."
            ),
            "ladder_name ladder_slug mode format team_size players",
        )
        yield self._section(
            "system",
            _("The rating system"),
            _(
                "How results become numbers. You need not decide for good: others can rate beside it, and be compared."
            ),
            "system",
        )
        yield self._section(
            "period",
            _("When ratings move"),
            _(
                "Games of one period are rated together, at its end. Until then nothing moves, so a first period of 30"
                " days means an empty leaderboard for 30 days. The length does not change later."
            ),
            "period period_days",
        )
        yield self._section(
            "queue",
            _("A queue"),
            _(
                "Where players search. Who has just begun meets players of about the same rating; with waiting, the"
                " gap widens. It is set to suit the rating system, and how many search."
            ),
            "has_queue expected",
        )
        if "key_name" in self.fields:
            yield self._section(
                "key",
                _("A key for the game's server"),
                _("With it the server calls the API. It is shown once, on the next page."),
                "key_name",
            )

    def _section(self, name: str, title: str, words: str, fields: str) -> Section:
        return Section(name, title, words, [self[field] for field in fields.split()])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        game, ladder = cleaned.get("game_name", ""), cleaned.get("ladder_name", "")
        for name, words in (("game_slug", game), ("ladder_slug", f"{game} {ladder}")):
            if name in cleaned and words.strip() and not cleaned[name]:
                cleaned[name] = slugify(words)[:50].strip("-_")
                if not cleaned[name]:
                    self.add_error(name, _("Nothing can be made from the name: give a short name."))
        team_count, team_size = self.shape(cleaned)
        if not self.errors.get("team_size") and team_size is None:
            self.add_error("team_size", _("How many players has a team?"))
        if not self.errors.get("players") and team_count is None:
            self.add_error("players", _("How many players has a match?"))
        is_open = cleaned.get("period") == _OTHER and cleaned.get("period_days") is None
        if is_open and not self.errors.get("period_days"):
            self.add_error("period_days", _("How many days? Give a number."))
        if cleaned.get("has_queue") and not cleaned.get("expected"):
            self.add_error("expected", _("How many search at the same time?"))
        self._check_system(cleaned)
        return cleaned

    def _check_system(self, cleaned: dict[str, Any]) -> None:
        """Refuse a system that cannot rate such matches, or not so often."""
        system, (teams, size) = cleaned.get("system"), self.shape(cleaned)
        if not system:
            return
        if not systems.declaration_of(system).can_rate(teams or 3, size or 2):
            can = [name for name in systems.names() if systems.declaration_of(name).takes_teams]
            words = {"system": system_name(system), "others": ", ".join(map(system_name, can))}
            told = _("%(system)s rates one against one only. These rate such matches: %(others)s.")
            self.add_error("system", told % words)
        if cleaned.get("period") == "none" and systems.declaration_of(system).is_period:
            told = _("%(system)s rates by period only: choose how many days one has.")
            self.add_error("period", told % {"system": system_name(system)})

    @staticmethod
    def shape(values: dict[str, Any]) -> tuple[int | None, int | None]:
        """How many teams of how many players; None for what is not said."""
        match values.get("format"):
            case MatchFormat.TEAMS:
                return 2, values.get("team_size")
            case MatchFormat.EVERYBODY:
                return values.get("players"), 1
        return 2, 1

    @property
    def period_days(self) -> float | None:
        """Of what was checked."""
        period = self.cleaned_data["period"]
        if period == "none":
            return None
        days: float = self.cleaned_data["period_days"] if period == _OTHER else float(period)
        return days

    def wanted(self) -> WantedGame:
        """What was chosen, of a form that is valid."""
        said, (teams, size) = self.cleaned_data, self.shape(self.cleaned_data)
        return WantedGame(
            **{name: said[name] for name in ("game_name", "game_slug", "ladder_name")},
            ladder_slug=said["ladder_slug"],
            mode=said["mode"],
            team_count=teams or 2,
            team_size=size or 1,
            system=said["system"],
            period_days=self.period_days,
            expected=Expected(said["expected"]) if said["has_queue"] else None,
            key_name=said.get("key_name", ""),
        )

    def foreseen(self) -> list[str]:
        """What players will see and how they will meet, in sentences, as far as the answers tell."""
        self.is_valid()
        said, system = self.cleaned_data, self.cleaned_data.get("system")
        told = [str(words) for name in ("system", "period") for words in self.errors.get(name, ())]
        is_open = said.get("period") == _OTHER and said.get("period_days") is None
        if system and "period" in said and not is_open:
            told.append(_period_in_words(self.period_days))
        if system and said.get("has_queue") and said.get("expected") and "format" in said:
            is_duel = said["format"] == MatchFormat.DUEL
            usual = usual_for(systems.create(system), is_duel=is_duel)
            gaps, _settings = widening_for(usual, Expected(said["expected"]))
            words = _(
                "Who has just begun to search meets players at most %(start)s points apart, and for every second of"
                " waiting %(more)s points further."
            )
            points = {"start": say(gaps["gap_start"]), "more": say(gaps["gap_per_second"])}
            told.append(words % points)
        if system and said.get("has_queue"):
            told += untold_figures(system)
        return told


def _optional(field: forms.Field) -> forms.Field:
    """A number that may be left out: then there is no range to hold it against."""
    check = field.clean
    field.clean = lambda value: None if value in field.empty_values else check(value)  # type: ignore[method-assign]
    return field


def _period_in_words(days: float | None) -> str:
    if days is None:
        return _("Your players see a new rating after each match.")
    if days == 1:
        return _("Your players see a new rating every day. In between ratings stand still.")
    words = _(
        "Your players see a new rating every %(span)s. In between ratings stand still, and the first ones come when the"
        " first period is over."
    )
    return words % {"span": span_in_words(days)}

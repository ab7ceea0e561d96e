"""What was counted on game servers, and who is best by frags alone."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape

__all__ = ["PlayerStatisticsShape", "StaticRankingShape", "StatisticsShape"]


class FragCountsShape(Shape):
    """What was done in matches that are over. Whatever guests have a part in is left out."""

    matches = serializers.IntegerField()
    frags = serializers.IntegerField()
    deaths = serializers.IntegerField(help_text="By the frags of others.")
    suicides = serializers.IntegerField()
    minutes = serializers.FloatField(help_text="Time of play.")
    ratio = serializers.FloatField(
        help_text="Frags for each death, of which there is one at least."
    )
    per_hour = serializers.FloatField(allow_null=True, help_text="Frags; null: no time is known.")


class PlayerCountsShape(Shape):
    """A player, and what it did."""

    player = PlayerRefShape()
    counts = FragCountsShape()


class WeaponShape(Shape):
    """A weapon, and the frags with it."""

    weapon = serializers.CharField(source="name")
    frags = serializers.IntegerField()


class MapShape(Shape):
    """A map, and what happened there."""

    map = serializers.CharField(source="name")
    matches = serializers.IntegerField()
    frags = serializers.IntegerField()


class StatisticsShape(Shape):
    """Figures of a game's servers, or of one of them."""

    game = serializers.CharField(help_text="Short name of the game.")
    server = serializers.CharField(allow_null=True, help_text="Short name; null: all of the game.")
    days = serializers.IntegerField(allow_null=True, help_text="null: all the time.")
    total = FragCountsShape(help_text="Of all players together; `minutes` too.")
    players = serializers.IntegerField(help_text="How many there are.")
    results = PlayerCountsShape(many=True, help_text="The first of them, as ordered.")
    weapons = WeaponShape(many=True, help_text="Most frags first, twelve at most.")
    maps = MapShape(many=True, help_text="Most matches first, twelve at most.")


class RivalShape(Shape):
    """Another player, and how many frags there were."""

    player = PlayerRefShape()
    frags = serializers.IntegerField()


class OnServerShape(Shape):
    """What a player did on a server."""

    server = serializers.CharField(source="server.slug", help_text="Its short name.")
    counts = FragCountsShape()
    played_at = serializers.DateTimeField(help_text="When the newest of its matches there began.")


class OnLadderShape(Shape):
    """What a player did on the servers of a ladder."""

    ladder = serializers.CharField(source="ladder.slug", help_text="Its short name.")
    total = FragCountsShape()
    servers = OnServerShape(many=True, help_text="Where the player fragged most first.")
    weapons = WeaponShape(many=True)
    maps = MapShape(many=True)
    victim = RivalShape(allow_null=True, help_text="Whom it fragged most; null: nobody.")
    nemesis = RivalShape(allow_null=True, help_text="Who fragged it most; null: nobody.")


class PlayerStatisticsShape(Shape):
    """What a player did on game servers, ladder by ladder."""

    results = OnLadderShape(many=True)


class RankedPlayerShape(Shape):
    """A player in its group."""

    place = serializers.IntegerField(help_text="In the group, from 1; equals share one.")
    player = PlayerRefShape()
    strength = serializers.FloatField(
        source="value",
        help_text="The difference of two is the difference of frags to expect of them, as a share of all between them.",
    )
    opponents = serializers.IntegerField(source="met", help_text="Opponents met.")
    frags = serializers.IntegerField()
    deaths = serializers.IntegerField()


class RankedGroupShape(Shape):
    """Players who can be compared with each other, best first, and with nobody else."""

    number = serializers.IntegerField(help_text="From 1; the largest group first.")
    players = serializers.IntegerField(help_text="How many are in it.")
    results = RankedPlayerShape(source="rows", many=True)


class StaticRankingShape(Shape):
    """A ranking by nothing but who fragged whom how often."""

    game = serializers.CharField(help_text="Short name of the game.")
    server = serializers.CharField(allow_null=True, help_text="Short name; null: all of the game.")
    days = serializers.IntegerField(allow_null=True, help_text="null: all the time.")
    core = serializers.IntegerField(
        allow_null=True, help_text="Frags that every two have between them; null: all are ranked."
    )
    pairs = serializers.ChoiceField(choices=("frags", "alike"))
    matches = serializers.IntegerField(help_text="The ranking is made of so many.")
    is_cut = serializers.BooleanField(
        help_text="There are older ones in these days, which are left out."
    )
    players = serializers.IntegerField(help_text="Ranked, in all groups.")
    group_count = serializers.IntegerField(
        help_text="Groups between which there is no frag. Numbers of two groups cannot be compared."
    )
    outside_core = serializers.IntegerField(help_text="Players who are left out.")
    misfit = serializers.FloatField(
        help_text="How far single pairs are from what the ranking says of them: root mean square."
    )
    groups = RankedGroupShape(many=True, help_text="With the first players, as many as asked for.")

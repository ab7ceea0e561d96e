"""What a sweep reads of waiting tickets: preferences as bits, and what was between their players."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.timekeeping import Deadlines
from matchmaking.models import Avoided, Conduct, ConductRules, Offer, Queue
from matchmaking.pairing import Tickets
from matchmaking.pairing.settings import Settings
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting
from matchmaking.sweep.traits import BITS
from ratings.systems.parameters import ParameterError
from ratings.tasks import rate_due_tracks
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db

LOOKS_AT_ALL = {
    "language": {"use": "must"},
    "region": {"use": "must"},
    "style": {"use": "must"},
    "rules": {"use": "must"},
    "maps": {"names": "Canyon; River; Moor"},
}


def make_asking_hall(players: int = 4, **more: Any) -> Hall:
    return make_hall(players, **{"settings": LOOKS_AT_ALL, **more})


def read(hall: Hall) -> Tickets:
    with hall.at_now():
        queue = Queue.objects.select_related("ladder").get(pk=hall.queue.pk)
        return read_waiting(PairingContext.of(queue), Deadlines(hall.now))


def sets(tickets: Tickets, trait: str) -> list[set[int]]:
    """The places of the bits of each ticket, who joined first first."""
    column = tickets.traits[trait][np.argsort(tickets.id)]
    return [{bit for bit in range(BITS) if value >> bit & 1} for value in column.tolist()]


class TestWords:
    def test_the_weightiest_gets_the_first_bit(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"languages": ["de", "en"]})
        hall.join(1, preferences={"languages": ["EN"]})
        hall.join(2, preferences={"languages": ["fr", "de", "en"]})
        hall.join(3)
        assert sets(read(hall), "languages") == [{0, 1}, {0}, {0, 1, 2}, set()]

    def test_styles_that_are_played_and_wanted_have_the_same_bits(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"styles": ["attack"], "styles_wanted": ["defence"]})
        hall.join(1, preferences={"styles": ["defence"]})
        tickets = read(hall)
        assert sets(tickets, "styles")[1] == sets(tickets, "styles_wanted")[0]
        assert sets(tickets, "styles")[0].isdisjoint(sets(tickets, "styles_wanted")[0])
        assert sets(tickets, "styles_wanted")[1] == set()

    def test_rules(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"rules": ["no items"]})
        hall.join(1, preferences={"rules": ["no items", "short"]})
        assert sets(read(hall), "rules") == [{0}, {0, 1}]

    @pytest.mark.parametrize("use", ["must", "prefer"])
    def test_of_too_many_the_lightest_share_a_bit_or_count_for_nothing(self, use: str) -> None:
        hall = make_asking_hall(7, settings={"language": {"use": use}})
        words = [f"x{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(80)]
        for number in range(4):
            hall.join(number, preferences={"languages": words[20 * number : 20 * number + 20]})
        hall.join(4, preferences={"languages": words[79:]})
        hall.join(5, preferences={"languages": ["de"]})
        hall.join(6, preferences={"languages": [f"y{word[1:]}" for word in words[:20]]})
        found = sets(read(hall), "languages")
        assert set().union(*found) == set(range(BITS))
        assert found[4:6] == [{0}, {1}]  # the only word of somebody each, so not among the lightest
        # Whoever shares no word with anybody never meets them for it: the oldest words count, the others wait.
        assert found[6:] == ([] if use == "must" else [{BITS - 1}])

    def test_a_few_with_many_words_do_not_keep_others_apart(self) -> None:
        hall = make_asking_hall(14, settings={"language": {"use": "must"}})
        codes = [f"{a}{b}" for a in "abcdefgh" for b in "klmnopqrst"]
        for number in range(12):
            start = 20 * (number % 4)
            hall.join(number, preferences={"languages": codes[start : start + 20]})
        for number in (12, 13):
            hall.join(number, preferences={"languages": ["is"]})
        found = sets(read(hall), "languages")
        assert found[12:] == [{0}, {0}]

    def test_invented_words_bring_nobody_together(self) -> None:
        hall = make_asking_hall(6, settings={"region": {"use": "must"}, "gap": {"use": "off"}})
        for number in range(4):
            invented = [f"r{20 * number + n}" for n in range(20)]
            hall.join(number, preferences={"regions": invented})
        hall.join(4, preferences={"regions": {"eu": 20}})
        hall.join(5, preferences={"regions": {"us": 20}})
        hall.wait(30)
        hall.sweep()
        assert not Offer.objects.exists()

    def test_maps_have_their_places_in_the_settings(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"maps": {"veto": ["Moor"], "like": ["Canyon", "River"]}})
        hall.join(1)
        tickets = read(hall)
        assert sets(tickets, "maps_vetoed") == [{2}, set()]
        assert sets(tickets, "maps_liked") == [{0, 1}, set()]

    def test_a_map_that_the_queue_has_no_longer_is_passed_over(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"maps": {"veto": ["River"]}})
        Queue.objects.update(settings={"maps": {"names": "Canyon; Moor"}})
        assert sets(read(hall), "maps_vetoed") == [set()]


class TestRegions:
    def test_latencies_by_region(self) -> None:
        hall = make_asking_hall()
        hall.join(0, preferences={"regions": {"eu": 35, "us": 120}})
        hall.join(1, preferences={"regions": ["eu"]})
        hall.join(2)
        tickets = read(hall)
        assert sets(tickets, "regions") == [{0, 1}, {0}, set()]
        latency = tickets.traits["latency"][np.argsort(tickets.id)]
        expected = [[35.0, 120.0], [np.nan, np.inf], [np.nan, np.nan]]
        np.testing.assert_array_equal(latency, expected)


class TestOnlyWhatIsLookedAt:
    def test_preferences_that_the_queue_ignores_are_not_read(self) -> None:
        hall = make_hall()
        hall.join(0, preferences={"languages": ["de"], "regions": ["eu"], "rules": ["short"]})
        assert not {"languages", "regions", "rules"} & set(read(hall).traits)

    def test_buckets_of_a_language_read_it(self) -> None:
        hall = make_hall(
            strategy="buckets", settings={"buckets": {"levels": "language: 5; anyone"}}
        )
        hall.join(0, preferences={"languages": ["de"]})
        assert sets(read(hall), "languages") == [{0}]

    def test_nothing_is_asked_where_nobody_wishes(self) -> None:
        hall = make_asking_hall()
        hall.join(0, 1)
        tickets = read(hall)
        assert not tickets.traits
        with CaptureQueriesContext(connection) as queries:
            read(hall)
        assert not any("wish" in query["sql"] for query in queries.captured_queries)


class TestTies:
    def test_whom_somebody_avoids(self) -> None:
        hall = make_hall(4)
        Avoided.objects.create(player=hall.players[0], avoided=hall.players[2])
        Avoided.objects.create(player=hall.players[0], avoided=hall.players[3])
        hall.join(0, 1, 2)
        tickets = read(hall)
        ties = tickets.ties["avoided"]
        pairs = tickets.player[np.stack((ties.one, ties.other))]
        assert set(pairs.ravel().tolist()) == {hall.players[0].pk, hall.players[2].pk}
        assert ties.value.tolist() == [1.0]

    def test_who_avoids_a_member_of_his_own_party_plays_all_the_same(self) -> None:
        hall = make_hall(4, team_size=2)
        Avoided.objects.create(player=hall.players[0], avoided=hall.players[1])
        hall.join_together(0, 1)
        assert len(read(hall).ties["avoided"]) == 0

    def test_a_match_just_played_fades_with_the_minutes(self) -> None:
        hall = make_hall(4, heartbeat_seconds=3600, settings={"rematch": {"minutes": 10}})
        match = hall.put_into_match(0, against=1)
        match.participants.update(playing=False)
        hall.join(0, 1, 2)
        assert read(hall).ties["met"].value.tolist() == [1.0, 1.0]  # each met the other
        hall.wait(450)
        tickets = read(hall)
        ties = tickets.ties["met"]
        assert ties.value.tolist() == [0.25, 0.25]
        assert tickets.player[[ties.one[0], ties.other[0]]].tolist() == [
            hall.players[0].pk,
            hall.players[1].pk,
        ]
        hall.wait(150)
        assert len(read(hall).ties["met"]) == 0

    def test_only_the_last_match_of_somebody_counts(self) -> None:
        hall = make_hall(4)
        for against in (1, 2):
            match = hall.put_into_match(0, against=against)
            match.participants.update(playing=False)
        hall.join(0, 2)
        assert len(read(hall).ties["met"]) == 2
        hall.cancel(2)
        hall.put_into_match(2, against=3).participants.update(playing=False)
        hall.join(2)
        assert (
            len(read(hall).ties["met"]) == 1
        )  # the last match of one of them, though not of the other

    def test_partners_may_meet_again(self) -> None:
        hall = make_hall(4, team_size=2)
        match = hall.put_into_match(0, 1, against=[2, 3])
        match.participants.update(playing=False)
        hall.join(0, 1)
        assert len(read(hall).ties["met"]) == 0

    def test_off_is_off(self) -> None:
        hall = make_hall(settings={"avoided": {"use": "off"}, "rematch": {"use": "off"}})
        Avoided.objects.create(player=hall.players[0], avoided=hall.players[1])
        hall.join(0, 1)
        assert not read(hall).ties


class TestConduct:
    def test_scores_fade_by_half(self) -> None:
        hall = make_hall()
        at = hall.now - timedelta(days=14)
        Conduct.objects.create(player=hall.players[0], score=3.0, as_of=at)
        hall.join(0, 1)
        tickets = read(hall)
        assert tickets.traits["conduct"].tolist() == [1.5, 0.0]

    def test_how_fast_says_the_game_and_no_queue(self) -> None:
        hall = make_hall()
        ConductRules.objects.create(game=hall.ladder.game, half_life_days=7, like_from=2.5)
        at = hall.now - timedelta(days=14)
        Conduct.objects.create(player=hall.players[0], score=4.0, as_of=at)
        hall.join(0, 1)
        assert read(hall).traits["conduct"].tolist() == [1.0, 0.0]
        assert PairingContext.of(hall.queue).plan.high_conduct == 2.5
        for name in ("high", "half_life_days"):
            with pytest.raises(ParameterError):
                Settings.build("filters", {"conduct": {name: 1}})

    def test_a_party_counts_as_its_worst(self) -> None:
        hall = make_hall(4, team_size=2)
        Conduct.objects.create(player=hall.players[0], score=1.0, as_of=hall.now)
        Conduct.objects.create(player=hall.players[1], score=4.0, as_of=hall.now)
        hall.join_together(0, 1)
        assert read(hall).traits["conduct"].tolist() == [4.0]


class TestSeats:
    def test_roles_are_bits_by_their_place(self) -> None:
        hall = make_hall(4, team_size=2, settings={"teams": {"roles": "tank 1; healer 1"}})
        hall.join(0, roles=["healer"])
        hall.join(1, roles=["healer", "tank"])
        hall.join(2)
        assert read(hall).members.roles.tolist() == [2, 3, 0]

    def test_a_party_has_a_seat_for_each_and_its_leader_first(self) -> None:
        hall = make_hall(4, team_size=3)
        hall.join(3)
        hall.join_together(2, 0, 1)
        tickets = read(hall)
        assert tickets.player.tolist() == [hall.players[3].pk, hall.players[2].pk]
        assert tickets.members.sizes.tolist() == [1, 3]


class TestMapPoints:
    def test_newcomers_to_a_map_count_as_weaker_there(self) -> None:
        hall = make_hall(
            4,
            settings={"maps": {"names": "Canyon; River", "newcomer_points": 100, "known_after": 4}},
        )
        match = hall.put_into_match(0, against=3)
        match.participants.update(playing=False, rank=0)
        match.map, match.state, match.due_at = "River", "confirmed", None
        match.confirmed_at = hall.now
        match.save()
        rate_due_tracks()
        hall.join(0, 1)
        tickets = read(hall)
        assert tickets.traits["map_points"].tolist() == [[100.0, 75.0], [100.0, 100.0]]

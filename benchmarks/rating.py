"""The rating systems: games a second and memory, against riix, openskill, trueskill, elote, and the bare arithmetic.

100,000 players of uneven activity, 1,000,000 games, 5% of them drawn, 20 periods; 100,000 matches of five against
five; 50,000 of eight for themselves. Each measurement is a process of its own. Ours and the peers' take turns, three
times; the medians count. Slow peers rate the first games only; ours rate all once before they are timed. Beside the
systems by period runs what their equations take as bare NumPy, `benchmarks.engine.floor`, and beside those of two that
rate matches of eight the same rule as loops, `benchmarks.engine.plain`.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.engine.games import write_duels, write_everyone, write_teams
from benchmarks.figure import Figure
from benchmarks.peers.installing import PROJECT, peers_python

NAME = "rating"
NEEDS_SERVERS = False
ROUNDS, GAMES, TEAM_GAMES, TEAM_SIZE = 3, 1_000_000, 100_000, 5
EVERYONE_GAMES, EVERYONE = 50_000, 8
FLOOR = "the core's arithmetic alone"
PLAIN = "the same rule in plain Python"
PEERS = Path(__file__).parent / "peers" / "measure.py"


@dataclass(frozen=True)
class Case:
    """One of our systems, how it is run, and the peers with the number of games they rate.

    `has_floor`: its arithmetic alone is measured too, as one more peer; `plain_games`: of so many games also the same
    rule as a loop.
    """

    words: str
    system: str
    way: str
    peers: tuple[tuple[str, int], ...]
    has_floor: bool = False
    plain_games: int = 0

    @property
    def games(self) -> int:
        """How many games we rate."""
        if self.way.startswith("everyone"):
            return EVERYONE_GAMES
        return TEAM_GAMES if self.way == "teams" else GAMES


CASES = (
    Case("Elo, game by game", "elo", "instant", (("riix elo", 300_000), ("elote", 50_000))),
    Case("Glicko", "glicko", "period", (("riix glicko", 100_000),), has_floor=True),
    Case("Glicko-2", "glicko2", "period", (("riix glicko2", 50_000),), has_floor=True),
    Case(
        "TrueSkill, one against one",
        "trueskill",
        "instant",
        (("openskill", 20_000), ("trueskill", 4_000), ("riix trueskill", 50_000)),
    ),
    Case(
        "TrueSkill, five against five",
        "trueskill",
        "teams",
        (("openskill", 4_000), ("trueskill", 400)),
    ),
    Case("Elo, eight for themselves", "elo", "everyone", (), plain_games=EVERYONE_GAMES),
    Case(
        "Glicko, eight for themselves",
        "glicko",
        "everyone by period",
        (),
        plain_games=EVERYONE_GAMES,
    ),
)


def run() -> Iterator[Figure]:
    """Measure every case."""
    python = peers_python()
    with tempfile.TemporaryDirectory() as folder:
        duels, teams = Path(folder) / "duels.npz", Path(folder) / "teams.npz"
        write_duels(duels, GAMES)
        write_teams(teams, TEAM_GAMES, TEAM_SIZE)
        everyone = Path(folder) / "everyone.npz"
        write_everyone(everyone, EVERYONE_GAMES, EVERYONE)
        for case in CASES:
            is_of_many = case.way.startswith("everyone")
            games = everyone if is_of_many else teams if case.way == "teams" else duels
            yield from measure(case, python, games)


def measure(case: Case, python: Path, games: Path) -> Iterator[Figure]:
    """Ours and the peers' by turns."""
    ours: list[float] = []
    memory: list[float] = []
    names = [name for name, _ in case.peers] + [FLOOR] * case.has_floor
    names += [PLAIN] * bool(case.plain_games)
    theirs: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        seconds, peak = own(case, games)
        ours.append(case.games / seconds)
        memory.append(peak)
        for name, number in case.peers:
            theirs[name].append(number / peer(python, name, games, number))
        if case.has_floor:
            theirs[FLOOR].append(case.games / floor(case.system, games))
        if case.plain_games:
            theirs[PLAIN].append(case.plain_games / plain(case.system, games, case.plain_games))
    for name in names:
        yield Figure(
            name=f"rating: {case.words}",
            value=round(median(ours)),
            unit="games/s",
            peer=name,
            peer_value=round(median(theirs[name])),
        )
    yield Figure(name=f"rating: {case.words}, peak memory", value=round(max(memory)), unit="MB")


def own(case: Case, games: Path) -> tuple[float, float]:
    """Seconds and peak memory, in MB, of one of our systems."""
    module = ("-m", "benchmarks.engine.measure")
    words = _answer(sys.executable, *module, case.system, case.way, str(games)).split()
    return float(words[0]), float(words[1])


def floor(system: str, games: Path) -> float:
    """Seconds that the arithmetic of one of our systems takes alone."""
    return float(_answer(sys.executable, "-m", "benchmarks.engine.floor", system, str(games)))


def plain(system: str, games: Path, number: int) -> float:
    """Seconds that plain Python takes for the first games."""
    module = ("-m", "benchmarks.engine.plain")
    return float(_answer(sys.executable, *module, system, str(games), str(number)))


def peer(python: Path, name: str, games: Path, number: int) -> float:
    """Seconds that a peer takes for the first games."""
    return float(_answer(str(python), str(PEERS), name, str(games), str(number)))


def _answer(*command: str) -> str:
    done = subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout

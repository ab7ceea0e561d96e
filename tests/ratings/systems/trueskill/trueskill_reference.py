"""TrueSkill in 100 digits, message by message as the textbook has it, to compare with.

Normals are (precision, precision · mean). Nothing is shared with the fast computation but the
formulas of the paper.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import pairwise

__all__ = ["Member", "Settings", "moments", "rate_contest"]

DIGITS = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN)
PI = Decimal(
    "3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117068"
)
# A result that leaves no variance at all leaves this much of it.
POINT = Decimal("1e-40")


@dataclass(frozen=True)
class Member:
    value: float
    deviation: float
    stands: float = 1.0
    learned: float = 1.0


@dataclass(frozen=True)
class Settings:
    beta: float
    tau: float
    margin_per_root: float


def density(x: Decimal) -> Decimal:
    return (-x * x / 2).exp() / (2 * PI).sqrt()


def mills(y: Decimal) -> Decimal:
    """(1 - Φ(y)) / φ(y): a power series up to 6, a continued fraction beyond."""
    if y <= -6:
        return 1 / density(y) - mills(-y)
    if y < 6:
        total = term = y
        n = 1
        while abs(term) > Decimal("1e-110"):
            n += 2
            term = term * y * y / n
            total += term
        return (PI / 2).sqrt() * (y * y / 2).exp() - total
    fraction = Decimal(0)
    for n in range(260, 0, -1):
        fraction = n / (y + fraction)
    return 1 / (y + fraction)


def below(x: Decimal) -> Decimal:
    """Φ(x)."""
    return density(x) * mills(-x) if x < 0 else 1 - density(x) * mills(x)


def moments(t: float, margin: float, *, tied: bool) -> tuple[float, float, float, float]:
    """v, w, 1 - w and v + t·w, each rounded once."""
    with localcontext(DIGITS):
        exact = Decimal(t)
        mean, left = truncated(exact, Decimal(margin), tied=tied)
        return float(mean - exact), float(1 - left), float(left), float(mean - exact * left)


def truncated(t: Decimal, margin: Decimal, *, tied: bool) -> tuple[Decimal, Decimal]:
    """Mean and variance of N(t, 1) above the margin, or within it."""
    if not tied:
        x = t - margin
        v = 1 / mills(-x)
        return t + v, 1 - v * (v + x)
    if margin == 0:
        return Decimal(0), POINT
    t, sign = abs(t), -1 if t < 0 else 1
    a, b = -margin - t, margin - t
    mass = below(b) - below(a)
    shift = (density(a) - density(b)) / mass
    variance = 1 + (a * density(a) - b * density(b)) / mass - shift * shift
    return sign * (t + shift), variance


Message = tuple[Decimal, Decimal]
NOTHING: Message = (Decimal(0), Decimal(0))


def times(*messages: Message) -> Message:
    return sum((m[0] for m in messages), Decimal(0)), sum((m[1] for m in messages), Decimal(0))


def add_noise(message: Message, mean: Decimal, variance: Decimal) -> Message:
    """The message about x + N(mean, variance)."""
    if message[0] == 0:
        return NOTHING
    spread = 1 / message[0] + variance
    return 1 / spread, (message[1] / message[0] + mean) / spread


def negate(message: Message) -> Message:
    return message[0], -message[1]


def compare(left: Message, right: Message, margin: Decimal, *, tied: bool) -> Message:
    """What a result tells of left - right."""
    mean = left[1] / left[0] - right[1] / right[0]
    variance = 1 / left[0] + 1 / right[0]
    spread = variance.sqrt()
    centre, share = truncated(mean / spread, margin / spread, tied=tied)
    precision = 1 / (variance * share)
    return precision - 1 / variance, precision * centre * spread - mean / variance


def chain(priors: list[Message], margins: list[Decimal], tied: list[bool]) -> list[Message]:
    """What the results tell of each team's performance, once no message changes any more."""
    k = len(priors)
    from_above, from_below = [NOTHING] * k, [NOTHING] * k
    for _ in range(300):
        before = (list(from_above), list(from_below))
        for i in [*range(k - 1), *reversed(range(k - 1))]:
            left = times(priors[i], from_above[i])
            right = times(priors[i + 1], from_below[i + 1])
            told = compare(left, right, margins[i], tied=tied[i])
            from_below[i] = add_noise(told, right[1] / right[0], 1 / right[0])
            from_above[i + 1] = add_noise(negate(told), left[1] / left[0], 1 / left[0])
        if is_still(before[0], from_above) and is_still(before[1], from_below):
            break
    return [times(*pair) for pair in zip(from_above, from_below, strict=True)]


def is_still(before: list[Message], after: list[Message]) -> bool:
    return all(
        abs(x - y) <= Decimal("1e-16") * (abs(x) + abs(y))
        for pair in zip(before, after, strict=True)
        for x, y in zip(*pair, strict=True)
    )


def rate_contest(
    settings: Settings, teams: list[list[Member]], ranks: list[int]
) -> list[list[tuple[float, float]]]:
    """(mean, deviation) of every member afterwards."""
    with localcontext(DIGITS):
        return rate_exactly(settings, teams, ranks)


def rate_exactly(
    settings: Settings, teams: list[list[Member]], ranks: list[int]
) -> list[list[tuple[float, float]]]:
    order = sorted(range(len(teams)), key=lambda team: ranks[team])
    sums = [team_performance(settings, teams[i]) for i in order]
    priors = [(1 / variance, mean / variance) for mean, variance in sums]
    pairs = list(pairwise(order))
    unit = Decimal(settings.margin_per_root)
    margins = [unit * Decimal(len(teams[a]) + len(teams[b])).sqrt() for a, b in pairs]
    told = chain(priors, margins, [ranks[a] == ranks[b] for a, b in pairs])
    rated: list[list[tuple[float, float]]] = [[] for _ in teams]
    for team, message in zip(order, told, strict=True):
        rated[team] = [
            rate_member(settings, teams[team], place, message) for place in range(len(teams[team]))
        ]
    return rated


def team_performance(settings: Settings, team: list[Member]) -> tuple[Decimal, Decimal]:
    parts = [performance(settings, member) for member in team]
    return sum((m for m, _ in parts), Decimal(0)), sum((v for _, v in parts), Decimal(0))


def performance(settings: Settings, member: Member) -> tuple[Decimal, Decimal]:
    weight = Decimal(member.stands)
    variance = skill_variance(settings, member) + Decimal(settings.beta) ** 2
    return weight * Decimal(member.value), weight * weight * variance


def skill_variance(settings: Settings, member: Member) -> Decimal:
    return Decimal(member.deviation) ** 2 + Decimal(settings.tau) ** 2


def rate_member(
    settings: Settings, team: list[Member], place: int, told: Message
) -> tuple[float, float]:
    """The team's performance less those of the others is the member's, times what the member stands for.

    Of the way to what that says the member goes the share that was learned.
    """
    member = team[place]
    variance, weight = skill_variance(settings, member), Decimal(member.stands)
    if weight == 0:
        return member.value, float(variance.sqrt())
    others = team_performance(settings, team[:place] + team[place + 1 :])
    own = add_noise(told, -others[0], others[1])
    scaled = (own[0] * weight * weight, own[1] * weight)
    of_skill = add_noise(scaled, Decimal(0), Decimal(settings.beta) ** 2)
    after = times((1 / variance, Decimal(member.value) / variance), of_skill)
    way = Decimal(member.learned) / weight
    mean = Decimal(member.value) + way * (after[1] / after[0] - Decimal(member.value))
    return float(mean), float((variance + way * (1 / after[0] - variance)).sqrt())

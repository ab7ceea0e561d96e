"""One measured number."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A value with its unit and, where there is one, what it is compared with.

    `ratio` is value / peer_value, worked out here so that no benchmark words it differently.
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the peer's value; None without a peer."""
        return self.value / self.peer_value if self.peer_value else None

    def as_record(self) -> dict[str, str | float]:
        """The figure as a JSON object, without what it has not."""
        record = {**asdict(self), "ratio": self.ratio}
        return {name: value for name, value in record.items() if value is not None}

"""The table that the benchmark prints."""

import dataclasses


@dataclasses.dataclass
class Row:
    """One comparison: what `gallery` took of what the peer took."""

    case: str
    against: str
    # The ratio, and what it must not pass; None where no bound is set.
    ratio: float
    bound: float | None
    # What each side took, in words, and its connections or streams.
    ours: str
    theirs: str
    note: str = ""

    @property
    def is_met(self):
        return self.bound is None or self.ratio <= self.bound

    def cells(self):
        bound = "" if self.bound is None else f"{self.bound:g}"
        mark = "" if self.is_met else " (over)"
        # Two digits tell nothing of a hundredth that is a bit more or less than its bound.
        ratio = f"{self.ratio:.3f}" if self.ratio < 0.1 else f"{self.ratio:.2f}"
        return [self.case, self.against, ratio + mark, bound, self.ours, self.theirs]


HEAD = ["case", "against", "ratio", "at most", "gallery", "peer"]


def table(head, rows):
    """Lines of a table in Markdown, its columns aligned."""
    cells = [[str(cell) for cell in row] for row in [head, ["---"] * len(head), *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths))
        yield "| " + " | ".join(padded) + " |"

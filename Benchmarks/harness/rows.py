"""The table that the benchmark prints."""

import dataclasses


@dataclasses.dataclass
class Row:
    """One comparison of `gallery` with a peer."""

    case: str
    against: str
    # The ratio, and the bound that it must not exceed; None without a bound.
    ratio: float
    bound: float | None
    # The results of each side, in words, with its connections or streams.
    ours: str
    theirs: str
    note: str = ""

    @property
    def is_met(self):
        return self.bound is None or self.ratio <= self.bound

    def cells(self):
        bound = "" if self.bound is None else f"{self.bound:g}"
        mark = "" if self.is_met else " (over)"
        # Two digits are too few to compare a ratio of a few hundredths with its bound.
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

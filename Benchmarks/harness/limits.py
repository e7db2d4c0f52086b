"""The table of the counts that are allowed: a line for each case, with its bounds and the reason for its numbers."""

from harness.counts import COUNTED, LIBRARIES, OTHERS
from harness.setup import TOOLCHAIN

# The sum of the counted libraries, which decides.
SUM = "counted"
INSTRUCTIONS = [SUM, *LIBRARIES.values(), OTHERS]
RESOURCES = ["memory", "page faults", "switches", "system calls"]
MEASURES = [*INSTRUCTIONS, *RESOURCES]
BOUND, MEMORY_BOUND, WHY = "bound %", "memory bound %", "why"
COLUMNS = ["case", *MEASURES, BOUND, MEMORY_BOUND, WHY]
# The usual bounds, in percent. A line has a wider one where its own runs differ by more.
USUAL = {BOUND: "2", MEMORY_BOUND: "5", WHY: "the first count"}
# A count that is better by so many percent should become the new limit.
BETTER = 5

HEAD = """\
# The counts of Benchmarks/instructions: instructions in millions by library, and memory in MB. "counted" is the sum of
# {counted}. A run fails if "counted" or "memory" is more percent larger than the bound.
# Benchmarks/instructions --write changes the numbers and keeps the rest. If a number grows, say why in its line.
"""


class Limits:
    def __init__(self, path, versions):
        self.path, self.versions = path, versions
        self.lines, self.known = {}, {}
        text = path.read_text() if path.exists() else ""
        for line in filter(None, text.splitlines()):
            cells = line.split("\t")
            if cells[0] == "version":
                self.known[cells[1]] = cells[2]
            elif cells[0] != "case" and not line.startswith("#"):
                self.lines[cells[0]] = dict(zip(COLUMNS, cells))

    @property
    def differences(self):
        """The names whose versions differ from those of the table."""
        names = self.known.keys() | self.versions.keys()
        return sorted(name for name in names if self.known.get(name) != self.versions.get(name))

    @property
    def deciding(self):
        """The measures that can fail. Another compiler or processor makes other code of all. Other libraries change
        only their own instructions, and the memory."""
        if set(TOOLCHAIN) & set(self.differences):
            return []
        return ["gallery"] if self.differences else [SUM, "memory"]

    def change(self, case, measure, value):
        """The change since the table in percent; None without a number in the table."""
        known = float(self.lines.get(case, {}).get(measure) or 0)
        return (value / known - 1) * 100 if known else None

    def bound(self, case, measure):
        return float(self.lines[case][MEMORY_BOUND if measure == "memory" else BOUND])

    def over(self, case, found):
        """The deciding measures that are over their bounds."""
        return [
            measure for measure in self.deciding
            if measure in found and (change := self.change(case, measure, found[measure])) is not None
            and change > self.bound(case, measure)
        ]

    def better(self, case, found):
        changes = {measure: self.change(case, measure, found[measure]) for measure in self.deciding}
        return [measure for measure, change in changes.items() if change is not None and change <= -BETTER]

    def write(self, results):
        """Writes the numbers of some cases, and keeps the other lines."""
        for case, found in results.items():
            kept = self.lines.get(case, {})
            numbers = {measure: number(found[measure]) for measure in MEASURES}
            self.lines[case] = {"case": case, **USUAL, **kept, **numbers}
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(HEAD.format(counted=f"{', '.join(COUNTED[:-1])} and {COUNTED[-1]}"))
            for name, version in self.versions.items():
                file.write(f"version\t{name}\t{version}\n")
            for cells in [COLUMNS, *([line[column] for column in COLUMNS] for line in self.lines.values())]:
                file.write("\t".join(cells) + "\n")


def number(value):
    return f"{value:.1f}" if isinstance(value, float) else str(value)

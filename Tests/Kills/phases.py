"""The phases: the commands that are disturbed, and the libraries with which they begin."""
import dataclasses
from collections.abc import Callable

from .damage import damage, litter
from .library import Library
from .runs import DECODERS, KILL, PIPE, SIGNALS, TERMINALS, Disturbance

Command = tuple[str, ...]
_MOSTLY_KILLS = (*[KILL] * 14, *SIGNALS, *TERMINALS, PIPE)


def _nothing(_: Library):
    """Does not change the library."""


@dataclasses.dataclass(frozen=True)
class Phase:
    """A command, the library with which it begins, and the commands that complete it after disturbances.

    The commands in `before` make the library from version 1 of the site, and `change` then changes it. The
    command runs with version `version` of the site. The commands in `after` complete the work, by default the
    command itself. Undisturbed commands may end with the `statuses`. Words that begin with "/" are paths of
    the site.
    """
    name: str
    command: Command
    before: tuple[Command, ...] = ()
    change: Callable[[Library], None] = _nothing
    version: int = 1
    after: tuple[Command, ...] = ()
    statuses: frozenset[int] = frozenset({0})
    disturbances: tuple[Disturbance, ...] = _MOSTLY_KILLS
    # Whether the library has damaged pictures until the phase is complete.
    begins_damaged: bool = False
    # Whether the pictures of version 2 do not replace those of version 1.
    keeps_pictures: bool = False
    # Whether the command deletes images.
    deletes: bool = False
    # The most bytes of originals, of which a disturbed run may keep others than an undisturbed one; 0 for any number.
    bound: int = 0

    @property
    def completion(self) -> tuple[Command, ...]:
        return self.after or (self.command,)


def _sync(feed: str, *options: str) -> Command:
    return ("sync", f"/feeds/{feed}", *options)


# The name of the file that `show --output` writes, beside the library.
EXPORTED = "copy.png"
_FULL_SYNC = ("sync", "/feeds/list.json", "/feeds/shared.json", "--originals")
_REMOVAL = ("remove", "/feeds/list.json")
_PURGE = ("remove", "/feeds/tiny.json", "--purge")

PHASES = [
    Phase("a new library", _sync("few.json", "--originals")),
    Phase("a long document", _sync("long.xml", "--metadata-only")),
    Phase("a rewritten document", _sync("long.xml", "--metadata-only"),
          before=(_sync("long.xml", "--metadata-only"),), version=2),
    Phase("a rehearsal", _sync("long.xml", "--dry-run"),
          before=(_sync("long.xml", "--metadata-only"),), version=2),
    Phase("a long document whole", _sync("long.xml")),
    Phase("a rewritten document whole", _sync("long.xml"), before=(_sync("long.xml"),), version=2),
    Phase("pages of a document", _sync("pages.json", "--metadata-only")),
    Phase("thumbnails", _sync("named.xml")),
    Phase("made thumbnails", _sync("bare.xml"), disturbances=(*_MOSTLY_KILLS, *[DECODERS] * 3)),
    Phase("ended decoders", _sync("bare.xml"), disturbances=(DECODERS,)),
    Phase("small originals", _sync("list.json", "--originals")),
    Phase("large originals", _sync("large.json", "--originals")),
    Phase("several feeds", ("sync", "/feeds/list.json", "/feeds/pages.json", "/feeds/bare.xml",
                            "--originals")),
    Phase("changed pictures", _sync("live.json", "--originals"),
          before=(_sync("live.json", "--originals"),), version=2),
    Phase("deleted pictures", _sync("gone.json", "--originals"),
          before=(_sync("gone.json", "--originals"),), version=2, keeps_pictures=True),
    Phase("show --refresh of deleted pictures", ("show", "1", "3", "5", "7", "--refresh"),
          before=(_sync("gone.json", "--originals"),), version=2, keeps_pictures=True),
    Phase("everything anew", _sync("live.json", "--originals", "--force"),
          before=(_sync("live.json", "--originals"),), version=2),
    Phase("a moved feed", _sync("moved.json"), before=(_sync("moved.json"),), version=2,
          after=(_sync("moved.json"), _sync("moved.json"), ("clean", "--now"))),
    Phase("removing and syncing", _REMOVAL, before=(_FULL_SYNC,),
          after=(_REMOVAL, _sync("list.json", "--originals")), statuses=frozenset({0, 3})),
    Phase("purging", _PURGE, before=(_FULL_SYNC, _sync("tiny.json", "--originals")),
          after=(_PURGE, ("clean", "--now")), statuses=frozenset({0, 3}), deletes=True),
    Phase("cleaning", ("clean", "--now"),
          before=(_FULL_SYNC, _sync("tiny.json", "--originals"), _REMOVAL,
                  ("remove", "/feeds/tiny.json")),
          change=litter, deletes=True),
    Phase("verifying", ("verify",), before=(_FULL_SYNC, _sync("bare.xml"))),
    Phase("repairing", ("verify", "--repair"), before=(_FULL_SYNC, _sync("bare.xml")),
          # A picture may still be wanted although its file is repaired, so a sync fetches it.
          change=damage, after=(("verify", "--repair", "--restart"), _FULL_SYNC), begins_damaged=True,
          statuses=frozenset({0, 2}),
          disturbances=(*_MOSTLY_KILLS, DECODERS, DECODERS)),
    Phase("show", ("show", "1"), before=(_sync("large.json"),)),
    Phase("show --json", ("show", "2", "--json"), before=(_sync("large.json"),)),
    Phase("show --output", ("show", "1", "--output", EXPORTED, "--force"),
          before=(_sync("large.json"), ("show", "1"))),
    Phase("show --refresh", ("show", "1", "3", "5", "7", "--refresh"),
          before=(_sync("live.json", "--originals"),), version=2,
          disturbances=(*_MOSTLY_KILLS, *TERMINALS)),
    Phase("giving way", ("show", "1", "--keep", "2M"), before=(_FULL_SYNC,), deletes=True, bound=2 << 20),
    Phase("keeping the newest", _sync("list.json", "--originals"),
          before=(_FULL_SYNC, ("feeds", "set", "/feeds/list.json", "--keep", "7",
                              "--keep-originals", "3")),
          after=(_sync("list.json", "--originals"), ("clean", "--now")), deletes=True),
    Phase("list", ("list",), before=(_sync("long.xml", "--metadata-only"), _sync("bare.xml")),
          disturbances=(KILL, PIPE, PIPE, PIPE, *TERMINALS, *TERMINALS, *SIGNALS)),
    Phase("list --json", ("list", "--json"), before=(_sync("long.xml", "--metadata-only"),),
          disturbances=(KILL, PIPE, PIPE, PIPE, *SIGNALS)),
]

"""Runs gallery beside the programs of others, as its users do, and looks at what is promised.

Each part starts all that it needs on loopback, and ends it. A part whose program is missing says so; it has not
passed. The parts that take a few seconds are quick.
"""
import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time
import traceback

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(CHECKOUT / "Tests/Cluster"), str(CHECKOUT / "Tests/Objects")]

import programs

from . import clocks, earlier, proxies, sockets, standby, stores
from .gallery import Missing, Wrong

# Each part, whether it is quick, and the most seconds that it may take.
PARTS = {
    "earlier-libraries": (earlier.opens, True, 120),
    "standby-synchronous": (standby.synchronous, False, 240),
    "standby-lost-seconds": (standby.lost_seconds, False, 240),
    "sockets": (sockets.activated, True, 120),
    "nginx": (proxies.behind(proxies.nginx), False, 240),
    "caddy": (proxies.behind(proxies.caddy), False, 240),
    "cache-of-nginx": (proxies.cache, False, 300),
    "clocks-of-nodes": (clocks.nodes, False, 240),
    "store-moto": (stores.of(stores.moto), False, 300),
    "store-localbucket": (stores.of(stores.localbucket), False, 300),
    "store-seaweedfs": (stores.of(stores.seaweedfs), False, 300),
}


def run(name: str) -> str:
    """Runs a part, prints its result, and returns "passed", "missing" or "failed"."""
    function, _, seconds = PARTS[name]

    def late(*_):
        raise Wrong(f"not ended after {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    begin = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix=f"gallery-beside-{name}-", ignore_cleanup_errors=True) as folder:
            # Servers may run as another user.
            os.chmod(folder, 0o755)
            said, result = function(pathlib.Path(folder)), "passed"
    except Missing as error:
        said, result = f"there is no program '{error}'", "missing"
    except Wrong as error:
        said, result = str(error), "failed"
    except (Exception, SystemExit):
        said, result = traceback.format_exc(), "failed"
    finally:
        signal.alarm(0)
    print(f"{name}: {result} in {time.monotonic() - begin:.1f} s{': ' if said else ''}{said}", flush=True)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/beside", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the parts and end")
    parser.add_argument("--long", action="store_true", help="run all parts, not only the quick ones")
    parser.add_argument("part", nargs="*", help="only parts whose names contain this")
    options = parser.parse_args()
    if options.list:
        for name, (function, is_quick, _) in PARTS.items():
            print(f"{name}{' (quick)' if is_quick else ''}: {function.__doc__.splitlines()[0]}")
        return 0
    names = [name for name, (_, is_quick, _) in PARTS.items()
             if any(part in name for part in options.part) or not options.part and (options.long or is_quick)]
    if not names:
        sys.exit("there is no such part: see --list")
    programs.path("gallery")
    # Exit normally, so that servers are stopped, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    results = [run(name) for name in names]
    print(", ".join(f"{results.count(kind)} {kind}" for kind in ("passed", "missing", "failed")))
    return 1 if "failed" in results else 0


if __name__ == "__main__":
    sys.exit(main())

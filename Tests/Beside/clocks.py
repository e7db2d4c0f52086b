"""Nodes whose clocks are wrong, with a library in PostgreSQL."""
import contextlib
import pathlib
import signal
import time

from postgres import Server, address

from .gallery import Feed, Gallery, Site, check, clock, need

HOUR = 3_600


def nodes(folder: pathlib.Path) -> str:
    """The clock of the database's server counts: nothing is early, late, or asked twice."""
    need("faketime", "psql")
    server, site = Server(folder / "server"), Site(folder)
    server.make()
    server.start()
    try:
        with clock("+1h") as fast, clock("-1h") as slow:
            clocks = {"right": {}, "fast": fast, "slow": slow}
            machines = {name: Gallery(address(server), folder / name, **variables)
                        for name, variables in clocks.items()}
            follow(folder, server, site, machines)
            sessions(machines)
    finally:
        server.stop(signal.SIGQUIT)
        site.stop()
    return ""


def ahead(server: Server, column: str, table: str, where: str) -> int:
    """How many seconds a time of the library is ahead of the present, by the clock of the database's server."""
    return int(server.sql(f"SELECT {column} - now_seconds() FROM {table} WHERE {where}")[0])


def follow(folder: pathlib.Path, server: Server, site: Site, machines: dict[str, Gallery]) -> None:
    for name, machine in machines.items():
        Feed(folder, name + "-feed").write({number: f"{name} {number}" for number in range(3)})
        feed = f"{site.address}/{name}-feed/feed.json"
        machine.run("sync", "--allow-private", "--quiet", feed)
        machine.run("feeds", "set", feed, "--every", "30m")
        known = f"address = '{feed}'"
        image = f"id = (SELECT min(image.id) FROM image JOIN feed ON feed.id = feed_id WHERE feed.{known})"
        machine.run("pin", server.sql(f"SELECT id FROM image WHERE {image}")[0])
        for column, table, where in [("added_at", "feed", known), ("synced_at", "feed", known),
                                     ("first_seen_at", "image", image), ("pinned_at", "pin", f"image_{image}")]:
            seconds = ahead(server, column, table, where)
            check(abs(seconds) < 120, f"{column} of the node with the {name} clock is {seconds} s ahead")

        # A feed that asks for a pause gets it.
        busy = f"/{name}-busy.json"
        site.refusals[busy] = 429, {"Retry-After": "900"}
        machine.run("sync", "--allow-private", "--quiet", site.address + busy, status=None)
        pauses = server.sql("SELECT coalesce(max(next_sync_at) - now_seconds(), -1) FROM feed"
                            f" WHERE address LIKE '%{busy}'") + \
            server.sql("SELECT coalesce(max(paused_until) - now_seconds(), -1) FROM host")
        check(any(780 < int(pause) <= 901 for pause in pauses), f"pauses of the {name} clock: {pauses}")
        server.sql("DELETE FROM host")
        server.sql(f"UPDATE feed SET is_paused = true WHERE address LIKE '%{busy}'")

    # All feeds have just been asked, and are due in half an hour.
    server.sql("UPDATE feed SET due_at = now_seconds() + 1800, next_sync_at = NULL")
    for machine in machines.values():
        machine.run("sync", "--quiet", status=None)
    asked = len(site.asked)
    watching = [machine.start("sync", "--watch", "--quiet") for machine in machines.values()]
    time.sleep(6)
    for process in watching:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    again = site.asked[asked:]
    check(not again, f"asked again: {again}")
    # After half an hour, one of the nodes asks each feed, and the others do not.
    server.sql("UPDATE feed SET due_at = now_seconds() - 1 WHERE NOT is_paused")
    asked = len(site.asked)
    watching = [machine.start("sync", "--watch", "--quiet") for machine in machines.values()]

    def times(name: str) -> int:
        return [path for path, _ in site.asked[asked:]].count(f"/{name}-feed/feed.json")

    end = time.monotonic() + 300
    while time.monotonic() < end and not all(times(name) for name in machines):
        time.sleep(0.1)
    # By then, each node has had the time to ask again.
    time.sleep(6)
    for process in watching:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    for name in machines:
        check(times(name) == 1, f"the feed of the node with the {name} clock was asked {times(name)} times")


def sessions(machines: dict[str, Gallery]) -> None:
    """Sessions and cursors of one node hold on the others."""
    right = machines["right"]
    with contextlib.ExitStack() as stack:
        for machine in machines.values():
            folders = list((machine.home / "data/gallery/databases").iterdir())
            check(len(folders) == 1, f"the folders of a node: {folders}")
            token = folders[0] / "server-token"
            if machine is right:
                secret = right_token(right)
            token.unlink(missing_ok=True)
            token.write_text(secret)
            token.chmod(0o600)
            machine.serve()
            stack.callback(machine.stop)
        cursors = set()
        for machine in machines.values():
            status, fields, _ = machine.ask(f"/?token={machine.token}", token="", Accept="text/html",
                                            Sec_Fetch_Mode="navigate")
            cookie = fields.get("Set-Cookie", "").partition(";")[0]
            check(status in (302, 303) and cookie, f"no session: {status}")
            for other in machines.values():
                status, *_ = other.ask("/", token="", Cookie=cookie, Accept="text/html")
                check(status == 200, f"a session of another node: {status}")
            status, fields, body = machine.ask("/api/v1/changes?limit=1000")
            cursors.add(body.splitlines()[-1])
        check(len(cursors) == 1, f"cursors: {cursors}")


def right_token(machine: Gallery) -> str:
    machine.serve()
    machine.stop()
    return machine.token

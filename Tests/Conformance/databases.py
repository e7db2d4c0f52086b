"""Poolers between `gallery` and PostgreSQL."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

from stores import free_port

for name in ("Cluster", "Objects"):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / name))


def pgbouncer(tools):
    """In session mode, and in the modes that PostgreSQL's prepared statements do not survive."""
    return pooled(tools, ["session", "transaction", "statement"])


def pooled(tools, modes):
    from postgres import PASSWORD, QUOTED, Server, as_owner, own

    # The server runs as another user.
    os.chmod(tools.folder, 0o755)
    server = Server(tools.folder / "server")
    server.make()
    server.start()
    tools.callback(lambda: server.stop(signal.SIGINT))
    images = []
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        tools.picture(f"site/{name}")
        images.append({"id": name, "title": name, "original": name})
    tools.write("site/list.json", json.dumps({"images": images}))
    for mode in modes:
        server.sql(f"CREATE DATABASE {mode}_library")
        port, folder = free_port(), tools.folder / mode
        folder.mkdir()
        own(folder)
        conf = tools.write(f"{mode}.ini", f"""[databases]
* = host=127.0.0.1 port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {tools.write('users', f'"gallery" "{PASSWORD}"')}
pool_mode = {mode}
default_pool_size = 20
ignore_startup_parameters = extra_float_digits
""")
        pooler = subprocess.Popen(
            as_owner("/usr/sbin/pgbouncer", "-q", str(conf)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        tools.callback(pooler.kill)
        library = ["--cache", f"postgresql://gallery:{QUOTED}@127.0.0.1:{port}/{mode}_library"]
        yield f"[{mode} mode]"
        for words, command in (
            ("a sync", ["sync", *library, f"{tools.address}/list.json"]), ("a sync again", ["sync", *library]),
            ("a list", ["list", *library, "--format", "{title}"]),
            ("a search", ["list", *library, "--search", "a.jpg", "--format", "{title}"]),
            ("a check", ["verify", *library]),
        ):
            found = subprocess.run(
                [tools.programs / "gallery", *command], capture_output=True, text=True, env=tools.environment,
                timeout=120,
            )
            yield f"{words}: status {found.returncode}"
            for line in tools.plain((found.stdout + found.stderr).splitlines()):
                # How much came, and how fast, is that of this run.
                yield "  " + re.sub(r"; [\d.]+ [KM]?i?B in .*", "", line.replace(str(port), "PORT"))
        pooler.terminate()
        pooler.wait(timeout=60)

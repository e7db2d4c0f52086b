"""What others write into the fields of proxies, for servers with and without one."""

import re

from .common import Run, part
from .processes import Server

EVIL = "evil.example"
PATHS = ["/", "/feeds", "/images/1", "/images.rss", "/images.json", "/images.atom", "/iiif/images/manifest.json",
         "/api/v1/images?limit=1", "/api/v1/openapi.json", "/frame"]
# Fields with which a client might choose the address in links, or its own address or name.
FIELDS = [
    {"X_Forwarded_Host": EVIL},
    {"X_Forwarded_Host": f"127.0.0.1, {EVIL}"},
    {"X_Forwarded_Host": f"{EVIL}, 127.0.0.1"},
    {"X_Forwarded_Proto": "javascript"},
    {"X_Forwarded_Proto": f"https://{EVIL}/?"},
    {"X_Forwarded_Prefix": f"//{EVIL}"},
    {"X_Forwarded_Prefix": f"/\\{EVIL}"},
    {"X_Forwarded_Port": "99999999999999999999"},
    {"X_Forwarded_For": "127.0.0.1, " * 400},
    {"X_Forwarded_For": "'; DROP TABLE image; --"},
    {"Forwarded": f"host={EVIL};proto=https"},
    {"Forwarded": f'host="{EVIL}";for="[::1]:99999";by=_x'},
    {"Forwarded": "for=" * 2_000},
    {"Forwarded": f'for=127.0.0.1;host="127.0.0.1", for=1.1.1.1;host={EVIL}'},
    {"X_Original_URL": "/api/v1/feeds", "X_Rewrite_URL": "/api/v1/feeds"},
    {"X_HTTP_Method_Override": "DELETE"},
    {"Origin": f"http://{EVIL}", "Referer": f"http://{EVIL}/"},
    {"Remote_User": "admin", "X_Remote_User": "admin", "X_Forwarded_User": "admin"},
]


def links(body: bytes) -> list[str]:
    """All addresses in an answer that name a host."""
    return re.findall(r"(?:https?:)?//[^\s\"'<>\\)]+", body.decode(errors="replace"))


def check_fields(run: Run, server: Server, what: str, **own: str):
    for fields in FIELDS:
        for path in PATHS:
            answer = server.ask(path, **own, **fields)
            run.among(answer.status, {200, 303, 400, 421}, f"{what} {fields} {path}")
            named = [link for link in links(answer.body) if EVIL in link] if answer.status == 200 else []
            run.equal(named, [], f"{what} {fields} {path}: links")
            place = answer.fields.get("location", "")
            run.check(EVIL not in place and "\\" not in place, f"{what} {fields} {path}: {place}")
            run.check(EVIL not in answer.fields.get("access-control-allow-origin", ""), f"{what} {fields} {path}: CORS")
        # The fields open nothing without a token.
        run.among(server.ask("/api/v1/images", token=None, **own, **fields).status, {400, 401, 421}, f"{what} {fields}")


@part
def strange_fields(run: Run):
    """Fields of proxies that a client writes itself change no link, no right and no redirect."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    check_fields(run, server, "without a proxy")
    run.bounded(server)


@part(long=True, seconds=120)
def trusted_proxies(run: Run):
    """A proxy's fields name only hosts that the server knows, and only the address that it trusts may set them."""
    library = run.library(run.site().address + "/feed/a/2", originals=True)
    other = run.serve(library, "--trusted-proxy", "192.0.2.1", "--user-header", "Remote-User")
    check_fields(run, other, "with another proxy")
    server = run.serve(library, "--trusted-proxy", "127.0.0.1", "--public-url", "https://photos.example/base/")
    for fields in FIELDS:
        for path in PATHS:
            answer = server.ask(path, **fields)
            named = [link for link in links(answer.body) if EVIL in link] if answer.status == 200 else []
            run.equal(named, [], f"with a proxy {fields} {path}: links")
            run.check(EVIL not in answer.fields.get("location", ""), f"with a proxy {fields} {path}: a redirect")
    run.equal(server.ask("/images.rss", X_Forwarded_Host=EVIL).status, 421, "a host of another site")
    named = links(server.ask("/images.rss", X_Forwarded_Host="photos.example").body)
    run.check(any(link.startswith("https://photos.example/base/") for link in named), f"a feed names {named[:3]}")
    # Wrong tokens of a client slow down only that client, whatever addresses it invents.
    for number in range(20):
        server.ask("/", token="wrong", X_Forwarded_For=f"198.51.100.{number}")
    run.equal(server.ask("/api/v1/images?limit=1", X_Forwarded_For="203.0.113.9").status, 200, "another client")
    run.bounded(server)

"""Tokens, the sessions of browsers, and what a token that is limited to a part of the library can learn."""
import base64
import concurrent.futures
import contextlib
import http.client
import json
import re
import subprocess
import time

import programs

from .common import Run, part
from .processes import Server, environment


def session(server: Server, token: str) -> str:
    """The cookie that a browser gets for a token."""
    return server.ask(f"/?token={token}", token=None).fields["set-cookie"].partition(";")[0]


def status(server: Server, cookie: str) -> int:
    return server.ask("/api/v1/images?limit=1", token=None, Cookie=cookie).status


@part
def sessions(run: Run):
    """A session works only unchanged, only as a cookie, and only while its token exists."""
    library = run.library(run.site().address + "/feed/a/2")
    server = run.serve(library)
    token = server.token("tv")
    cookie = session(server, token)
    name, _, value = cookie.partition("=")
    end, digest, code = value.split(".")
    run.equal(status(server, cookie), 200, "the session")
    admin = session(server, server.admin).partition("=")[2].split(".")
    changed = [f"{end}.{digest}.{code[:-1]}", f"{end}.{digest}.{code}0", f"{end}.{digest}.", f"{end}.{digest}",
               f"{int(end) + 1}.{digest}.{code}", f"+{end}.{digest}.{code}", f"0{end}.{digest}.{code}",
               f"{end}.{admin[1]}.{code}", f"{end}.{digest.upper()}.{code}", f"{end}.{digest}.{code.upper()}",
               f"{admin[0]}.{digest}.{admin[2]}", f".{digest}.{code}", f"9223372036854775807.{digest}.{code}", "",
               ".", "..", "." * 9_000, "é" * 500, token, server.admin, digest, f"{value}.x", f'"{value}"']
    for text in (f"a=b; {cookie}", ";;; " + cookie, "; ".join(f"c{n}={n}" for n in range(900)) + "; " + cookie):
        run.equal(status(server, text), 200, f"around the session: {text[:40]}")
    login = base64.b64encode(f"x:{value}".encode()).decode()
    for fields in ({"Authorization": f"Bearer {value}"}, {"Authorization": f"Basic {login}"},
                   {"Authorization": f"Bearer {digest}"}):
        run.equal(server.ask("/", token=None, **fields).status, 401, "a session in the place of a token")
    run.equal(server.ask(f"/?token={value}", token=None).status, 401, "a session as a parameter")
    run.equal(server.ask("/api/v1/sync", "POST", token=None, body=b"{}", Cookie=cookie,
                         Content_Type="application/json").status, 403, "a change with a reader's session")
    refused = [f"{name}={text}".encode().decode("latin-1") for text in changed]
    refused += [f"{name}=x; {cookie}", f"x{cookie}", cookie.replace("=", " =", 1), cookie.replace("=", "==", 1)]
    # Each wrong one waits for a second.
    with concurrent.futures.ThreadPoolExecutor(len(refused)) as pool:
        for text, found in zip(refused, pool.map(lambda text: status(server, text), refused)):
            run.equal(found, 401, f"a changed session: {text[:90]!r}")
    # A new token with the old name is another token.
    subprocess.run([programs.path("gallery"), "token", "remove", "tv"], env=environment(library), check=True)
    run.equal(status(server, cookie), 401, "the session of a removed token")
    server.token("tv")
    run.equal(status(server, cookie), 401, "the session after a token with the same name")
    other = run.serve(run.library(run.site().address + "/feed/a/1", name="other"))
    run.equal(status(other, session(server, server.admin)), 401, "the session of another library")


@part(long=True, seconds=120)
def many_sessions(run: Run):
    """Ten thousand sessions need no memory, and one request with many cookies no time."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    token = server.token("tv")
    before = server.memory_now
    visit = f"GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    for _ in range(run.number(4, 200)):
        with server.connect() as connection:
            connection.sendall(visit * 50)
            received = b""
            while received.count(b"HTTP/1.1 303") < 50:
                received += connection.recv(1 << 16)
    run.check(server.memory_now < before + 15, f"sessions took {server.memory_now - before:.0f} MB")
    begin = server.processor
    flood = "".join(f"Cookie: {'a=b;' * 100}\r\n" for _ in range(35))
    for _ in range(100):
        server.raw(f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{flood}\r\n".encode())
    run.check(server.processor - begin < 3, f"cookies took {server.processor - begin:.1f} s of a core")
    run.bounded(server)


@part(long=True, seconds=120)
def guesses(run: Run):
    """Wrong tokens are slowed down, and do not slow down other clients."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    wrong = ["", "x", "x" * 12_000, "é", "%00", "Bearer", server.admin[:-1], server.admin + "=", f'"{server.admin}"']
    fields = [{"Authorization": f"Bearer {text}".encode().decode("latin-1")} for text in wrong]
    fields += [{"Authorization": text} for text in ("Basic", "Basic ====", "Basic " + "A" * 9_000, "Digest x", "Bearer",
                                                    f"Token {server.admin}", f"Basic {server.admin}")]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        begin = time.monotonic()
        answers = [pool.submit(server.ask, "/", token=None, **each) for each in fields * 2]
        begin = time.monotonic()
        right = [server.ask("/api/v1/images?limit=1") for _ in range(20)]
        seconds = time.monotonic() - begin
        for answer in answers:
            run.equal(answer.result().status, 401, "a wrong token")
    run.check(all(answer.status == 200 for answer in right), "the right token is refused among wrong ones")
    run.note(f"a request among wrong tokens {seconds / 20 * 1000:.0f} ms")


@part(long=True)
def names(run: Run):
    """A token's name is a word, and its search has a letter or a digit."""
    library = run.library(run.site().address + "/feed/a/2")
    for name in ("", "admin", "a b", "../x", "a\nb", "a\x1b[31mb", "a\u202eb", "a/b", "a\u200bb", ".\u0000"[:1] + "/"):
        run.gallery(library, "token", "add", "--", name, status=None)
        listed = run.gallery(library, "token", "list").out
        run.equal(listed, "", f"the name {name!r}")
    for words in ("", "!!!", "🌊", '"', "***", "-", "\u202e", "\n", " ".join(map(str, range(5_000)))):
        command = run.gallery(library, "token", "add", "x", "--search", words, status=None)
        run.check(command.status != 0, f"the search {words[:20]!r} makes a token")
    run.gallery(library, "token", "add", "x", "--search", "picture")
    command = run.gallery(library, "token", "add", "x", status=None)
    run.check(command.status != 0, "a second token gets the same name")


@part(long=True)
def token_races(run: Run):
    """Of tokens that are made and removed at the same time, each that was printed is valid, and no removed one is."""
    library = run.library(run.site().address + "/feed/a/2")
    server = run.serve(library)
    count = run.number(12, 60)
    old = [server.token(f"old{number}") for number in range(count)]
    def change(number: int) -> str:
        if number % 2:
            subprocess.run([programs.path("gallery"), "token", "remove", f"old{number // 2}"],
                           env=environment(library), check=True)
            return ""
        return server.token(f"new{number}")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        added = [token for token in pool.map(change, range(2 * count)) if token]
    for token in added:
        run.equal(server.ask("/", token=token).status, 200, "a token that was printed")
    before = time.monotonic()
    wrong = [server.ask("/", token=token).status for token in old[:5]]
    run.equal(wrong, [401] * 5, "removed tokens")
    run.equal(len(run.gallery(library, "token", "list").out.splitlines()), count, "tokens in the list")
    run.check(time.monotonic() - before < 20, "a few removed tokens slow the server down")


@part
def scopes(run: Run):
    """A limited token learns nothing about the rest of the library from any address."""
    site = run.site()
    library = run.library(f"{site.address}/feed/open/3", f"{site.address}/feed/secret/3", originals=True)
    check_scopes(run, run.serve(library))


def check_scopes(run: Run, server: Server):
    """Asks a server with the feeds "open" and "secret" for the second one, with tokens that may see the first one."""
    hashes = {}
    for image in json.loads(server.ask("/api/v1/images").body)["images"]:
        described = json.loads(server.ask(f"/api/v1/images/{image['id']}").body)
        key = "secret" if "secret" in described["title"] else "open"
        hashes[key] = hashes.get(key, []) + [(image["id"], described["thumbnail"]["sha256"],
                                              described["original"]["sha256"])]
    feeds = {feed["title"].split()[-1]: feed["id"] for feed in json.loads(server.ask("/api/v1/feeds").body)["feeds"]}
    pack = json.loads(server.ask("/api/v1/tree/root").body)
    lists = ["/", "/search", "/feeds", "/frame", "/random", "/images.rss", "/images.atom", "/images.json",
             "/search.rss", "/iiif/images/manifest.json", "/iiif/search/manifest.json", "/api/v1/images",
             "/api/v1/timeline", "/api/v1/timeline/0", "/api/v1/changes", "/api/v1/feeds", "/metrics", "/api/v1/jobs/1",
             "/api/v1/tree/root", "/api/v1/tree/" + pack.get("hash", "0" * 64), "/api/v1/openapi.json"]
    queries = ["", "?q=secret", "?q=picture", "?q=*", '?q="secret"', "?q=open+OR+secret", "?q=%F0%9F%8C%8A", "?feed=",
               f"?feed={feeds['secret']}", "?q=s&sort=title", "?limit=1000&sort=added", "?part=&search=&scope="]
    paths = [path + query for path in lists for query in queries]
    for number, thumbnail, original in hashes["secret"]:
        paths += [f"/images/{number}", f"/api/v1/images/{number}", f"/images/{number}/original", f"/t/{thumbnail}",
                  f"/o/{original}", f"/api/v1/thumbnails?hashes={thumbnail}", f"/iiif/image/{original}/info.json",
                  f"/iiif/image/{original}/full/max/0/default.jpg", f"/iiif/image/{original}"]
    secret = feeds["secret"]
    paths += [f"/feeds/{secret}{end}" for end in ("", ".rss", ".json", ".atom")]
    paths += [f"/iiif/feeds/{secret}/manifest.json"]
    known = [text.encode() for image in hashes["secret"] for text in image[1:]]
    titles = [b"words of secret", b"Feed secret"]
    tokens = {"feed": server.token("feed", "--feed", str(feeds["open"])),
              "search": server.token("search", "--search", "open"),
              "both": server.token("both", "--feed", str(feeds["open"]), "--search", "picture")}
    for name, token in tokens.items():
        for path in paths:
            answer = server.ask(path, token=token)
            # A page repeats the words of a search.
            words = titles if "secret" in path else [*titles, *known, b"secret picture"]
            is_picture = b"PNG" in answer.body[:8] and any(text.decode() in path for text in known)
            run.check(answer.status < 500 and not any(text in answer.body for text in words) and not is_picture,
                      f"{name}: {path} {answer.status}")


@part(long=True)
def logins(run: Run):
    """A proxy's field logs in exactly the person that it names, also on a connection that others have used."""
    site = run.site().address
    library = run.library(f"{site}/feed/open/2", f"{site}/feed/secret/2", originals=True)
    server = run.serve(library, "--trusted-proxy", "127.0.0.1", "--user-header", "Remote-User")
    server.token("anna", "--search", "open")
    server.token("bob")
    server.token("old", "--expires", "1s")
    administrator = server.token("carl", "--admin")
    time.sleep(1.1)

    def status(*fields: str, method: str = "GET", path: str = "/api/v1/feeds") -> str:
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *fields, "", ""]
        return server.raw("\r\n".join(lines).encode("latin-1"))[9:12].decode()

    for fields, expected in {
        ("Remote-User: bob",): "200",
        ("Remote-User: anna",): "403",
        ("Remote-User: old",): "403",
        ("Remote-User: admin",): "403",
        ("Remote-User: BOB",): "403",
        ("Remote-User: anna", "Remote-User: bob"): "403",
        ("Remote-User: bob", "Remote-User: anna"): "403",
        ("Remote-User: anna,bob",): "403",
        ("Remote-User: bo\x00b",): "400",
        ("Remote-User : bob",): "400",
        ("Remote_User: bob",): "401",
        ("Remote-User: anna", f"Authorization: Bearer {administrator}"): "403",
    }.items():
        run.equal(status(*fields), expected, f"{fields}")
    body = ("Content-Type: application/json", "Content-Length: 0")
    foreign = ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site")
    for user in ("anna", "bob"):
        change = status(f"Remote-User: {user}", *body, method="POST", path="/api/v1/sync")
        run.equal(change, "403", f"a change by {user}")
    change = status("Remote-User: carl", *body, *foreign, method="POST", path="/api/v1/sync")
    run.equal(change, "403", "a change that another site asks for")
    hidden = [image["id"] for image in json.loads(server.ask("/api/v1/images?q=secret").body)["images"]]
    described = json.loads(server.ask(f"/api/v1/images/{hidden[0]}").body)
    for path in (f"/t/{described['thumbnail']['sha256']}", f"/o/{described['original']['sha256']}"):
        for token in (None, server.admin, administrator):
            first = {"Authorization": f"Bearer {token}"} if token else {"Remote-User": "bob"}
            found = on_one_connection(server, path, *[first] * 3, first | {"Remote-User": "anna"}, {})
            run.equal(found, [200, 200, 200, 404, 401], f"{path[:3]} after {list(first)}")


def on_one_connection(server: Server, path: str, *requests: dict[str, str]) -> list[int]:
    """The statuses of answers to requests with these fields."""
    found = []
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    with contextlib.closing(connection):
        for fields in requests:
            connection.request("GET", path, headers=fields)
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
    return found


@part
def tokens_in_paths(run: Run):
    """A token in a path of IIIF opens no more than its part, leads to no other route, and cannot be changed."""
    site = run.site().address
    library = run.library(f"{site}/feed/open/2", f"{site}/feed/secret/2", originals=True)
    server = run.serve(library)
    limited, whole = server.token("limited", "--search", "open"), server.token("whole")
    hashes = {}
    for image in json.loads(server.ask("/api/v1/images").body)["images"]:
        described = json.loads(server.ask(f"/api/v1/images/{image['id']}").body)
        hashes["secret" if "secret" in described["title"] else "open"] = described["original"]["sha256"]
    secret, shown = hashes["secret"], hashes["open"]

    def status(path: str, method: str = "GET") -> int:
        return server.ask(path, method, token=None).status

    run.equal(status(f"/iiif/~{limited}/image/{shown}/info.json"), 200, "an image of the part")
    for path in (f"~{limited}/image/{secret}/info.json",
                 f"~{limited}/image/{secret}/full/9,/0/default.jpg?token={whole}",
                 f"~{whole}/../api/v1/feeds", f"~{whole}/%2e%2e/api/v1/feeds", f"~{whole}//api/v1/feeds",
                 f"~{limited}/~{whole}/image/{secret}/info.json", f"~{whole}?/image/{secret}/info.json"):
        run.equal(status(f"/iiif/{path}"), 404, path)
    for path in (f"~{whole}%2Fimage/{secret}/info.json", f"~/image/{secret}/info.json", f"~./image/{secret}/info.json"):
        run.equal(status(f"/iiif/{path}"), 401, path)
    run.equal(status(f"/iiif/~{server.admin}/image/{shown}/info.json", "POST"), 401, "a change")
    manifest = server.ask(f"/iiif/~{limited}/images/manifest.json", token=None).body.decode()
    of_list, = set(re.findall("/iiif/~([^/\"]+)/", manifest))
    run.check(limited not in manifest, "the manifest has the token")
    run.equal(status(f"/iiif/~{of_list}/image/{shown}/info.json"), 200, "the token of the list")
    run.equal(status(f"/iiif/~{of_list}/image/{secret}/info.json"), 404, "the token of the list for another image")
    for path in ("/api/v1/changes", "/api/v1/events", "/api/v1/feeds", "/api/v1/tree/root", "/metrics"):
        run.equal(status(f"{path}?feed_token={of_list}"), 403, f"facts about feeds: {path}")
    places = range(0, len(of_list), run.number(40, 3))
    changed = [of_list[:at] + ("A" if of_list[at] != "A" else "B") + of_list[at + 1:] for at in places]
    # Each wrong one may wait for a second.
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        found = pool.map(lambda text: status(f"/iiif/~{text}/image/{shown}/info.json"), changed)
        run.equal([text for text, answer in zip(changed, found) if answer != 401], [], "changed tokens of the list")


@part(long=True)
def cameras(run: Run):
    """The words about cameras in a token or a request never show more than the part of the token."""
    site = run.site().address
    library = run.library(f"{site}/feed/open/2", f"{site}/feed/secret/2")
    server = run.serve(library)
    for number, words in enumerate(("camera:", "camera: ", "CAMERA:x", "camera:camera:", '"camera:', 'camera:""',
                                    "camera:!", "camera:%", "camera:_", "camera:*", "camera:'; DROP TABLE image; --",
                                    'camera:"\'" OR 1=1', 'camera:"" secret" open')):
        command = run.gallery(library, "token", "add", f"t{number}", "--search", words, status=None)
        if command.status != 0:
            continue
        token = command.out.strip()
        for query in ("", "?q=s", "?q=camera:", "?q=camera:x", "?q=camera:%22", "?sort=taken",
                      "?sort=taken&after=0.0.0"):
            for path in ("/api/v1/images", "/api/v1/timeline", "/search.rss", "/random"):
                answer = server.ask(path + query, token=token)
                run.check(answer.status < 500 and b"secret picture" not in answer.body, f"{words}: {path}{query}")
    limited = server.token("limited", "--search", "open")
    numbers = [str(1 << 63), str((1 << 63) - 1), str(-(1 << 63)), "0", "1e9", "x"]
    for order in ("newest", "oldest", "added", "taken", "title", "feed", "random"):
        for number in numbers:
            for cursor in (f"{number}.{number}.{number}", f"{number}.0.0.secret", f"0.{number}.3"):
                answer = server.ask(f"/api/v1/images?sort={order}&limit=1000&after={cursor}", token=limited)
                run.check(answer.status < 500 and b"secret picture" not in answer.body, f"{order} {cursor}")

"""Tokens, the sessions of browsers, and what a token that is limited to a part of the library can learn."""
import base64
import concurrent.futures
import json
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
    server = run.serve(library)
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

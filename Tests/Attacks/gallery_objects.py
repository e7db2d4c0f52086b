"""Object stores that fail, lie, have no end, or are those of somebody else."""

import hashlib
import json
import threading
import time
import urllib.parse

from Kills.pictures import picture

from .common import Run, part
from .galleries import check_sound
from .sites import Request

BUCKET = "s3://photos/o"
VARIABLES = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "S3CR3TW0RD", "AWS_REGION": "us-east-1"}


def entry(key: str, size: int, date: float) -> str:
    text = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(date))
    return f"<Contents><Key>{key}</Key><LastModified>{text}</LastModified><Size>{size}</Size></Contents>"


def listing(entries: str, is_whole: bool = True, more: str = "") -> str:
    return (
        f"<ListBucketResult><IsTruncated>{str(not is_whole).lower()}</IsTruncated>{more}{entries}"
        "</ListBucketResult>"
    )


class Store:
    """An object store in memory. `answer` may replace an answer: it gets the request, the key and the query, and
    returns whether it has answered."""

    def __init__(self, run: Run):
        self.objects: dict[str, tuple[bytes, float]] = {}
        self.answer, self._lock = None, threading.Lock()
        self._site = run.site(self._handle)
        self.variables = VARIABLES | {"AWS_ENDPOINT_URL": self._site.address}

    @property
    def requests(self) -> int:
        return len(self._site.requests)

    def _handle(self, request: Request):
        path, _, query = request.path.partition("?")
        key = urllib.parse.unquote(path.lstrip("/").partition("/")[2])
        values = dict(urllib.parse.parse_qsl(query))
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        if self.answer and self.answer(request, key, values):
            return None
        match request.command:
            case "PUT":
                return self._put(request, key, body)
            case "DELETE":
                self.objects.pop(key, None)
                return request.send(status=204)
        if "list-type" in values:
            return request.send(self.list(values), kind="application/xml")
        if key not in self.objects:
            return request.send("<Error><Code>NoSuchKey</Code></Error>", 404)
        return self._get(request, self.objects[key][0])

    def _put(self, request: Request, key: str, body: bytes):
        with self._lock:
            if request.headers.get("If-None-Match") == "*" and key in self.objects:
                return request.send("<Error><Code>PreconditionFailed</Code></Error>", 412)
            self.objects[key] = (body, time.time())
        request.send(ETag='"x"')

    def list(self, values: dict[str, str]) -> str:
        first, prefix = values.get("start-after", ""), values.get("prefix", "")
        keys = sorted(key for key in self.objects if key.startswith(prefix) and key > first)
        return listing("".join(entry(key, len(self.objects[key][0]), self.objects[key][1]) for key in keys))

    def _get(self, request: Request, data: bytes):
        if not (wanted := request.headers.get("Range")):
            return request.send(data, ETag='"x"')
        first = int(wanted.removeprefix("bytes=").partition("-")[0])
        last = min(int(wanted.rpartition("-")[2] or len(data)), len(data) - 1)
        request.send(data[first : last + 1], 206, ETag='"x"', Content_Range=f"bytes {first}-{last}/{len(data)}")


def filled(run: Run, count: int = 12) -> tuple:
    """A library whose store alone has most of its originals, the store, and the hashes of all originals."""
    store = Store(run)
    site = run.site()
    library = run.folder / "library"
    run.gallery(
        library,
        "sync",
        f"{site.address}/feed/a/{count}",
        "--originals",
        "--objects",
        BUCKET,
        "--keep",
        "200K",
        **store.variables,
    )
    run.equal(len([key for key in store.objects if key.startswith("o/o/")]), count, "objects")
    site.close()
    return library, store


def check_shown(run: Run, library, store: Store, count: int, what: str):
    """Each original must come from the store, and be the right one."""
    right = {hashlib.sha256(data).hexdigest() for data, _ in store.objects.values()}
    for number in range(1, count + 1):
        copy = run.folder / f"shown{number}.png"
        run.gallery(
            library, "show", str(number), "--output", str(copy), "--force", "--objects", BUCKET, **store.variables
        )
        run.check(
            copy.exists() and hashlib.sha256(copy.read_bytes()).hexdigest() in right, f"{what}: original {number}"
        )
        copy.unlink(missing_ok=True)


@part(long=True, seconds=200, long_seconds=600)
def wrong_objects(run: Run):
    """A store that changes, cuts, swaps or hides objects never gives a wrong picture; all come back with it."""
    library, store = filled(run)
    count = 12
    swapped = iter(range(1 << 30))

    def of_originals(send):
        def answer(request, key, values):
            if request.command != "GET" or not key.startswith("o/o/") or key not in store.objects:
                return False
            send(request, store.objects[key][0])
            return True

        return answer

    others = [data for key, (data, _) in sorted(store.objects.items()) if key.startswith("o/o/")]
    answers = {
        "a turned bit": lambda request, data: request.send(data[:-30] + bytes([data[-30] ^ 1]) + data[-29:]),
        "half": lambda request, data: request.send(data[: len(data) // 2]),
        "another object": lambda request, data: request.send(others[next(swapped) % len(others)]),
        "a page": lambda request, data: request.send("<html>log in</html>", kind="text/html"),
        "nothing": lambda request, data: request.send(b""),
        "no such object": lambda request, data: request.send("<Error><Code>NoSuchKey</Code></Error>", 404),
        "forbidden": lambda request, data: request.send("<Error><Code>AccessDenied</Code></Error>", 403),
        "a part": lambda request, data: request.send(
            data[5:], 206, Content_Range=f"bytes 5-{len(data) - 1}/{len(data)}"
        ),
        "a redirect to another place": lambda request, data: request.send(
            status=307, Location="http://169.254.169.254/x"
        ),
        "a redirect to a file": lambda request, data: request.send(status=302, Location="file:///etc/passwd"),
    }
    right = {hashlib.sha256(data).hexdigest() for data in others}
    for name, send in answers.items():
        store.answer = of_originals(send)
        for number in run.chance.sample(range(1, count + 1), 3):
            copy = run.folder / "copy.png"
            run.gallery(
                library,
                "show",
                str(number),
                "--output",
                str(copy),
                "--force",
                "--objects",
                BUCKET,
                status=None,
                seconds=100,
                **store.variables,
            )
            run.check(
                not copy.exists() or hashlib.sha256(copy.read_bytes()).hexdigest() in right,
                f"{name}: a wrong picture",
            )
            copy.unlink(missing_ok=True)
        store.answer = None
    check_shown(run, library, store, count, "after all")


@part(long=True, seconds=200)
def hostile_listings(run: Run):
    """A listing that is a bomb, or has no end, ends verify and clean within the bounds; nothing is deleted."""
    library, store = filled(run)
    bomb = "".join(f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 12))
    numbers = iter(range(10, 1 << 30))
    listings = {
        "entities": lambda values: f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{bomb}]>'
        + listing("<Contents><Key>&a11;</Key></Contents>"),
        "an entity of a file": lambda values: '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + listing("<Contents><Key>&f;</Key></Contents>"),
        "deep nesting": lambda values: "<a>" * 200_000,
        "no XML": lambda values: "<ListBucketResult><Contents>",
        "nothing": lambda values: "",
        "a page": lambda values: "<html><body>log in</body></html>",
        "no object": lambda values: listing(""),
        "long keys": lambda values: listing(entry("o/" + "k" * (4 << 20), 5, 0)),
        "sizes and dates that are none": lambda values: listing(
            "<Contents><Key>o/o/ab/x</Key><LastModified>9999-99-99</LastModified><Size>-99999999999999999999</Size></Contents>"
        ),
        "the same page again": lambda values: listing(
            entry("o/o/ab/" + "ab" * 32, 5, 0),
            is_whole=False,
            more="<NextContinuationToken>same</NextContinuationToken>",
        ),
        "pages without an object": lambda values: listing(
            "", is_whole=False, more=f"<NextContinuationToken>{next(numbers)}</NextContinuationToken>"
        ),
        "keys that go back": lambda values: listing(
            entry("o/o/" + ("zz", "aa")[next(numbers) % 2] + "/x", 5, 0), is_whole=False
        ),
        "keys that lead out": lambda values: listing(entry("o/../../x", 5, 0) + entry("other/x", 5, 0)),
        "many pages of keys": lambda values: (
            listing("".join(entry(f"o/o/{next(numbers):064x}", 5, 0) for _ in range(1_000)), is_whole=False)
            if next(numbers) < 100_000
            else listing("")
        ),
        "a large page": lambda values: listing(
            "".join(entry(f"o/o/{number:064x}", 5, 0) for number in range(200_000))
        ),
    }
    kept = set(store.objects)
    for name, text in listings.items():

        def answer(request, key, values, text=text):
            if "list-type" in values:
                request.send(text(values), kind="application/xml")
            return "list-type" in values

        store.answer = answer
        for words in (["clean", "--now"], ["verify"]):
            before = store.requests
            command = run.gallery(library, *words, "--objects", BUCKET, status=None, seconds=60, **store.variables)
            run.among(command.status, {0, 1, 2}, f"{name}, {words[0]}: {command.output[-200:]}")
            run.check(store.requests - before < 400, f"{name}, {words[0]}: {store.requests - before} requests")
        store.answer = None
        run.equal(kept - set(store.objects), set(), f"{name}: deleted objects")
    check_shown(run, library, store, 12, "after all")


@part(long=True)
def store_of_somebody_else(run: Run):
    """Originals of two libraries never mix in a store; an empty store at another address forgets nothing."""
    library, store = filled(run)
    empty = Store(run)
    for words in (["verify"], ["verify", "--repair"], ["clean", "--now"]):
        run.gallery(library, *words, "--objects", BUCKET, status=None, **empty.variables)
    run.gallery(library, "verify", "--repair", "--objects", BUCKET, status=None, **store.variables)
    check_shown(run, library, store, 12, "after an empty store")
    other, site, kept = run.folder / "other", run.site(), dict(store.objects)
    run.gallery(
        other, "sync", f"{site.address}/feed/b/3", "--originals", "--objects", BUCKET, status=None, **store.variables
    )
    for words in (["clean", "--now"], ["verify", "--repair"]):
        run.gallery(other, *words, "--objects", BUCKET, status=None, **store.variables)
    run.equal({key: store.objects.get(key) for key in kept}, kept, "objects after another library used the store")
    check_sound(run, other, **{name: value for name, value in store.variables.items()})


@part(long=True, seconds=200)
def failing_puts(run: Run):
    """A store that refuses, breaks or answers strangely loses no original, and no secret is printed."""
    site = run.site()
    for name, send in {
        "an error in a good answer": lambda request: request.send("<Error><Code>InternalError</Code></Error>"),
        "forbidden": lambda request: request.send(
            "<Error><Code>AccessDenied</Code><Message>\x1b[31m</Message></Error>", 403
        ),
        "a redirect": lambda request: request.send(status=301, Location="http://169.254.169.254/"),
        "another tag": lambda request: request.send(ETag='"' + "0" * 9_000 + '"'),
        "unavailable": lambda request: request.send(status=503, Retry_After="99999999999"),
    }.items():
        store = Store(run)

        def answer(request, key, values, send=send):
            if request.command == "PUT" and key.startswith("o/o/"):
                send(request)
                return True
            return False

        store.answer = answer
        library = run.folder / name.replace(" ", "-")
        command = run.gallery(
            library,
            "sync",
            f"{site.address}/feed/a/3",
            "--originals",
            "--objects",
            BUCKET,
            "--verbose",
            status=None,
            seconds=150,
            **store.variables,
        )
        run.check(
            "S3CR3TW0RD" not in command.output and "\x1b" not in command.output, f"{name}: {command.output[-300:]}"
        )
        run.equal(len(list((library / "originals").glob("*/*"))), 3, f"{name}: originals on the disk")


@part(long=True, seconds=120)
def served_objects(run: Run):
    """A server whose store lies sends no wrong picture, and a limited token gets no object, address or error of the rest."""
    store, site = Store(run), run.site()
    library = run.folder / "library"
    feeds = [f"{site.address}/feed/{name}/4" for name in ("open", "secret")]
    run.gallery(library, "sync", *feeds, "--originals", "--objects", BUCKET, "--keep", "200K", **store.variables)
    right = {hashlib.sha256(data).hexdigest() for key, (data, _) in store.objects.items() if key.startswith("o/o/")}
    run.equal(len(right), 8, "objects")
    site.close()
    server = run.serve(library, "--objects", BUCKET, **store.variables)
    limited, whole = server.token("limited", "--search", "open"), server.token("whole")
    hashes: dict[str, list[tuple[int, str]]] = {"open": [], "secret": []}
    for image in json.loads(server.ask("/api/v1/images").body)["images"]:
        name, _, number = image["title"].split()
        original = picture(f"/original/{name}-{number}.png", padding=60_000)
        hashes[name].append((image["id"], hashlib.sha256(original).hexdigest()))

    def check(path: str, token: str, what: str):
        answer = server.ask(path, token=token, seconds=60)
        place = answer.fields.get("location", "")
        run.check("S3CR3TW0RD" not in place + answer.body.decode(errors="replace"), f"{what}: a secret")
        is_picture = answer.status == 200 and "/iiif/" not in path
        run.check(not is_picture or hashlib.sha256(answer.body).hexdigest() in right, f"{what}: a wrong picture")
        return answer

    def paths(number: int, digest: str) -> list[str]:
        return [f"/o/{digest}", f"/images/{number}/original", f"/iiif/image/{digest}/full/9,/0/default.jpg",
                f"/iiif/image/{digest}/info.json"]

    lies = {
        "the right objects": None,
        "a turned bit": lambda request, data: request.send(data[:-30] + bytes([data[-30] ^ 1]) + data[-29:]),
        "half": lambda request, data: request.send(data[: len(data) // 2]),
        "a page": lambda request, data: request.send("<script>1</script>", kind="text/html"),
        "more": lambda request, data: request.send(data + b"HTTP/1.1 200 OK\r\n\r\n"),
        "forbidden": lambda request, data: request.send("<Error><Code>AccessDenied</Code></Error>", 403),
        "gone": lambda request, data: request.send("<Error><Code>NoSuchKey</Code></Error>", 404),
        "a redirect": lambda request, data: request.send(status=307, Location="http://169.254.169.254/x"),
    }
    for name, send in lies.items():

        def answer(request, key, values, send=send):
            if send is None or request.command != "GET" or key not in store.objects or not key.startswith("o/o/"):
                return False
            send(request, store.objects[key][0])
            return True

        store.answer = answer
        for number, digest in hashes["secret"]:
            for path in paths(number, digest):
                found = check(path, limited, f"{name}, limited: {path}")
                run.equal(found.status, 404, f"{name}, limited: {path}")
        for number, digest in [hashes["open"][0], hashes["secret"][0]]:
            for path in paths(number, digest):
                check(path, whole, f"{name}: {path}")
    run.bounded(server)

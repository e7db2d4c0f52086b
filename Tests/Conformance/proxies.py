"""Proxies and caches in front of `gallery serve`, with the lines that Documentation/Serve.md gives for them."""

import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import time

SERVE = pathlib.Path(__file__).resolve().parents[2] / "Documentation" / "Serve.md"
NAME = "photos.example"
# The path that a proxy takes away in the documentation.
BELOW = "/photos"
# A proxy that holds events back until the end of the stream, which never comes, exceeds this many seconds.
PATIENCE = 30
# What a client sends that wants to be taken for a proxy.
FORGED = {
    "Forwarded": "host=evil.example;proto=http;for=192.0.2.1", "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/evil", "X-Forwarded-For": "192.0.2.1",
}
DOCUMENTS = ("/images.rss", "/images.atom", "/images.json", "/iiif/images/manifest.json")


class Connection(http.client.HTTPConnection):
    """A connection of a client that is no trusted proxy, because it has another address on loopback."""

    def __init__(self, port, is_secure):
        super().__init__(NAME, port, timeout=PATIENCE)
        self.is_secure = is_secure

    def connect(self):
        self.sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE, ("127.0.0.2", 0))
        if self.is_secure:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.sock = context.wrap_socket(self.sock, server_hostname=NAME)


class Front:
    """A running proxy, and what clients get through it; `below` is the path of the gallery at the proxy."""

    def __init__(self, tools, command, port, is_secure=True, below=""):
        self.port, self.is_secure, self.below, log = port, is_secure, below, tools.folder / "front.log"
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, cwd=tools.folder,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(tools.folder)},
            )
        tools.callback(self.stop)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"{command}: {log.read_text(errors='replace')[-3000:]}")
                time.sleep(0.05)

    def stop(self):
        """Ends the proxy by SIGTERM, so that it ends its workers."""
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def ask(self, path, method="GET", **fields):
        """The status, the fields and the body of an answer."""
        connection = Connection(self.port, self.is_secure)
        if not path.startswith(self.below + "/"):
            path = self.below + path
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in fields.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def first_event(self, token):
        """The first event of a stream, which then goes on."""
        connection = Connection(self.port, self.is_secure)
        connection.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        try:
            lines = iter(answer.readline, b"")
            return next((line for line in lines if line.startswith(b"data:")), None)
        except TimeoutError:
            return None
        finally:
            connection.close()


def free_ports():
    """Two free ports."""
    with socket.socket() as one, socket.socket() as other:
        for listener in (one, other):
            listener.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def documented(language, below=""):
    """The lines for a proxy in the documentation: the first, or those that take a path away."""
    found = re.findall(rf"```{language}\n(.*?)```", SERVE.read_text(), re.S)
    return found[1 if below else 0].replace("photos.example.org", NAME)


def certificate(tools):
    """The paths of a certificate and its key."""
    paths = tools.folder / "certificate.pem", tools.folder / "key.pem"
    if not paths[0].exists():
        tools.run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-days", "1",
            "-keyout", paths[1], "-out", paths[0],
        )
    return paths


def nginx(tools):
    def start(port, gallery, below=""):
        pem, key = certificate(tools)
        listen = f"server {{ listen 127.0.0.1:{port} ssl http2; ssl_certificate {pem}; ssl_certificate_key {key};"
        names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{name}_temp_path {tools.folder}/{name};" for name in names)
        lines = documented("nginx", below).replace("127.0.0.1:8470", f"127.0.0.1:{gallery}")
        lines = lines.replace("server {", listen, 1)
        conf = tools.write("nginx.conf", f"""
            daemon off; pid {tools.folder}/pid; error_log {tools.folder}/errors; events {{}}
            http {{ access_log off; {paths} {lines} }}""")
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
        command = [program, "-c", conf, "-p", tools.folder, "-e", tools.folder / "errors"]
        return Front(tools, command, port, below=below)

    return in_front(tools, start, takes_path=True)


def caddy(tools):
    def start(port, gallery, below=""):
        pem, key = certificate(tools)
        site = f"https://{NAME}:{port} {{\n  bind 127.0.0.1\n  tls {pem} {key}\n"
        lines = documented("caddy", below).replace("127.0.0.1:8470", f"127.0.0.1:{gallery}")
        lines = lines.replace(f"{NAME} {{\n", site, 1)
        conf = tools.write("Caddyfile", "{\n  admin off\n  auto_https off\n}\n" + lines)
        return Front(tools, ["caddy", "run", "--config", conf, "--adapter", "caddyfile"], port, below=below)

    return in_front(tools, start, takes_path=True)


def apache(tools):
    def start(port, gallery):
        pem, key = certificate(tools)
        names = ("mpm_event", "authz_core", "proxy", "proxy_http", "headers", "ssl", "socache_shmcb", "http2")
        modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in names)
        lines = documented("apache").replace("127.0.0.1:8470", f"127.0.0.1:{gallery}")
        conf = tools.write("apache.conf", f"""ServerRoot {tools.folder}
PidFile {tools.folder}/pid
ErrorLog {tools.folder}/errors
{modules}
Listen 127.0.0.1:{port}
ServerName {NAME}:{port}
Protocols h2 http/1.1
<VirtualHost *:{port}>
SSLEngine on
SSLCertificateFile {pem}
SSLCertificateKeyFile {key}
{lines}</VirtualHost>
""")
        return Front(tools, ["/usr/sbin/apache2", "-f", conf, "-DFOREGROUND"], port)

    return in_front(tools, start)


def haproxy(tools):
    def start(port, gallery):
        pem, key = certificate(tools)
        both = tools.write("both.pem", pem.read_text() + key.read_text())
        conf = tools.write("haproxy.cfg", f"""
global
  maxconn 200
defaults
  mode http
  timeout connect 10s
  timeout client 1h
  timeout server 1h
frontend public
  bind 127.0.0.1:{port} ssl crt {both} alpn h2,http/1.1
  http-request del-header X-Forwarded-Prefix
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-Host %[req.hdr(Host)]
  default_backend gallery
backend gallery
  server gallery 127.0.0.1:{gallery}
""")
        return Front(tools, ["haproxy", "-db", "-f", conf], port)

    return in_front(tools, start)


def varnish(tools):
    """A cache between a server with the certificate and the gallery."""
    def start(port, gallery):
        vcl = tools.write("gallery.vcl", f'vcl 4.1;\nbackend gallery {{ .host = "127.0.0.1"; .port = "{gallery}"; }}\n')
        # As root, its jail would need a folder that another user may write to.
        jail = ["-j", "none"] if os.geteuid() == 0 else []
        place = ["-n", tools.folder / "varnish", "-s", "malloc,64m"]
        command = ["varnishd", *jail, "-F", "-a", f"127.0.0.1:{port}", "-f", vcl, *place]
        return Front(tools, command, port, is_secure=False)

    return as_cache(tools, start, lambda fields: len(fields["X-Varnish"].split()) == 2)


def squid(tools):
    """A cache between a server with the certificate and the gallery."""
    def start(port, gallery):
        conf = tools.write("squid.conf", f"""
http_port 127.0.0.1:{port} accel defaultsite={NAME} vhost
cache_peer 127.0.0.1 parent {gallery} 0 no-query originserver name=gallery login=PASSTHRU
http_access allow all
cache_peer_access gallery allow all
cache_mem 64 MB
maximum_object_size_in_memory 16 MB
pid_filename {tools.folder}/squid.pid
access_log none
cache_log /dev/null
coredump_dir {tools.folder}
visible_hostname {NAME}
shutdown_lifetime 0 seconds
""")
        return Front(tools, ["squid", "-N", "-f", conf], port, is_secure=False)

    return as_cache(tools, start, lambda fields: fields["X-Cache"].startswith("HIT"))


class Served:
    """A served library with two feeds, of which a limited token may see the first."""

    def __init__(self, tools):
        self.tools, self.library = tools, tools.folder / "library"
        for name in ("open", "closed"):
            images = []
            for number in range(3):
                tools.picture(f"site/{name}/{number}.jpg", 1200, 800)
                images.append({"id": number, "title": f"{name} {number}", "original": f"{name}/{number}.jpg"})
            tools.write(f"site/{name}.json", json.dumps({"images": images}))
            tools.gallery("sync", "--cache", self.library, "--originals", f"{tools.address}/{name}.json")
        said = tools.gallery("token", "add", "limited", "--feed", "1", "--cache", self.library)
        self.limited = said.split()[-1]
        self.port, self.gallery_port = free_ports()

    def serve(self, *options):
        """Serves the library, and learns the hashes of a thumbnail and an original of each feed."""
        _, self.token = self.tools.serve_library(
            self.library, options=["--host", NAME, *options], port=self.gallery_port
        )
        images = self.tools.gallery("list", "--cache", self.library, "--json", "--sort", "feed")
        self.pictures = {}
        for line in images.splitlines():
            image = json.loads(line)
            shown = self.tools.gallery("show", "--cache", self.library, "--info", "--json", str(image["id"]))
            shown = json.loads(shown)
            self.pictures.setdefault(image["feed"]["id"], (shown["thumbnail"]["sha256"], shown["original"]["sha256"]))

    def public(self, path=""):
        return f"https://{NAME}:{self.port}{path}"

    def host(self):
        """The field that names the server as people know it."""
        return {"Host": f"{NAME}:{self.port}"}


def in_front(tools, start, takes_path=False, is_trusted=True):
    """What clients get through a proxy at which TLS ends, and which may take the path away that it serves.

    A proxy that passes on what a client says about proxies must not be trusted; then only --public-url is right.
    """
    served = Served(tools)
    ways = {
        "with --public-url": (["--public-url", served.public("/")], ""),
        "with --trusted-proxy": (["--trusted-proxy", "127.0.0.1"], ""),
        "with a path in --public-url": (["--public-url", served.public("/gallery/")], ""),
    }
    if takes_path:
        ways |= {
            "with a path in --public-url that the proxy takes away": (
                ["--public-url", served.public(BELOW + "/")], BELOW,
            ),
            "with --trusted-proxy, which takes a path away": (["--trusted-proxy", "127.0.0.1"], BELOW),
        }
    if not is_trusted:
        del ways["with --trusted-proxy"]
    for name, (options, below) in ways.items():
        served.serve(*options)
        front = start(served.port, served.gallery_port, *([below] if below else []))
        yield f"[{name}]"
        yield from published(served, front)
        yield from sessions(served, front)
        if name == "with --public-url":
            yield from transferred(served, front)
            yield from limits(served, front)
        front.stop()
        tools.stop_servers()


def as_cache(tools, start, is_hit):
    """What clients get through a cache that does not hold the certificate."""
    served = Served(tools)
    served.serve("--public-url", served.public("/"))
    front = start(served.port, served.gallery_port)
    yield from published(served, front)
    yield from sessions(served, front)
    yield from transferred(served, front)
    for _ in range(2):
        yield from limits(served, front)
    page = front.ask("/", Authorization=f"Bearer {served.token}", **served.host())[2].decode()
    thumbnail, original = served.pictures[1]
    cases = {
        "a style sheet": (re.search(r'href="(/assets/[^"]+\.css)"', page)[1], {}),
        "a picture by a token in a field": (f"/o/{original}", {"Authorization": f"Bearer {served.token}"}),
        "a picture by a token in its address": (f"/t/{thumbnail}?token={served.token}", {}),
    }
    for words, (path, fields) in cases.items():
        answers = [front.ask(path, **fields, **served.host()) for _ in range(3)]
        kept = is_hit(answers[-1][1])
        yield f"{words}: {answers[-1][0]}, {'from the cache' if kept else 'from the gallery'}"
    front.stop()


def published(served, front):
    """Which addresses the documents have, also for a client that wants to be taken for a proxy."""
    base = served.public()
    for words, fields in {"": {}, ", with forged fields": FORGED}.items():
        found = set()
        for path in DOCUMENTS:
            status, _, body = front.ask(f"{path}?token={served.token}", **fields, **served.host())
            if status != 200:
                yield f"{path}: {status}"
            text = body.decode().replace("\\/", "/")
            found |= set(re.findall(r"(https?://[^/\"<>& ]+(?:/(?:gallery|photos|evil))?)/(?:images|t|iiif)[/.]", text))
            picture = re.search(r"https?://[^/]+(/(?:[a-z]+/)?t/[0-9a-f]+\?feed_token=[\w.~-]+)", text)
            if picture and (status := front.ask(picture[1], **served.host())[0]) != 200:
                yield f"{path}: its picture gives {status}"
        yield f"published{words}: {', '.join(sorted(found)).replace(base, 'PUBLIC')}"
    status, _, body = front.ask("/", Authorization=f"Bearer {served.token}", Host="evil.example")
    yield f"under another name: {'nothing' if status >= 400 or not body else status}"


def sessions(served, front):
    """The session of a browser, and changes that its pages ask for."""
    page = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", **served.host()}
    status, fields, _ = front.ask(f"/?token={served.token}", **page)
    cookie, _, attributes = fields.get("Set-Cookie", "").partition("; ")
    attributes = [part for part in attributes.split("; ") if not part.startswith(("Max-Age", "Expires"))]
    yield f"a browser: {status} to {fields['Location']}, a cookie with {', '.join(attributes)}"
    status, _, body = front.ask("/", Cookie=cookie, **page)
    links = set(re.findall(r'(?:src|href)="(/[^"]*)"', body.decode()))
    wrong = [link for link in sorted(links) if front.ask(link, Cookie=cookie, **page)[0] != 200]
    below = [path for path in ("/gallery/", BELOW + "/") if all(link.startswith(path) for link in links)]
    yield f"its page: {status}, links{f' below {below[0]}' if below else ''} that fail: {', '.join(wrong) or 'none'}"
    for words, origin in (("its own page", served.public()), ("another site", "https://evil.example")):
        asked = {"Cookie": cookie, "Origin": origin, "Content-Length": "0", **served.host()}
        status, *_ = front.ask("/api/v1/images/1/pin", "PUT", **asked)
        yield f"a change for {words}: {status}"


def transferred(served, front):
    """Parts, compression, events and HTTP/2."""
    login = {"Authorization": f"Bearer {served.token}", **served.host()}
    original = served.pictures[1][1]
    whole = (served.tools.site / "open/0.jpg").read_bytes()
    status, _, body = front.ask(f"/o/{original}", **login)
    yield f"an original: {status}, {'whole' if body == whole else 'damaged'}"
    for value, part in (("bytes=10-19", whole[10:20]), ("bytes=-7", whole[-7:])):
        status, _, body = front.ask(f"/o/{original}", Range=value, **login)
        yield f"Range {value}: {status}, {'right' if body == part else 'wrong'}"
    yield f"a range behind the end: {front.ask(f'/o/{original}', Range=f'bytes={len(whole)}-', **login)[0]}"
    _, fields, plain = front.ask("/api/v1/openapi.json", **login)
    _, short, packed = front.ask("/api/v1/openapi.json", Accept_Encoding="gzip", **login)
    is_right = short["Content-Encoding"] == "gzip" and gzip.decompress(packed) == plain
    yield f"compressed: {'right' if is_right and not fields['Content-Encoding'] else 'wrong'}"
    _, fields, body = front.ask(f"/o/{original}", Accept_Encoding="gzip", **login)
    is_right = not fields["Content-Encoding"] and body == whole
    yield f"an original that a client may get compressed: {'as it is' if is_right else 'wrong'}"
    etag = fields["ETag"]
    yield f"an original again: {front.ask(f'/o/{original}', If_None_Match=etag, **login)[0]}"
    yield f"events: {'at once' if front.first_event(served.token) else 'held back'}"
    if front.is_secure:
        done = served.tools.run(
            "curl", "-sS", "--http2", "-k", "-w", "%{http_version} %{http_code}", "-o", "/dev/null", "--resolve",
            f"{NAME}:{served.port}:127.0.0.1", "-H", f"Authorization: Bearer {served.token}",
            f"{served.public()}/o/{original}",
        )
        yield f"HTTP/2: {done}"


def limits(served, front):
    """Pictures of the second feed by the limited token and without one, after the owner has seen them."""
    secrets = served.pictures[2]
    owner = {"Authorization": f"Bearer {served.token}"}
    leaked, statuses = [], set()
    bodies = []
    for kind, hash in zip("to", secrets):
        for path in (f"/{kind}/{hash}", f"/{kind}/{hash}?token={served.token}"):
            for _ in range(2):
                bodies.append(front.ask(path, **(owner if "?" not in path else {}), **served.host()))
    if {status for status, *_ in bodies} != {200}:
        yield f"the owner gets {sorted({status for status, *_ in bodies})}"
    for kind, hash in zip("to", secrets):
        path = f"/{kind}/{hash}"
        limited = {"Authorization": f"Bearer {served.limited}"}
        asked = [
            (path, limited), (path, {}), (f"{path}?token={served.limited}", {}), (f"{path}?", limited),
            (f"{path}?x=1", limited), (path, {"Cookie": "gallery=x"}), (path, {**limited, "Range": "bytes=0-99"}),
            (path, {**limited, "If-None-Match": '"x"'}), (f"/{kind}//{hash}", limited), (f"/x/..{path}", limited),
            (f"{path}?feed_token=x", {}), (path, {**limited, "Cache-Control": "only-if-cached"}),
            (path, {**limited, "X-Forwarded-For": "127.0.0.1"}),
        ]
        for form, fields in asked:
            status, _, body = front.ask(form, **fields, **served.host())
            statuses.add(status)
            if any(body and (body in secret or secret in body) for *_, secret in bodies):
                leaked.append(f"{form} with {fields}")
    yield f"pictures of others: {', '.join(leaked) or 'none'}; {'refused' if min(statuses) >= 400 else statuses}"


def lighttpd(tools):
    def start(port, gallery):
        pem, key = certificate(tools)
        conf = tools.write("lighttpd.conf", f"""server.modules = ("mod_openssl", "mod_proxy", "mod_setenv")
server.document-root = "{tools.folder}"
server.bind = "127.0.0.1"
server.port = {port}
server.stream-response-body = 2
ssl.engine = "enable"
ssl.pemfile = "{pem}"
ssl.privkey = "{key}"
setenv.set-request-header = ("Forwarded" => "", "X-Forwarded-Prefix" => "")
proxy.server = ("" => (("host" => "127.0.0.1", "port" => {gallery})))
""")
        return Front(tools, ["lighttpd", "-D", "-f", conf], port)

    return in_front(tools, start)


def h2o(tools):
    def start(port, gallery):
        pem, key = certificate(tools)
        conf = tools.write("h2o.conf", f"""
listen: {{host: 127.0.0.1, port: {port}, ssl: {{certificate-file: {pem}, key-file: {key}}}}}
proxy.preserve-host: ON
hosts:
  default:
    paths:
      /:
        proxy.reverse.url: "http://127.0.0.1:{gallery}/"
""")
        return Front(tools, ["h2o", "-c", conf], port)

    return in_front(tools, start, is_trusted=False)


def nghttpx(tools):
    def start(port, gallery):
        pem, key = certificate(tools)
        command = ["nghttpx", f"--frontend=127.0.0.1,{port}", f"--backend=127.0.0.1,{gallery}", "--conf=/dev/null"]
        command += ["--no-ocsp", "--add-x-forwarded-for", "--strip-incoming-x-forwarded-for", key, pem]
        return Front(tools, command, port)

    return in_front(tools, start, is_trusted=False)


def hitch(tools):
    """It only adds TLS, so it cannot tell the gallery who asks."""
    def start(port, gallery):
        pem, key = certificate(tools)
        both = tools.write("both.pem", key.read_text() + pem.read_text())
        user = 'user = "nobody"\n' if os.geteuid() == 0 else ""
        conf = tools.write("hitch.conf", f"""frontend = "[127.0.0.1]:{port}"
backend = "[127.0.0.1]:{gallery}"
pem-file = "{both}"
workers = 1
{user}""")
        return Front(tools, ["hitch", f"--config={conf}"], port)

    return in_front(tools, start, is_trusted=False)


def stunnel(tools):
    """It only adds TLS, so it cannot tell the gallery who asks."""
    def start(port, gallery):
        pem, key = certificate(tools)
        conf = tools.write("stunnel.conf", f"""foreground = yes
pid =
[gallery]
accept = 127.0.0.1:{port}
connect = 127.0.0.1:{gallery}
cert = {pem}
key = {key}
""")
        return Front(tools, ["stunnel", conf], port)

    return in_front(tools, start, is_trusted=False)


def outward(tools, start, scheme="http"):
    """A sync through a proxy, without it, and with it gone."""
    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"site/{name}")
    images = [{"id": name, "original": name} for name in ("a.jpg", "b.jpg")]
    tools.write("site/list.json", json.dumps({"images": images}))
    library, (port, _) = ["--cache", tools.folder / "library"], free_ports()
    feed = f"{tools.address}/list.json"
    front = start(port)
    through = {"http_proxy": f"{scheme}://127.0.0.1:{port}", "no_proxy": ""}
    cases = [("a sync", [], through), ("the same again", [], through), ("with originals", ["--originals"], through)]
    cases.append(("past the proxy", [], through | {"no_proxy": "127.0.0.1"}))
    for words, options, variables in cases:
        if words == "past the proxy":
            front.stop()
        yield from told(tools, words, variables, "sync", *library, *options, feed)
    yield from told(tools, "with the proxy gone", through, "sync", *library, feed)
    yield from told(tools, "a check", through, "verify", *library)


def told(tools, words, variables, *command):
    found = subprocess.run(
        [tools.programs / "gallery", *command], capture_output=True, text=True, env=tools.environment | variables,
        timeout=PATIENCE,
    )
    yield f"{words}: status {found.returncode}"
    for line in tools.plain((found.stdout + found.stderr).splitlines()):
        if line:
            yield "  " + re.sub(r"127\.0\.0\.1:\d+", "PROXY", re.sub(r"; [\d.,]+ [KM]?i?B in .*", "", line))


def tinyproxy(tools):
    def start(port):
        conf = tools.write("tinyproxy.conf", f"Port {port}\nListen 127.0.0.1\nTimeout 60\nAllow 127.0.0.1\n")
        return Front(tools, ["tinyproxy", "-d", "-c", conf], port)

    return outward(tools, start)


def privoxy(tools):
    def start(port):
        conf = tools.write("privoxy.conf", f"listen-address 127.0.0.1:{port}\ntoggle 0\n")
        return Front(tools, ["privoxy", "--no-daemon", conf], port)

    return outward(tools, start)


def microsocks(tools):
    def start(port):
        return Front(tools, ["microsocks", "-i", "127.0.0.1", "-p", str(port)], port)

    return outward(tools, start, "socks5h")

#!/usr/bin/env python3
"""Checks a served library against OpenAPI 3.1, its own description, and the IIIF Image API 3 and Presentation API 3.

  run.py FOLDER-OF-PROGRAMS REQUESTS

The feed is on loopback. The program stops everything that it starts.
"""

import contextlib
import functools
import hashlib
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

import openapi_spec_validator
import pydantic
from iiif_prezi3 import skeleton
from iiif_validator import validator
from PIL import Image

DEMO = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "demo-feed"
LEVEL = 1
# The validator expects an error for `!w,h` larger than the picture, but the specification (section 4.2) requires the
# picture itself. Its own test then ends with an error.
MISTAKEN = {"size_noup"}
# Its response never ends.
ENDLESS = "/api/v1/events"
# The least number of requests to each operation.
LEAST_OF_OPERATION = 3


def main():
    programs, requests = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        image = write_picture(folder)
        with served(programs / "gallery", folder) as (address, token):
            check_description(address, token, folder)
            failures = check_images(address, token, image)
            failures += check_manifests(address, token)
            failures += check_answers(address, token, folder, requests)
    sys.exit(1 if failures else 0)


def write_picture(folder):
    """Writes the picture that the validator expects, a hundred squares of one colour each; returns its hash."""
    squares = Image.new("RGB", (10, 10))
    for x, column in enumerate(validator.ValidationInfo().colorInfo):
        for y, colour in enumerate(column):
            squares.putpixel((x, y), colour)
    path = folder / "squares.png"
    squares.resize((1000, 1000), Image.Resampling.NEAREST).save(path)
    feed = [{"id": "squares", "title": "Squares", "original": "squares.png"}]
    (folder / "feed.json").write_text(json.dumps({"images": feed}))
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextlib.contextmanager
def served(gallery, folder):
    """Serves a library with the picture and the demo feed; yields the address and the token."""
    handler = functools.partial(Quiet, directory=str(folder))
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    library = ["--cache", folder / "library"]
    feed = f"http://127.0.0.1:{site.server_port}/feed.json"
    subprocess.run([gallery, "sync", *library, feed, DEMO / "feed.xml", "--originals"], check=True)
    server = subprocess.Popen(
        [gallery, "serve", *library, "--listen", "127.0.0.1:0", "--sync", "off"],
        stdout=subprocess.PIPE, text=True,
    )
    try:
        address = urllib.parse.urlsplit(server.stdout.readline().strip())
        yield f"http://{address.netloc}", urllib.parse.parse_qs(address.query)["token"][0]
    finally:
        server.terminate()
        ended = server.wait(timeout=60)
        site.shutdown()
    if ended != 0:
        sys.exit(f"the server ended with {ended}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def check_description(address, token, folder):
    """Checks that the description is valid OpenAPI 3.1, and saves it for the requests."""
    request = urllib.request.Request(f"{address}/api/v1/openapi.json")
    request.add_header("Authorization", f"Bearer {token}")
    document = urllib.request.urlopen(request).read()
    openapi_spec_validator.validate(json.loads(document))
    (folder / "openapi.json").write_bytes(document)


def check_images(address, token, image):
    """Runs the tests of the IIIF Image API 3 up to the level; returns how many failed."""
    opener = urllib.request.build_opener()
    opener.addheaders = [("Authorization", f"Bearer {token}")]
    urllib.request.install_opener(opener)
    suite = validator.TestSuite(validator.ValidationInfo())
    failures = passed = 0
    for name, test in suite.list_tests("3.0").items():
        if test["level"] > LEVEL or name in MISTAKEN:
            continue
        server = address.removeprefix("http://")
        result = validator.ImageAPI(image, server, "iiif/image", version="3.0", debug=False)
        try:
            suite.run_test(name, result)
            problem = result.exception
        except Exception as error:  # A test that raises any other error has failed, too.
            problem = error
        if problem:
            failures += 1
            print(f"IIIF Image API: {name} failed: {problem} ({result.urls})", file=sys.stderr)
        else:
            passed += 1
    print(f"IIIF Image API 3, level {LEVEL}: {passed} tests passed")
    return failures + (0 if passed else 1)


def check_manifests(address, token):
    """Checks manifests with a model of the schema of the IIIF Presentation API 3; returns how many failed."""
    failures = 0
    for path in ("/iiif/images/manifest.json", "/iiif/feeds/1/manifest.json", "/iiif/search/manifest.json?q=squares"):
        request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"})
        manifest = json.load(urllib.request.urlopen(request))
        problem = fault(manifest)
        # A model that accepts everything would pass, too, so also check that it rejects a wrong type.
        manifest["items"][0]["type"] = "Picture"
        problem = problem or (None if fault(manifest) else "the model takes a canvas that is none")
        if problem:
            failures += 1
            print(f"IIIF Presentation API: {path}: {problem}", file=sys.stderr)
    print(f"IIIF Presentation API 3: {3 - failures} manifests passed")
    return failures


def fault(manifest):
    try:
        skeleton.Manifest(**manifest)
    except pydantic.ValidationError as error:
        return error
    return None


def check_answers(address, token, folder, requests):
    """Sends requests generated from the description. No response may be a server error or contradict it."""
    document = json.loads((folder / "openapi.json").read_text())
    operations = sum(
        method in {"get", "post", "put", "delete"}
        for path in document["paths"].values()
        for method in path
    )
    # Operations without parameters need one request each.
    examples = max(LEAST_OF_OPERATION, 2 * requests // operations)
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command = [
        pathlib.Path(sys.executable).parent / "schemathesis", "run", folder / "openapi.json",
        "--url", address, "--header", f"Authorization: Bearer {token}", "--checks", checks,
        "--exclude-path", ENDLESS, "--max-examples", str(examples), "--phases", "examples,fuzzing", "--seed", "1",
        "--request-timeout", "60", "--no-color",
    ]
    found = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    print(found.stdout[-12000:] if found.returncode else last_lines(found.stdout))
    print(found.stderr, file=sys.stderr)
    return found.returncode


def last_lines(text):
    return "\n".join(line for line in text.splitlines() if re.search(r"cases|passed|Tested", line))


if __name__ == "__main__":
    main()

"""What `gallery serve` publishes, against its specifications: OpenAPI 3.1, the IIIF interfaces, and under load."""

import hashlib
import json
import pathlib
import sys
import urllib.request

DEMO = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "demo-feed"
# The level of the IIIF Image API.
LEVEL = 1
# The validator expects an error for `!w,h` larger than the picture, but the specification (section 4.2) requires the
# picture itself. Its own test then ends with an error.
MISTAKEN = {"size_noup"}
MANIFESTS = ["/iiif/images/manifest.json", "/iiif/feeds/1/manifest.json", "/iiif/search/manifest.json?q=squares"]
# Its response never ends.
ENDLESS = "/api/v1/events"
# The least number of requests to each operation.
LEAST_OF_OPERATION = 3


def served(tools):
    """Serves a library with the picture that the validator expects, and the demo feed.

    Returns the address, the token, and the hash of the picture: a hundred squares of one colour each.
    """
    from iiif_validator import validator
    from PIL import Image

    squares = Image.new("RGB", (10, 10))
    for x, column in enumerate(validator.ValidationInfo().colorInfo):
        for y, colour in enumerate(column):
            squares.putpixel((x, y), colour)
    path = tools.site / "squares.png"
    squares.resize((1000, 1000), Image.Resampling.NEAREST).save(path)
    feed = [{"id": "squares", "title": "Squares", "original": "squares.png"}]
    tools.write("site/feed.json", json.dumps({"images": feed}))
    library = tools.folder / "library"
    tools.gallery("sync", "--cache", library, f"{tools.address}/feed.json", DEMO / "feed.xml", "--originals")
    return *tools.serve_library(library), hashlib.sha256(path.read_bytes()).hexdigest()


def answer(address, token):
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        return response.read()


def iiif(tools):
    """Runs the tests of the IIIF Image API 3 up to the level, and checks manifests with a model of the schema of the
    IIIF Presentation API 3."""
    from iiif_validator import validator

    address, token, image = served(tools)
    opener = urllib.request.build_opener()
    opener.addheaders = [("Authorization", f"Bearer {token}")]
    urllib.request.install_opener(opener)
    suite = validator.TestSuite(validator.ValidationInfo())
    for name, test in sorted(suite.list_tests("3.0").items()):
        if test["level"] > LEVEL or name in MISTAKEN:
            continue
        result = validator.ImageAPI(image, address.removeprefix("http://"), "iiif/image", version="3.0", debug=False)
        try:
            suite.run_test(name, result)
            problem = result.exception
        except Exception as error:  # A test that raises any other error has failed, too.
            problem = error
        yield f"Image API 3, {name}: " + (f"{problem} ({result.urls})" if problem else "passes")
    urllib.request.install_opener(urllib.request.build_opener())
    for path in MANIFESTS:
        manifest = json.loads(answer(address + path, token))
        problem = fault(manifest)
        # A model that accepts everything would pass, too, so also check that it rejects a wrong type.
        manifest["items"][0]["type"] = "Picture"
        problem = problem or (None if fault(manifest) else "the model takes a canvas that is none")
        yield f"Presentation API 3, {path}: {problem or 'passes'}"


def fault(manifest):
    import pydantic
    from iiif_prezi3 import skeleton

    try:
        skeleton.Manifest(**manifest)
    except pydantic.ValidationError as error:
        return error
    return None


def openapi(tools):
    """Sends requests generated from the description. No response may be a server error or contradict it."""
    import openapi_spec_validator

    address, token, _ = served(tools)
    text = answer(f"{address}/api/v1/openapi.json", token)
    document = json.loads(text)
    openapi_spec_validator.validate(document)
    yield f"the description is valid OpenAPI {document['openapi']}"
    (tools.folder / "openapi.json").write_bytes(text)
    operations = sum(
        method in {"get", "post", "put", "delete"}
        for path in document["paths"].values()
        for method in path
    )
    # Operations without parameters need one request each.
    examples = max(LEAST_OF_OPERATION, 2 * (10_000 if tools.long else 600) // operations)
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    # It ends with 1 if it has found something.
    tools.run(
        pathlib.Path(sys.executable).parent / "schemathesis", "run", tools.folder / "openapi.json",
        "--url", address, "--header", f"Authorization: Bearer {token}", "--checks", checks,
        "--exclude-path", ENDLESS, "--max-examples", str(examples), "--phases", "examples,fuzzing", "--seed", "1",
        "--request-timeout", "60", "--no-color", seconds=7200,
    )
    yield "no generated request contradicts it"


def load(tools):
    """Clients read for 15 seconds, or ten minutes, while other processes change the same library."""
    import load

    return load.facts(tools)

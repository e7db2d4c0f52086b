"""Builds and runs a package that uses the library products: see Scripts/products."""

import argparse
import contextlib
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import typing

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
HERE = CHECKOUT / "Tests/Products"
FEED = CHECKOUT / "Scripts/demo-feed/feed.xml"
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [{dependency}],
  targets: [
    .executableTarget(
      name: "client",
      dependencies: [.product(name: "{product}", package: "gallery")]
    )
  ]
)
"""
EXAMPLE = """
func example{number}({parameters}) async throws {{
{code}
}}
"""


class Product(typing.NamedTuple):
    """A library product, and what a program needs to run the examples of its documentation."""

    # The modules that a program gets with it, besides its own.
    modules: set
    # Modules of C, which have no module of Swift.
    c_modules: set
    # What the examples use without showing it, and their parameters.
    helpers: str
    parameters: str
    # The statements before all examples, and the call of each.
    main: str
    call: str
    # Whether the decoder has to be beside the program.
    decodes: bool


FEED_MODULES = {"FeedFormats", "Workers", "PictureFiles", "Models"}
PRODUCTS = {
    "GalleryFeeds": Product(
        modules=FEED_MODULES | {"GalleryFeeds"},
        c_modules=set(),
        helpers="""
import Foundation

func show(_ images: [FeedImage]) { for image in images { print(image.original) } }
func note(_ title: String?, _ problems: [FeedProblem]) { print(title ?? "", problems.count) }
""",
        parameters="bytes: [UInt8], body: AsyncStream<[UInt8]>, address: String",
        main="let bytes = try Array(Data(contentsOf: URL(filePath: CommandLine.arguments[1])))",
        call="""
do {{
  let (body, parts) = AsyncStream<[UInt8]>.makeStream()
  parts.yield(bytes)
  parts.finish()
  try await example{number}(bytes: bytes, body: body, address: "https://example.org/feed.xml")
}}
""",
        decodes=False,
    ),
    "GalleryLibrary": Product(
        modules=FEED_MODULES
        | {
            "GalleryLibrary", "Composition", "Scenes", "Settings", "Sync", "CurlNetwork", "LibraryFiles", "Store",
            "SQLiteCache", "PostgresStore", "ObjectStore", "Imaging", "DecoderFrames", "Threading", "ArgumentParser",
            "ArgumentParserToolInfo", "Logging", "TOMLKit",
        },
        c_modules={"CCrypto", "CCurl", "CLinux", "CPostgres", "CSQLite", "CTOML"},
        helpers="""
func show(_ title: String, _ thumbnail: [UInt8]) {
  print(title, thumbnail.isEmpty ? "without a thumbnail" : "with its thumbnail")
}
func note(_ done: Int, of total: Int) {}
func note(_ image: Int64, _ isRemoval: Bool) {}
""",
        parameters="place: String, feed: String",
        main="let (feed, place) = (CommandLine.arguments[2], CommandLine.arguments[3])",
        call="try await example{number}(place: place, feed: feed)\n",
        decodes=True,
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the committed interfaces and outputs")
    parser.add_argument("--long", action="store_true", help="use the Git address and the tag, too")
    parser.add_argument("--modules", type=pathlib.Path, metavar="DIR", help="look at a finished build only")
    parser.add_argument("products", nargs="*", metavar="PRODUCT", help="all, unless some are named")
    options = parser.parse_args()
    products = {name: PRODUCTS[name] for name in options.products or PRODUCTS}
    failures = []
    with tempfile.TemporaryDirectory(prefix="gallery-products-") as name:
        work = pathlib.Path(name)
        if options.modules:
            for name in products:
                failures += look_at(name, options.modules, work / name, options)
            return report(failures)
        package = copy_of_checkout(work)
        with served(FEED.parent) as address:
            for name, product in products.items():
                failures += check(name, product, package, work / name, f"{address}/{FEED.name}", options)
    return report(failures)


def report(failures):
    """The status of the process."""
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if failures else 0


def copy_of_checkout(work):
    """The files of the checkout as a repository with a tag, since the package can be used by both."""
    package = work / "gallery"
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        source, target = CHECKOUT / name, package / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    user = ["-c", "user.name=Example", "-c", "user.email=someone@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*user, "commit", "-qm", "Begins"], ["tag", "0.1.0"]):
        subprocess.run(["git", *command], cwd=package, check=True)
    return package


@contextlib.contextmanager
def served(folder):
    """The address of a server on loopback for the files of a folder."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def check(name, product, package, work, address, options):
    """The failures of one product."""
    by_path = client(name, product, '.package(path: "../../gallery")', work / "by-path")
    started = time.monotonic()
    build(by_path)
    print(f"{name}: built by a package of its own in {time.monotonic() - started:.0f} s")
    debug = by_path / ".build/debug"
    built = {path.stem for path in (debug / "Modules").glob("*.swiftmodule")}
    if built != product.modules | {"client"}:
        yield f"{name} builds {sorted(built)}, not {sorted(product.modules)}"
    compiled = {path.relative_to(debug).parts[0].removesuffix(".build") for path in debug.glob("*.build/**/*.o")}
    foreign = compiled - product.modules - product.c_modules - {"client"}
    if foreign:
        yield f"{name} compiles {sorted(foreign)} too"
    output = run(by_path, product, address)
    yield from compare(HERE / f"{name}.output", output, options.write)

    if options.long:
        dependency = f'.package(url: "{package.as_uri()}", from: "0.1.0")'
        by_address = client(name, product, dependency, work / "by-address")
        build(by_address)
        if run(by_address, product, address) != output:
            yield f"{name} by its Git address prints something else"

    yield from look_at(name, debug, work, options)


def look_at(name, debug, work, options):
    """The failures of a built product's interface and documentation."""
    graphs = work / "graphs"
    extract(name, debug, graphs)
    interface = "\n".join(declarations(graphs / f"{name}.symbols.json")) + "\n"
    yield from compare(HERE / f"{name}.interface", interface, options.write)
    yield from warnings(name, graphs, work / "documentation")


def client(name, product, dependency, folder):
    """A package with the examples of a product's documentation."""
    sources = folder / "Sources/client"
    sources.mkdir(parents=True)
    manifest = MANIFEST.format(dependency=dependency, product=name)
    (folder / "Package.swift").write_text(manifest, encoding="utf-8")
    text = f"import {name}\n{product.helpers}"
    found = examples(name)
    for number, code in enumerate(found):
        text += EXAMPLE.format(number=number, parameters=product.parameters, code=code)
    text += f"\n{product.main}\n" + "".join(product.call.format(number=number) for number in range(len(found)))
    (sources / "main.swift").write_text(text, encoding="utf-8")
    return folder


def examples(product):
    """The blocks of Swift in the articles of a product, without their imports."""
    catalog = CHECKOUT / f"Sources/{product}/{product}.docc"
    found = []
    for article in sorted(catalog.glob("*.md")):
        for block in re.findall(r"```swift\n(.*?)```", article.read_text(encoding="utf-8"), re.S):
            lines = [line for line in block.splitlines() if not line.startswith("import ")]
            found.append("\n".join(lines))
    return found


def build(folder, *arguments):
    subprocess.run(["swift", "build", "-q", "--disable-index-store", *arguments], cwd=folder, check=True, stdout=sys.stderr)


def run(folder, product, address):
    """What the client prints, with a library of its own."""
    if product.decodes:
        # As the documentation says.
        build(folder, "--product", "gallery-decoder")
    command = [folder / ".build/debug/client", FEED, address, folder / "library"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def extract(name, debug, graphs):
    graphs.mkdir(parents=True)
    target = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    )["target"]["triple"]
    headers = [f"-I{path}" for path in (CHECKOUT / "Sources").glob("C*") if path.is_dir()]
    for module_map in sorted(debug.glob("*.build/module.modulemap")):
        headers += ["-Xcc", f"-fmodule-map-file={module_map}"]
    subprocess.run(
        [
            "swift-symbolgraph-extract", "-module-name", name, "-target", target, "-I", debug / "Modules", *headers,
            "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", graphs,
        ],
        check=True,
    )


def declarations(graph):
    """A line for each public declaration, sorted by its path."""
    for symbol in sorted(
        json.loads(graph.read_text(encoding="utf-8"))["symbols"],
        key=lambda symbol: (symbol["pathComponents"], symbol["identifier"]["precise"]),
    ):
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        path = ".".join(symbol["pathComponents"])
        yield f"{path}: {' '.join(declaration.split())}"


def compare(committed, text, is_written):
    """A failure if a committed file does not have this text; with --write it has it from now on."""
    if is_written:
        committed.write_text(text, encoding="utf-8")
        return
    process = subprocess.run(
        ["diff", "-uN", committed, "-"], input=text, capture_output=True, text=True, check=False
    )
    if process.returncode:
        yield f"{committed.name} has changed (Scripts/products --write accepts it):\n{process.stdout}"


def warnings(product, graphs, output):
    """The warnings of the documentation, and each public symbol without a sentence."""
    catalog = CHECKOUT / f"Sources/{product}/{product}.docc"
    command = [
        "docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-path", output,
        "--fallback-display-name", product, "--fallback-bundle-identifier", product, "--warnings-as-errors",
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        yield f"the documentation of {product} has warnings:\n{process.stdout}{process.stderr}"


if __name__ == "__main__":
    sys.exit(main())

"""Builds and runs a package that uses the library products: see Scripts/products."""

import argparse
import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing
import urllib.error
import urllib.request

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
HERE = CHECKOUT / "Tests/Products"
FEED = CHECKOUT / "Scripts/demo-feed/feed.xml"
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [{dependency}],
  targets: [{targets}
  ]
)
"""
TARGET = """
    .executableTarget(name: "{name}", dependencies: [{dependencies}]),"""
# What a library must leave as it is: handlers of signals, the mask of new files, the locale, the folder, the environment.
# The signals from 32 on belong to libc (nptl(7)).
PROCESS = """
import Foundation

func process() -> [String] {
  let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
  let lines = status.split(separator: "\\n").map { $0.split(whereSeparator: \\.isWhitespace).map(String.init) }
  func value(_ name: String) -> String { lines.first { $0.first == "\\(name):" }?.last ?? "" }
  let signals = ["SigIgn", "SigCgt"].map { "\\($0) \\((UInt64(value($0), radix: 16) ?? 0) & 0x7FFF_FFFF)" }
  let locale = setlocale(LC_ALL, nil).map { String(cString: $0) } ?? ""
  let variables = ProcessInfo.processInfo.environment.map { "\\($0)=\\($1)" }.sorted()
  return signals + ["umask \\(value("Umask"))", locale, FileManager.default.currentDirectoryPath] + variables
}
"""
BEFORE = """
// The first wait of a program changes what it does with signals itself.
await Task.yield()
let before = process()
"""
AFTER = """
for state in Set(before).symmetricDifference(process()).sorted() { print("the product has changed", state) }
"""
EXAMPLE = """
func example{number}({parameters}) async throws {{
{code}
}}
"""


class Product(typing.NamedTuple):
    """A library product, and what a program needs to run the examples of its documentation."""

    # The products that its examples import.
    imports: tuple
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
    # The arguments of each step of its tutorial: the feed's address, and a library if it needs one.
    arguments: tuple
    # The standard input of each step.
    input: bytes


FEED_MODULES = {"FeedFormats", "Workers", "PictureFiles", "Models"}
LIBRARY_MODULES = FEED_MODULES | {
    "GalleryLibrary", "Composition", "Scenes", "Settings", "Sync", "CurlNetwork", "LibraryFiles", "Store",
    "SQLiteCache", "PostgresStore", "ObjectStore", "Imaging", "DecoderFrames", "Threading", "ArgumentParser",
    "ArgumentParserToolInfo", "Logging", "TOMLKit",
}
LIBRARY_C_MODULES = {"CCrypto", "CCurl", "CLinux", "CPostgres", "CSQLite", "CTOML"}
LIBRARY_MAIN = "let (feed, place) = (CommandLine.arguments[2], CommandLine.arguments[3])"
LIBRARY_CALL = "try await example{number}(place: place, feed: feed)\n"
# How short the programs of Examples are, as their tutorials say.
MOST_LINES = {"contact-sheet/ContactSheet.swift": 149, "feed-server/FeedServer.swift": 60}
# Every type that conforms to another protocol, or may be copied, conforms to these.
IMPLIED_PROTOCOLS = {"SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"}
# Shows two images, and turns a page between them.
CONTACT_SHEET_INPUT = b"3\n\n7\n"
PRODUCTS = {
    "GalleryFeeds": Product(
        imports=("GalleryFeeds",),
        modules=FEED_MODULES | {"GalleryFeeds"},
        c_modules=set(),
        helpers="""
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
        arguments=("{address}",),
        input=FEED.read_bytes(),
    ),
    "GalleryLibrary": Product(
        imports=("GalleryLibrary",),
        modules=LIBRARY_MODULES,
        c_modules=LIBRARY_C_MODULES,
        helpers="""
func show(_ title: String, _ thumbnail: [UInt8]) {
  print(title, thumbnail.isEmpty ? "without a thumbnail" : "with its thumbnail")
}
func note(_ done: Int, of total: Int) {}
func note(_ image: Int64, _ isRemoval: Bool) {}
""",
        parameters="place: String, feed: String",
        main=LIBRARY_MAIN,
        call=LIBRARY_CALL,
        decodes=True,
        arguments=("{library}", "{address}"),
        input=b"",
    ),
    "GalleryScenes": Product(
        imports=("GalleryLibrary", "GalleryScenes"),
        modules=LIBRARY_MODULES | {"GalleryScenes"},
        c_modules=LIBRARY_C_MODULES,
        helpers="""
func draw(_ picture: Picture, at id: Int64) {
  print(id, picture.bytes.count == 4 * picture.size.width * picture.size.height)
}

/// A display of a list that shows nothing.
struct Silent: ListImagesDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {}
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {}
  func displayFailure(viewModel: Fail.ViewModel) { print(viewModel.message) }
}

/// A display of an image that shows whether there are pictures.
struct Photograph: ShowImageDisplayLogic {
  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    print(viewModel.text, viewModel.picture != nil)
  }
  func displayProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {}
  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {}
  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    print(viewModel.text, viewModel.picture != nil)
  }
  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {}
  func displayFailure(viewModel: Fail.ViewModel) { print(viewModel.message) }
}
""",
        parameters="place: String, feed: String",
        main=LIBRARY_MAIN,
        call=LIBRARY_CALL,
        decodes=True,
        arguments=("{library}", "{address}"),
        input=CONTACT_SHEET_INPUT,
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the committed interfaces and outputs")
    parser.add_argument("--long", action="store_true", help="use the Git address and the tag, too, and run Examples")
    parser.add_argument("--modules", type=pathlib.Path, metavar="DIR", help="look at a finished build only")
    parser.add_argument("products", nargs="*", metavar="PRODUCT", help="all, unless some are named; or Examples")
    options = parser.parse_args()
    products = {name: PRODUCTS[name] for name in options.products or PRODUCTS if name != "Examples"}
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
            if "Examples" in options.products or (options.long and not options.products):
                failures += check_examples(package / "Examples", work, f"{address}/{FEED.name}", options)
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
    own = {"client"} | {step.replace("-", "_") for step in steps(name)}
    built = {path.stem for path in (debug / "Modules").glob("*.swiftmodule")}
    if built != product.modules | own:
        yield f"{name} builds {sorted(built - own)}, not {sorted(product.modules)}"
    compiled = {path.relative_to(debug).parts[0].removesuffix(".build") for path in debug.glob("*.build/**/*.o")}
    foreign = compiled - product.modules - product.c_modules - own
    if foreign:
        yield f"{name} compiles {sorted(foreign)} too"
    output = run(by_path, name, product, address)
    yield from compare(HERE / f"{name}.output", output, options.write)

    if options.long:
        by_address = client(name, product, documented_dependency(package), work / "by-address")
        build(by_address)
        if run(by_address, name, product, address) != output:
            yield f"{name} by its Git address prints something else"

    yield from look_at(name, debug, work, options)


def look_at(name, debug, work, options):
    """The failures of a built product's interface and documentation."""
    graphs = work / "graphs"
    extract(name, debug, graphs)
    graph = json.loads((graphs / f"{name}.symbols.json").read_text(encoding="utf-8"))
    interface = "\n".join(declarations(graph)) + "\n"
    yield from compare(HERE / f"{name}.interface", interface, options.write)
    yield from undocumented(graph)
    yield from warnings(name, graphs, work / "documentation")


def client(name, product, dependency, folder):
    """A package with the examples of a product's documentation, and the steps of its tutorial."""
    dependencies = ", ".join(f'.product(name: "{name}", package: "gallery")' for name in product.imports)
    programs = {"client": main_of_examples(name, product)}
    programs.update({step: path.read_text(encoding="utf-8") for step, path in steps(name).items()})
    targets = "".join(TARGET.format(name=program, dependencies=dependencies) for program in programs)
    folder.mkdir(parents=True)
    manifest = MANIFEST.format(dependency=dependency, targets=targets)
    (folder / "Package.swift").write_text(manifest, encoding="utf-8")
    for program, text in programs.items():
        source = folder / "Sources" / program / ("Step.swift" if "@main" in text else "main.swift")
        source.parent.mkdir(parents=True)
        source.write_text(text, encoding="utf-8")
    return folder


def documented_dependency(package):
    """The dependency as the documentation writes it, with the Git address of a repository."""
    page = (CHECKOUT / "Documentation/SwiftPackages.md").read_text(encoding="utf-8")
    address = "https://git.example/gallery"
    return re.search(rf'\.package\(url: "{re.escape(address)}".*\)', page)[0].replace(address, package.as_uri())


def main_of_examples(name, product):
    """A program that runs the examples one after the other."""
    text = "".join(f"import {imported}\n" for imported in product.imports) + PROCESS + product.helpers
    found = examples(name)
    for number, code in enumerate(found):
        text += EXAMPLE.format(number=number, parameters=product.parameters, code=code)
    calls = "".join(product.call.format(number=number) for number in range(len(found)))
    return text + BEFORE + f"{product.main}\n" + calls + AFTER


def steps(product):
    """The steps of a product's tutorial by their names; a step that is a link is built with Examples."""
    resources = CHECKOUT / f"Sources/{product}/{product}.docc/Resources"
    return {path.stem: path for path in sorted(resources.glob("*.swift")) if not path.is_symlink()}


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


def run(folder, name, product, address):
    """What the client and then each step of the tutorial print, with libraries of their own."""
    if product.decodes:
        # As the documentation says.
        build(folder, "--product", "gallery-decoder")
    output = start(folder, "client", [FEED, address, folder / "library"], b"")
    for step in steps(name):
        library = folder / f"library-{step}"
        arguments = [part.format(address=address, library=library) for part in product.arguments]
        output += f"\n{step}\n" + start(folder, step, arguments, product.input)
    return readable(output, folder, address)


def start(folder, program, arguments, standard_input):
    """What a built program prints, also as errors, so that a product with an output of its own is found."""
    command = [folder / ".build/debug" / program, *arguments]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    process = subprocess.run(
        command, input=standard_input, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False
    )
    output = process.stdout.decode()
    if process.returncode:
        sys.exit(f"{program} ends with status {process.returncode}:\n{output}")
    return output


def readable(output, folder, address):
    """The texts of an output, which are the same in each run: no pictures, progress, ports or times of this run."""
    output = re.sub(r"\r[^\r\n]*\x1b\[K(?!\n)", "", output)
    output = re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[\r▀]", "", output)
    output = re.sub(r"(?m)^first seen: .*\n", "", output)
    output = output.replace(str(folder), "FOLDER").replace(address.rsplit("/", 1)[0], "http://example.org")
    output = re.sub(r"(?m)[ \t]+$", "", output)
    return re.sub(r"\n{3,}", "\n\n", output)


def check_examples(folder, work, address, options):
    """The failures of the package of examples."""
    for name, most in MOST_LINES.items():
        lines = len((folder / f"Sources/{name}").read_text(encoding="utf-8").splitlines())
        if lines > most:
            yield f"{name} has {lines} lines, more than {most}"
    started = time.monotonic()
    build(folder)
    build(folder, "--product", "gallery-decoder")
    print(f"Examples: built in {time.monotonic() - started:.0f} s")
    library = work / "examples"
    output = start(folder, "contact-sheet", [library, address], CONTACT_SHEET_INPUT)
    if "\x1b[38;2;" not in output:
        yield "contact-sheet draws no pictures"
    yield from compare(HERE / "contact-sheet.output", readable(output, work, address), options.write)
    with feed_server(folder, [library, address]) as server:
        yield from check_server(server)


@contextlib.contextmanager
def feed_server(folder, arguments):
    """The address of a running server of the examples, once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [folder / ".build/debug/feed-server", *arguments, str(port)], stdout=sys.stderr, stderr=sys.stderr
    )
    try:
        server = f"http://127.0.0.1:{port}"
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{server}/images", timeout=10):
                break
            if process.poll() is not None:
                break
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=60)


def check_server(server):
    """The failures of the server of the examples."""
    with urllib.request.urlopen(f"{server}/images", timeout=60) as answer:
        page = json.load(answer)
    titles = [image["title"] for image in page["images"]]
    if len(titles) != 12 or "Seeding" not in titles or "next" in page:
        yield f"feed-server lists {titles}"
    thumbnails = {path.read_bytes() for path in (FEED.parent / "thumbnails").iterdir()}
    for image in page["images"]:
        with urllib.request.urlopen(server + image["thumbnail"], timeout=60) as answer:
            if answer.read() not in thumbnails or answer.headers["Content-Type"] != "image/jpeg":
                yield f"feed-server sends another thumbnail of {image['title']}"
    try:
        urllib.request.urlopen(f"{server}/thumbnails/999", timeout=60).close()
        yield "feed-server answers for an image that it does not have"
    except urllib.error.HTTPError as error:
        if error.code != 404:
            yield f"feed-server answers {error.code} for an image that it does not have"


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
    """A line for each public declaration, with the protocols to which a type conforms, sorted by its path."""
    names = {symbol["identifier"]["precise"]: path_of(symbol) for symbol in graph["symbols"]}
    conformances = {}
    for relationship in graph["relationships"]:
        if relationship["kind"] == "conformsTo":
            protocol = names.get(relationship["target"]) or relationship["targetFallback"].split(".", 1)[1]
            if protocol not in IMPLIED_PROTOCOLS:
                conformances.setdefault(relationship["source"], set()).add(protocol)
    for symbol in sorted(
        graph["symbols"], key=lambda symbol: (symbol["pathComponents"], symbol["identifier"]["precise"])
    ):
        line = f"{path_of(symbol)}: {declaration_of(symbol)}"
        protocols = sorted(conformances.get(symbol["identifier"]["precise"], []))
        yield f"{line} [{', '.join(protocols)}]" if protocols else line


def path_of(symbol):
    return ".".join(symbol["pathComponents"])


def declaration_of(symbol):
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())


def undocumented(graph):
    """Each public symbol without a sentence, and each that may throw and does not say what."""
    for symbol in graph["symbols"]:
        text = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        # The text of a sequence says what its iterator throws.
        is_iteration = symbol["pathComponents"][-1] == "next(isolation:)"
        if not text.strip():
            yield f"{path_of(symbol)} has no documentation"
        elif "throws" in declaration_of(symbol) and "- Throws:" not in text and not is_iteration:
            yield f"{path_of(symbol)} does not say what it throws"


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
    """The warnings of the documentation."""
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

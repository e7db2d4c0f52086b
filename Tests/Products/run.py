"""Builds and runs a package that uses the library products: see Scripts/products."""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
HERE = CHECKOUT / "Tests/Products"
FEED = CHECKOUT / "Scripts/demo-feed/feed.xml"
# The modules that a program gets with each product, besides its own.
MODULES = {"GalleryFeeds": {"GalleryFeeds", "FeedFormats", "Workers", "PictureFiles", "Models"}}
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
# What the examples of the documentation use without showing it.
PREAMBLE = """\
import Foundation
import {product}

func show(_ images: [FeedImage]) {{ for image in images {{ print(image.original) }} }}
func note(_ title: String?, _ problems: [FeedProblem]) {{ print(title ?? "", problems.count) }}
"""
EXAMPLE = """
func example{number}(
  bytes: [UInt8], body: AsyncStream<[UInt8]>, address: String
) async throws {{
{code}
}}
"""
MAIN = """
let bytes = try Array(Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
"""
CALL = """
do {{
  let (body, parts) = AsyncStream<[UInt8]>.makeStream()
  parts.yield(bytes)
  parts.finish()
  try await example{number}(bytes: bytes, body: body, address: "https://example.org/feed.xml")
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the committed interfaces and outputs")
    parser.add_argument("--long", action="store_true", help="use the Git address and the tag, too")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory(prefix="gallery-products-") as name:
        work = pathlib.Path(name)
        package = copy_of_checkout(work)
        for product, modules in MODULES.items():
            failures += check(product, modules, package, work / product, options)
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


def check(product, modules, package, work, options):
    """The failures of one product."""
    by_path = client(product, '.package(path: "../../gallery")', work / "by-path")
    started = time.monotonic()
    output = build_and_run(by_path)
    print(f"{product}: built by a package of its own in {time.monotonic() - started:.0f} s")
    built = {path.stem for path in (by_path / ".build/debug/Modules").glob("*.swiftmodule")}
    if built != modules | {"client"}:
        yield f"{product} builds {sorted(built)}, not {sorted(modules)}"
    compiled = {path.parent.name for path in (by_path / ".build/debug").glob("*.build/**/*.o")}
    foreign = {name.removesuffix(".build") for name in compiled} - modules - {"client"}
    if foreign:
        yield f"{product} compiles {sorted(foreign)} too"
    yield from compare(HERE / f"{product}.output", output, options.write)

    if options.long:
        address = f'.package(url: "{package.as_uri()}", from: "0.1.0")'
        if build_and_run(client(product, address, work / "by-address")) != output:
            yield f"{product} by its Git address prints something else"

    graphs = work / "graphs"
    extract(product, by_path / ".build/debug/Modules", graphs)
    interface = "\n".join(declarations(graphs / f"{product}.symbols.json")) + "\n"
    yield from compare(HERE / f"{product}.interface", interface, options.write)
    yield from warnings(product, graphs, work / "documentation")


def client(product, dependency, folder):
    """A package with the examples of a product's documentation."""
    sources = folder / "Sources/client"
    sources.mkdir(parents=True)
    manifest = MANIFEST.format(dependency=dependency, product=product)
    (folder / "Package.swift").write_text(manifest, encoding="utf-8")
    text = PREAMBLE.format(product=product)
    found = examples(product)
    for number, code in enumerate(found):
        text += EXAMPLE.format(number=number, code=code)
    text += MAIN + "".join(CALL.format(number=number) for number in range(len(found)))
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


def build_and_run(folder):
    """What the client prints."""
    subprocess.run(["swift", "build", "-q"], cwd=folder, check=True, stdout=sys.stderr)
    command = [folder / ".build/debug/client", FEED]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def extract(product, modules, graphs):
    graphs.mkdir()
    target = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    )["target"]["triple"]
    headers = [f"-I{path}" for path in (CHECKOUT / "Sources").glob("C*") if path.is_dir()]
    subprocess.run(
        [
            "swift-symbolgraph-extract", "-module-name", product, "-target", target, "-I", modules, *headers,
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

/// Joins the files of `Assets` into bundles for browsers, which need fewer requests and compress better.
///
/// Scripts are ES modules. Those of a bundle share one scope, so the names at their top level must differ. Comments and
/// indentation are removed line by line, so no text may span several lines, and no comment stands behind code. Styles
/// lose the ends of their lines, too, so each line ends with punctuation, and no text contains `: ` or `;}`.
/// `AssetTests` checks that the files follow these rules.
enum AssetBundles {
  typealias File = (name: String, bytes: [UInt8])

  static let bundles: [(name: String, parts: [String])] = [
    // A list is shown as soon as this style is there; the others come with the pages that need them.
    ("app.css", ["app.css", "list.css"]),
    ("viewer.css", ["viewer.css"]),
    ("feeds.css", ["feeds.css"]),
    ("frame.css", ["frame.css"]),
    // Only for the pages of a static site.
    ("export.css", ["export.css"]),
    ("core.js", ["dom.js", "api.js", "live.js", "page.js"]),
    (
      "list.js",
      [
        "layout.js", "timeline.js", "scroller.js", "tiles.js", "stack.js", "grid.js",
        "grid-keys.js", "scrubber.js", "overlay.js", "controls.js", "current.js", "list.js",
      ]
    ),
    ("viewer.js", ["zoom.js", "viewer.js", "offline.js"]),
    ("feeds.js", ["feeds.js"]),
    ("frame.js", ["frame.js"]),
    ("image.js", ["image.js"]),
    // One bundle for both kinds of workers, which share most of it.
    (
      "worker.js",
      [
        "folding.js", "store.js", "tree.js", "changes.js", "live-worker.js", "service-worker.js",
      ]
    ),
  ]

  /// The bundles, and the files that belong to no bundle.
  static func join(_ files: [File]) -> [File] {
    let texts = Dictionary(
      uniqueKeysWithValues: files.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    )
    let parts = Set(bundles.flatMap(\.parts))
    let joined = bundles.map { bundle in
      let text =
        bundle.name.hasSuffix(".js")
        ? script(bundle.name, bundle.parts, texts)
        : bundle.parts.flatMap { lines(of: texts[$0] ?? "") }
          .map { tight($0, "{};,>", isStyle: true) }.joined()
          .replacing(";}", with: "}").replacing(": ", with: ":")
      return (bundle.name, Array((text + "\n").utf8))
    }
    return joined + files.filter { !parts.contains($0.name) }
  }

  /// Removes the spaces beside punctuation, outside of strings.
  ///
  /// A line stays unchanged when this function cannot tell for certain where its strings are: a slash may begin a
  /// regular expression, but not in a style.
  static func tight(
    _ line: Substring,
    _ punctuation: String,
    isStyle: Bool = false
  ) -> String {
    guard !line.contains("\\"), line.count(where: { $0 == "`" }) <= 2 else { return String(line) }
    var result = ""
    var quote: Character?
    for index in line.indices {
      let character = line[index]
      if quote != nil {
        if character == quote { quote = nil }
      } else if character == "/", !isStyle {
        return String(line)
      } else if character == "\"" || character == "`" {
        quote = character
      } else if character == " " {
        let next = line.index(after: index)
        if result.last.map(punctuation.contains) == true { continue }
        if next < line.endIndex, punctuation.contains(line[next]) { continue }
      }
      result.append(character)
    }
    return result
  }

  /// The lines of a file, without indentation, empty lines and comments.
  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var isComment = false
    for line in text.split(separator: "\n") {
      let line = line.trimming(while: { $0 == " " })
      if isComment || line.hasPrefix("/*") {
        isComment = !line.contains("*/")
      } else if !line.isEmpty, !line.hasPrefix("//") {
        lines.append(line)
      }
    }
    return lines
  }

  /// Joins scripts: imports from the same bundle are removed, and imports from another bundle become one.
  private static func script(
    _ name: String,
    _ parts: [String],
    _ texts: [String: String]
  ) -> String {
    var imports: [String: Set<Substring>] = [:]
    var body: [Substring] = []
    for line in parts.flatMap({ lines(of: texts[$0] ?? "") }) {
      guard let (names, file) = imported(line) else {
        // A worker's script is not a module, so it exports nothing.
        body.append(name.hasSuffix("worker.js") ? line.trimmingPrefix("export ") : line)
        continue
      }
      if parts.contains(file) { continue }
      let home = bundles.first { $0.parts.contains(file) }?.name ?? file
      imports[home, default: []].formUnion(names)
    }
    let head = imports.sorted { $0.key < $1.key }.map { home, names in
      let from = names.isEmpty ? "" : "{ \(names.sorted().joined(separator: ", ")) } from "
      return Substring("import \(from)\"./\(home)\";")
    }
    return joined((head + body).map { tight($0, "{}()[];,=<>*?:&|!") })
  }

  /// Joins lines.
  ///
  /// Behind punctuation, a break ends no statement. What comes and goes by name has its own line.
  private static func joined(_ lines: [String]) -> String {
    lines.reduce(into: "") { text, line in
      let isNamed = line.hasPrefix("import ") || line.hasPrefix("export ")
      if let last = text.last, isNamed || !"{(,;".contains(last) { text += "\n" }
      text += line
    }
  }

  /// The names and the file of a line such as `import { a, b } from "./dom.js";` or `import "./dom.js";`.
  private static func imported(_ line: Substring) -> (names: [Substring], file: String)? {
    guard line.hasPrefix("import "), line.hasSuffix("\";"),
      let path = line.dropLast(2).split(separator: "\"").last, path.hasPrefix("./")
    else { return nil }
    let words = line.split(whereSeparator: { " ,".contains($0) }).dropFirst().dropLast()
    return (words.filter { !["{", "}", "from"].contains($0) }, String(path.dropFirst(2)))
  }
}

extension Substring {
  fileprivate func trimming(while predicate: (Character) -> Bool) -> Substring {
    var text = drop(while: predicate)
    while let last = text.last, predicate(last) { text.removeLast() }
    return text
  }
}

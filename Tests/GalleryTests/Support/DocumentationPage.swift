import Foundation
import TestSupport
import Testing

/// A page of the documentation, by its path in the checkout.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  let path: String
  let text: String

  var testDescription: String { path }

  /// README, CONTRIBUTING, and the pages of `Documentation`.
  static let all =
    ["README.md", "CONTRIBUTING.md"].map(DocumentationPage.init)
    + names(in: "Documentation").map { DocumentationPage("Documentation/\($0)") }

  /// Every page with links that a reader may follow.
  static let withLinks =
    all
    + ["CHANGELOG.md", "SECURITY.md", "Benchmarks/README.md", "Fuzzing/README.md"]
    .map(DocumentationPage.init)

  /// The pages about the code: CONTRIBUTING, the articles and the glossary.
  static let aboutCode = all.filter { page in
    !["README", "Commands", "Export", "Feeds", "Install", "JSON", "Library", "Networking"]
      .contains { page.path.hasSuffix("\($0).md") }
  }

  init(_ path: String) {
    self.path = path
    // A missing page has no text, and the tests fail.
    text = (try? Checkout.text(of: path)) ?? ""
  }

  private static func names(in folder: String) -> [String] {
    let path = Checkout.folder.appending(path: folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted()
  }

  /// The lines of each code block, with the language after its opening fence.
  var blocks: [(language: String, lines: [String])] {
    var blocks: [(language: String, lines: [String])] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { blocks.append((String(line.dropFirst(3)), [])) }
        isInside.toggle()
      } else if isInside {
        blocks[blocks.count - 1].lines.append(String(line))
      }
    }
    return blocks
  }

  /// The text outside of code blocks.
  var prose: String {
    text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(separator: "\n")
  }

  /// The texts between backticks in the prose.
  var codeSpans: Set<String> {
    Set(prose.matches(of: /`([^`\n]+)`/).map { String($0.1) })
  }

  /// The paths in the checkout among the code spans.
  var paths: [String] {
    codeSpans.filter { $0.contains(/^(Sources|Tests|Scripts|Documentation|Benchmarks|Fuzzing)\//) }
      .map { String($0.prefix { $0 != " " }) }
  }

  /// The names of types and functions among the code spans: those with a capital letter inside, and
  /// single words with one at the beginning.
  var names: Set<String> {
    let spans = codeSpans.filter {
      !$0.contains("/") && $0.contains(/^[A-Za-z]+[a-z][A-Z]|^[A-Z][a-z]+$/)
    }
    return Set(spans.flatMap { $0.matches(of: /[A-Za-z]\w+/).map { String($0.output) } })
      .subtracting(["swift"])
  }

  /// The commands of its shell sessions.
  var commands: [DocumentedCommand] {
    blocks.filter { $0.language == "console" }.flatMap { DocumentedCommand.all(in: $0.lines) }
  }

  /// The targets of the links to files: a path from the root of the checkout, and an anchor.
  var fileLinks: [(path: String, anchor: String?)] {
    prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
      .map { target in
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = URL(filePath: "/\(path)").deletingLastPathComponent()
        let file = folder.appending(path: parts[0]).standardized.path.dropFirst()
        return (parts[0].isEmpty ? path : String(file), parts.count > 1 ? String(parts[1]) : nil)
      }
  }

  /// The anchors of the headings, as GitHub makes them.
  var anchors: Set<String> {
    Set(
      prose.matches(of: /(?m)^#+ (.+)$/).map { heading in
        heading.1.lowercased().replacing(/[^\w\- ]/, with: "").replacing(" ", with: "-")
      }
    )
  }
}

/// A command of a shell session on a page, and the output that the page shows below it.
struct DocumentedCommand: Sendable {
  let line: String
  /// The status in the comment after the command, or 0.
  let status: Int32
  /// The lines of output.
  ///
  /// `…` matches any text within a line. As a line by itself, it matches any lines.
  private(set) var shown: [String] = []

  private init(_ line: String) {
    self.line = line
    status = line.firstMatch(of: /# exits with (\d+)/).flatMap { Int32($0.1) } ?? 0
  }

  /// The commands of a block: each begins with a prompt.
  static func all(in lines: [String]) -> [DocumentedCommand] {
    var commands: [DocumentedCommand] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        commands.append(DocumentedCommand(String(line.dropFirst(2))))
      } else if !commands.isEmpty {
        commands[commands.count - 1].show(line)
      }
    }
    return commands
  }

  /// Adds a line of output; a long JSON object continues on indented lines.
  private mutating func show(_ line: String) {
    if line.hasPrefix(" "), shown.last?.hasPrefix("{") == true {
      shown[shown.count - 1] += line.drop { $0 == " " }
    } else {
      shown.append(line)
    }
  }

  /// Whether the output is the one that the page shows.
  ///
  /// Any two numbers of bytes are equal, and so are any two times. A sync tells of its progress only if it takes some
  /// seconds.
  func isMatched(by output: String) -> Bool {
    var lines = withoutProgress(output).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )[...]
    if lines.last?.isEmpty == true { lines = lines.dropLast() }
    return Self.match(shown.map(Self.leveled)[...], lines.map { Self.leveled(String($0)) }[...])
  }

  private static func leveled(_ line: String) -> String {
    line.replacing(/\b\d+(\.\d)? (B|[KMG]iB)\b/, with: "SIZE")
      .replacing(/\bSIZE in (?:\d+ min )?\d+ s\b/, with: "SIZE in TIME")
      .replacing(/\b\d+\.\d+ s\b/, with: "TIME")
  }

  private static func match(_ shown: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
    guard let first = shown.first else { return printed.isEmpty }
    if first == "…" {
      return (printed.startIndex...printed.endIndex).contains {
        match(shown.dropFirst(), printed[$0...])
      }
    }
    guard let line = printed.first, isMatch(first, line) else { return false }
    return match(shown.dropFirst(), printed.dropFirst())
  }

  private static func isMatch(_ shown: String, _ line: String) -> Bool {
    let parts = shown.components(separatedBy: "…")
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return shown == line
    }
    guard line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

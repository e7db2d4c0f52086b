import FoundationEssentials
import Glibc
import TOMLKit

/// A mistake in the settings, with a message for the user.
package struct ConfigurationMistake: Error, Equatable, Sendable, Codable {
  /// The argument that makes gallery-server print the mistakes in its settings, as JSON.
  package static let request = "--settings-mistakes"

  /// The line of the file; nil when the mistake is not on a single line.
  package let line: Int?
  package let message: String

  package init(line: Int?, message: String) {
    self.line = line
    self.message = message
  }
}

extension ConfigurationMistake {
  /// A mistake of the file as a whole.
  fileprivate static func ofFile(_ message: String) -> Self { .init(line: nil, message: message) }

  /// The reason why the last system call has failed.
  fileprivate static var lastError: Self { .ofFile(String(cString: strerror(errno))) }
}

/// A value of the file, with the keys that lead to it.
struct FileValue: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case text(String)
    case flag(Bool)
    case list([Content])
    case table([String: FileValue])
  }

  let content: Content
  let key: [String]

  var table: [String: FileValue]? {
    if case .table(let table) = content { table } else { nil }
  }
}

/// Paths that begin with a tilde, which no shell has expanded.
package enum HomePath {
  /// The path with the user's home in the place of `~`; unchanged for another path, and without a home.
  package static func expanded(_ path: String, home: () -> String?) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = home(), !home.isEmpty else { return path }
    return home + path.dropFirst()
  }

  /// The path with the home that the environment names.
  package static func expanded(_ path: String) -> String {
    expanded(path) { ProcessInfo.processInfo.environment["HOME"] }
  }
}

/// The user's file of settings, in TOML 1.0.
package struct ConfigurationFile: Sendable {
  /// The most bytes of a file, far more than settings need.
  private static let mostBytes = 256 << 10
  /// The number of /dev/null, which stands for no settings (null(4)).
  private static let nullDevice: dev_t = 0x103

  package let path: String
  let values: [String: FileValue]
  private let text: String
  private let outline: ConfigurationOutline

  /// Reads a file; returns nil when it does not exist.
  ///
  /// - Throws: The mistake because of which it cannot be read.
  package init?(path: String) throws(ConfigurationMistake) {
    guard access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else { return nil }
    let text = try Self.text(of: path)
    self.path = path
    self.text = text
    outline = try ConfigurationOutline(text)
    values = try Self.values(of: text)
  }

  /// Reads the user's file; returns nil when there is none in the usual place.
  ///
  /// - Throws: The mistake because of which it cannot be read. A file that `$GALLERY_CONFIG` names must exist.
  package static func ofUser(
    in environment: [String: String]
  ) throws(ConfigurationMistake) -> ConfigurationFile? {
    guard let path = path(in: environment) else { return nil }
    if let file = try ConfigurationFile(path: path) { return file }
    guard environment["GALLERY_CONFIG"]?.isEmpty ?? true else {
      throw .ofFile(
        """
        $GALLERY_CONFIG names '\(path)', which does not exist — 'gallery config edit' makes it, and \
        GALLERY_CONFIG=/dev/null stands for no settings
        """
      )
    }
    return nil
  }

  /// The path of the file: `$GALLERY_CONFIG`, or else in the folder of the XDG Base Directory Specification.
  ///
  /// That specification ignores a relative `$XDG_CONFIG_HOME`. The path is nil without a home folder, and if the home
  /// folder belongs to another user, for example after setpriv(1).
  package static func path(in environment: [String: String]) -> String? {
    if let path = environment["GALLERY_CONFIG"], !path.isEmpty {
      return HomePath.expanded(path) { environment["HOME"] }
    }
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config" }
    guard let path = (folder ?? home).map({ "\($0)/gallery/config.toml" }) else { return nil }
    return access(path, F_OK) != 0 && errno == EACCES ? nil : path
  }

  /// The library that the user's file sets for every command; nil when it does not set one.
  ///
  /// It is also nil when the environment sets one, and when the file cannot be read.
  package static var library: String? {
    let environment = ProcessInfo.processInfo.environment
    guard environment["GALLERY_CACHE"]?.isEmpty ?? true, let path = path(in: environment),
      let file = try? ConfigurationFile(path: path),
      case .text(let folder) = file.values["cache"]?.content
    else { return nil }
    return file.resolved(folder, home: environment["HOME"])
  }

  /// Resolves a path in the file, which is relative to the folder of the file, or to the user's home after `~/`.
  func resolved(_ path: String, home: String?) -> String {
    let path = HomePath.expanded(path) { home }
    if path.hasPrefix("/") || path.contains("://") { return path }
    return URL(filePath: self.path).deletingLastPathComponent().appending(path: path).path
  }

  /// The line of each key.
  ///
  /// The TOML parser does not provide lines. So this parses the document up to the end of each statement: its keys are
  /// those that the beginning before it lacks.
  package var lines: [[String]: Int] {
    var lines: [[String]: Int] = [:]
    for statement in outline.statements {
      let beginning = String(decoding: text.utf8.prefix(statement.end), as: UTF8.self)
      guard let table = try? TOMLTable(string: beginning) else { continue }
      Self.note(table, [], statement.line, in: &lines)
    }
    return lines
  }

  private static func note(
    _ table: TOMLTable,
    _ path: [String],
    _ line: Int,
    in lines: inout [[String]: Int]
  ) {
    for key in table.keys {
      let path = path + [key]
      if lines[path] == nil { lines[path] = line }
      if let inner = table[key]?.table { note(inner, path, line, in: &lines) }
    }
  }

  private static func text(of path: String) throws(ConfigurationMistake) -> String {
    // Without O_NONBLOCK, this would wait until a program writes to a pipe.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .lastError }
    defer { close(file) }
    guard try hasContent(file) else { return "" }
    let bytes = try beginning(of: file)
    guard bytes.count <= mostBytes else { throw .ofFile("it has more than \(mostBytes) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .ofFile("it is not in UTF-8")
    }
    return text
  }

  /// Whether an open file is a file; false for /dev/null.
  ///
  /// - Throws: for a folder, a pipe or a device.
  private static func hasContent(_ file: Int32) throws(ConfigurationMistake) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .lastError }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return true
    case S_IFCHR where status.st_rdev == nullDevice: return false
    case S_IFDIR: throw .ofFile(String(cString: strerror(EISDIR)))
    default: throw .ofFile("it is not a file")
    }
  }

  /// The bytes of an open file, up to one more than it may have.
  private static func beginning(of file: Int32) throws(ConfigurationMistake) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes[count...].withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw .lastError }
      if more == 0 { break }
      count += more
    }
    return bytes.prefix(count)
  }

  private static func values(of text: String) throws(ConfigurationMistake) -> [String: FileValue] {
    // The TOML parser would truncate a text here without reporting it.
    let zero = /\0|\\u0000|\\U00000000/
    if let match = text.firstMatch(of: zero) {
      let line = text[..<match.range.lowerBound].count { $0.isNewline } + 1
      throw ConfigurationMistake(line: line, message: "a text cannot hold a zero byte")
    }
    do {
      return content(try TOMLTable(string: text), [])
    } catch let error as TOMLParseError {
      let line = error.source.begin.line
      let message = quotesHint(text, line) ?? error.description.replacing("\n", with: " ")
      throw ConfigurationMistake(line: line, message: message)
    } catch {
      throw ConfigurationMistake(line: nil, message: "\(error)")
    }
  }

  /// What to write instead of a value without quotes on a line; nil for other mistakes.
  private static func quotesHint(_ text: String, _ line: Int) -> String? {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    guard lines.indices.contains(line - 1),
      let match = lines[line - 1].wholeMatch(
        of: /\s*([\w."-]+)\s*=\s*([^\s"'\[{#][^"'#]*?)\s*(?:#.*)?/
      )
    else { return nil }
    let (key, value) = (match.1, match.2)
    if ["true", "false"].contains(value.lowercased()) {
      return "'\(value)' is written in small letters: \(key) = \(value.lowercased())"
    }
    return "'\(value)' needs quotes: \(key) = \"\(value)\""
  }

  private static func content(_ table: TOMLTable, _ path: [String]) -> [String: FileValue] {
    var values: [String: FileValue] = [:]
    for key in table.keys {
      guard let value = table[key] else { continue }
      values[key] = FileValue(content: content(value, path + [key]), key: path + [key])
    }
    return values
  }

  private static func content(
    _ value: any TOMLValueConvertible,
    _ path: [String]
  ) -> FileValue.Content {
    if let table = value.table { return .table(content(table, path)) }
    if let flag = value.bool { return .flag(flag) }
    if let text = value.string { return .text(text) }
    if let list = value.array { return .list(list.map { content($0, path) }) }
    if let number = value.int { return .text(String(number)) }
    if let number = value.double { return .text(String(number)) }
    // A date or a time, as written in TOML.
    return .text(value.debugDescription)
  }
}

import ArgumentParser
import FoundationEssentials
import Glibc
import Workers

/// A user's file with secrets, which only the user may be able to read.
///
/// Messages never contain its content.
struct SecretFile {
  /// The most bytes of a file, far more than request fields or a browser's cookies need.
  private static let mostBytes = 4 << 20
  /// Fields that every request already has, or that would change the kind of the response.
  private static let taken: Set = [
    "accept", "accept-encoding", "connection", "content-length", "cookie", "expect", "host",
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range",
    "te", "trailer", "transfer-encoding", "upgrade",
  ]

  let path: String
  private let lines: [String]

  /// - Throws: `ValidationError` when it cannot be read, or when others can read it.
  init(path: String) throws {
    self.path = path
    func problem(_ message: String) -> ValidationError {
      ValidationError(
        "cannot use '\(path)': \(message) — 'gallery show --offline' shows what is stored"
      )
    }
    guard let file = fopen(path, "r") else { throw problem(String(cString: strerror(errno))) }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw problem("it is not a file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw problem("other users may read it; 'chmod 600' keeps it to you")
    }
    guard status.st_size <= Self.mostBytes else {
      throw problem("it has more than \(Self.mostBytes) bytes")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = fread(&bytes, 1, bytes.count, file)
    guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
      throw problem("it is not in UTF-8")
    }
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
  }

  /// The fields, one `Name: value` per line; empty lines and comments are ignored.
  func fields() throws -> [OriginFields.Field] {
    var fields: [OriginFields.Field] = []
    for (number, line) in numbered where !line.hasPrefix("#") {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let value = parts.count == 2 ? parts[1].trimmed : ""
      guard name.wholeMatch(of: /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/) != nil, Self.isSendable(value)
      else {
        throw problem(number, "is not 'Name: value'")
      }
      if Self.taken.contains(name.lowercased()) {
        let hint = name.lowercased() == "cookie" ? "; 'cookies-file' is for cookies" : ""
        throw problem(number, "has a field that gallery sets itself\(hint)")
      }
      fields.append(.init(name: name, value: value))
    }
    return fields
  }

  /// The cookies in the format of browsers and curl: lines of seven parts separated by tabs.
  func cookies() throws -> [OriginFields.Cookie] {
    var cookies: [OriginFields.Cookie] = []
    for (number, line) in numbered {
      let mark = "#HttpOnly_"
      if line.hasPrefix("#"), !line.hasPrefix(mark) { continue }
      let parts = line.trimmingPrefix(mark)
        .split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 7, let expires = TimeInterval(parts[4]), !parts[5].isEmpty,
        Self.isSendable(parts[5] + parts[6])
      else { throw problem(number, "has not the seven parts of a cookie") }
      let host = parts[0].lowercased().trimmingPrefix(".")
      cookies.append(
        .init(
          domain: (parts[1] == "TRUE" ? "." : "") + host,
          path: parts[2],
          isSecure: parts[3] == "TRUE",
          expires: expires > 0 ? Date(timeIntervalSince1970: expires) : nil,
          name: parts[5],
          value: parts[6]
        )
      )
    }
    return cookies
  }

  private var numbered: [(number: Int, line: String)] {
    lines.enumerated().map { ($0.offset + 1, $0.element) }.filter { !$0.line.isEmpty }
  }

  /// Whether a text is a valid field value; an empty one is not.
  private static func isSendable(_ value: String) -> Bool {
    !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
  }

  private func problem(_ line: Int, _ message: String) -> ValidationError {
    ValidationError("cannot use '\(path)': line \(line) \(message)")
  }
}

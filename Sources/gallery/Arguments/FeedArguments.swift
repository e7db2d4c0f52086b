import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Settings
import Workers

/// The feeds that a command names, and the pipes among them.
///
/// A document from a pipe has a special address by its number, so the first pipe of a command is always the same feed,
/// and so is the second. A name makes it a feed of its own.
struct FeedArguments {
  private(set) var feeds: [FeedArgument] = []
  /// The descriptors to read from, by the addresses that represent them.
  private(set) var pipes: [WebAddress: Int32] = [:]

  /// Reads the arguments, and opens the pipes that they name by path.
  ///
  /// - Parameters:
  ///   - texts: The arguments.
  ///   - name: The name of the only argument, which is a pipe; nil when the pipes have none.
  /// - Throws: `ValidationError` for a name that is no name, or of anything but one pipe.
  init(_ texts: [String], as name: String? = nil) throws {
    let named = try name.map { name in
      guard let address = WebAddress.pipe(named: name.trimmed) else {
        throw ValidationError("'\(name)' does not name a document; a word such as 'cats' does")
      }
      guard texts.count == 1, !texts.contains(where: { Self.pipe($0) == nil }) else {
        throw ValidationError("--as names one document from a pipe: gallery sync - --as cats")
      }
      return address
    }
    for text in texts {
      if let descriptor = Self.pipe(text) {
        let address = named ?? WebAddress(pipe: pipes.count + 1)
        pipes[address] = descriptor
        feeds.append(.pipe(address))
      } else {
        feeds.append(Self.feed(named: text))
      }
    }
  }

  /// The most bytes of a file with feeds.
  private static let mostBytes = 16 << 20

  /// The feeds in a file, one a line, without empty lines and comments.
  ///
  /// A comment begins with `#` at the start of a line, or behind white space.
  ///
  /// - Throws: `ValidationError` when the file cannot be read, or names no feed.
  static func lines(ofFile path: String) throws -> [String] {
    func problem(_ reason: String) -> ValidationError {
      ValidationError("cannot read '\(path)': \(reason)")
    }
    let file =
      path == "-" ? STDIN_FILENO : Glibc.open(HomePath.expanded(path), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw problem(String(cString: strerror(errno))) }
    defer { if path != "-" { close(file) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= mostBytes {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw problem(String(cString: strerror(errno))) }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    guard bytes.count <= mostBytes else { throw problem("it has more than \(mostBytes) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("it is not in UTF-8")
    }
    let feeds = text.split { $0.isNewline }.map { withoutComment($0).trimmed }
      .filter { !$0.isEmpty }
    if feeds.isEmpty { throw problem("it names no feed") }
    return feeds
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    let begin = line.indices.first { index in
      line[index] == "#"
        && (index == line.startIndex || line[line.index(before: index)].isWhitespace)
    }
    return line[..<(begin ?? line.endIndex)]
  }

  static func feed(named text: String) -> FeedArgument { .typed(text) }

  /// The descriptor of a pipe; nil for anything else.
  private static func pipe(_ text: String) -> Int32? {
    if ["-", "stdin:", "/dev/stdin"].contains(text) { return STDIN_FILENO }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where text.hasPrefix(folder) {
      let number = Int32(text.dropFirst(folder.count))
      return number.flatMap { fcntl($0, F_GETFD) >= 0 ? $0 : nil }
    }
    var status = stat()
    guard stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    // Waits for a writer, as any program does when it opens a pipe.
    let descriptor = open(text, O_RDONLY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }
}

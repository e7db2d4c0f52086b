import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Scenes
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
    let texts = Self.spreading(texts)
    let named = try name.map { name in
      guard let address = WebAddress.pipe(named: name.trimmed) else {
        throw ValidationError("'\(name)' does not name a document; a word such as 'cats' does")
      }
      guard texts.count == 1, !texts.contains(where: { Self.pipe($0) == nil }) else {
        throw ValidationError(
          "--as names one document from a pipe: \(SuggestedCommand.program) sync - --as cats"
        )
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

  /// The feeds that a command names, with those in lists of ids (`3,4`) each in a word of its own.
  static func feeds(named texts: [String]) -> [FeedArgument] {
    spreading(texts).map(feed)
  }

  /// The words with the feeds of lists of ids or addresses, and of links of Markdown, each in a word of its own.
  private static func spreading(_ texts: [String]) -> [String] {
    let isFile = FileManager.default.fileExists(atPath:)
    let words = texts.flatMap { text in
      isFile(text) ? [text] : (try? FeedList.linked(text)) ?? FeedList.addresses(text) ?? [text]
    }
    return IDList.spreading(words, fileExists: isFile)
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

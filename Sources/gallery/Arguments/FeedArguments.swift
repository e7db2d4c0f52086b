import Foundation
import Glibc
import Models
import Workers

/// The feeds that a command names, and the pipes among them.
///
/// A document that comes through a pipe is asked for under an address of its own: the first of a command is always
/// the same feed, and so is the second.
struct FeedArguments {
  private(set) var feeds: [FeedArgument] = []
  /// What to read instead of asking for an address.
  private(set) var pipes: [WebAddress: Int32] = [:]

  /// Reads what was typed, and opens the pipes that it names by path.
  init(_ texts: [String]) {
    for text in texts {
      if let descriptor = Self.pipe(text) {
        let address = WebAddress(pipe: pipes.count + 1)
        pipes[address] = descriptor
        feeds.append(.pipe(address))
      } else {
        feeds.append(Self.feed(named: text))
      }
    }
  }

  static func feed(named text: String) -> FeedArgument {
    FeedArgument(
      text,
      relativeTo: Program.workingFolder,
      fileExists: FileManager.default.fileExists
    )
  }

  /// The descriptor of what is no file with a content of its own; nil for all else.
  private static func pipe(_ text: String) -> Int32? {
    if ["-", "stdin:", "/dev/stdin"].contains(text) { return STDIN_FILENO }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where text.hasPrefix(folder) {
      let number = Int32(text.dropFirst(folder.count))
      return number.flatMap { fcntl($0, F_GETFD) >= 0 ? $0 : nil }
    }
    var status = stat()
    guard stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    // Waits for a writer, as any program that is given a pipe by its path.
    let descriptor = open(text, O_RDONLY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }
}

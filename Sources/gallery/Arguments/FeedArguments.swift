import FoundationEssentials
import Glibc
import Models
import Workers

/// The feeds that a command names, and the pipes among them.
///
/// A document from a pipe has a special address by its number, so the first pipe of a command is always the same feed,
/// and so is the second.
struct FeedArguments {
  private(set) var feeds: [FeedArgument] = []
  /// The descriptors to read from, by the addresses that represent them.
  private(set) var pipes: [WebAddress: Int32] = [:]

  /// Reads the arguments, and opens the pipes that they name by path.
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
      relativeTo: FileManager.default.currentDirectoryPath,
      fileExists: FileManager.default.fileExists
    )
  }

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

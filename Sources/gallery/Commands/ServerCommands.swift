import ArgumentParser
import FoundationEssentials
import Glibc
import Scenes
import Terminal
import Threading

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the library to browsers and programs."
  )

  @Argument(
    parsing: .captureForPassthrough,
    help: "The options: 'gallery serve --help' lists them."
  )
  var words: [String] = []

  func run() async throws { try ServerProgram.replaceThis(with: ["serve"] + words) }
}

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and remove access tokens."
  )

  static let names = ["list", "add", "remove"]

  @Argument(parsing: .captureForPassthrough, help: "list, add NAME, or remove NAME.")
  var words: [String] = []

  func run() async throws { try ServerProgram.replaceThis(with: ["token"] + words) }
}

/// The program that serves; it is separate, so that other commands do not load a web server.
enum ServerProgram {
  /// Replaces this program by the server in the same process (execv(3)).
  ///
  /// - Throws: when it cannot be started.
  static func replaceThis(with words: [String]) throws -> Never {
    let path = try path
    var arguments: [UnsafeMutablePointer<CChar>?] = (["gallery"] + words).map { strdup($0) }
    arguments.append(nil)
    execv(path, arguments)
    let reason = String(cString: strerror(errno))
    throw ValidationError("cannot start \(HarmlessText.line(path)): \(reason)")
  }

  /// Runs the server to its end, and returns its output.
  ///
  /// - Throws: when it cannot be started.
  static func output(of words: String...) throws -> Data {
    Data(try ChildProcess.run([try path] + words).output)
  }

  /// The path beside this program, or in `libexec` of the prefix where it is installed.
  private static var path: String {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let location = URL(filePath: own).deletingLastPathComponent()
      let (folder, prefix) = (location.path, location.deletingLastPathComponent().path)
      let candidates = ["\(folder)/gallery-server", "\(prefix)/libexec/gallery/gallery-server"]
      guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
        throw ValidationError(
          """
          the program gallery-server is missing: it lies beside gallery, or in \(prefix)/libexec/gallery
          """
        )
      }
      return path
    }
  }
}

package import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import Models
import Scenes
import Threading
package import Workers

/// The options of commands that announce new images to other programs.
package struct TellingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run this command for new images; it reads them as JSON lines from its standard input.",
      valueName: "command"
    ),
    completion: .shellCommand("compgen -c")
  )
  package var exec: String?

  @Flag(help: "Show a notification on the desktop for new images (notify-send).")
  package var notify = false

  package init() {}

  package var tellers: [any NewImageTelling] {
    var tellers: [any NewImageTelling] = []
    if let exec { tellers.append(CommandTeller(command: exec)) }
    if notify { tellers.append(DesktopTeller()) }
    return tellers
  }
}

/// Runs a command of the user for new images.
///
/// The shell gets only the user's text and nothing from a feed. The images are passed through standard input, one per
/// line, in the format of `gallery list --json`.
struct CommandTeller: NewImageTelling {
  let command: String
  let most = 1_000

  func tell(of images: [WebImage], in feed: FeedReference) async -> String? {
    let lines = JSONLine.lines(images.map { ImageRecord($0) })
    return await run(["/bin/sh", "-c", command], reading: lines)
  }
}

/// Shows a notification on the desktop (notify-send(1)).
struct DesktopTeller: NewImageTelling {
  private static let program = "notify-send"
  /// The most titles in a notification.
  private static let titles = 3

  let most = 1_000_000

  func tell(of images: [WebImage], in feed: FeedReference) async -> String? {
    guard let path = InstalledProgram.path(of: Self.program) else {
      return "\(Self.program) is not installed"
    }
    return await run([path, "--app-name=gallery", "--"] + Self.words(images, feed))
  }

  /// The summary and the body; a desktop may interpret markup as in HTML in the body.
  static func words(_ images: [WebImage], _ feed: FeedReference) -> [String] {
    let titles = images.compactMap(\.title).prefix(Self.titles).map(HarmlessText.line)
    let rest = images.count - titles.count
    let body = titles + (rest > 0 && !titles.isEmpty ? ["and \(rest) more"] : [])
    let number = images.count == 1 ? "1 new image" : "\(images.count) new images"
    let name = HarmlessText.line(feed.title ?? feed.address.masked)
    let text = body.joined(separator: "\n")
      .escaping("&", as: "&amp;").escaping("<", as: "&lt;").escaping(">", as: "&gt;")
    return ["\(name): \(number)", text]
  }
}

/// Finds programs of this machine.
package enum InstalledProgram {
  /// The path of a program, found like in a shell, but without empty folders in `PATH`, which mean the current one.
  package static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}

/// Runs a program to its end, with its output sent to standard error.
///
/// When the task is cancelled, the program may end by itself for a moment. Then it is ended, with all that it has
/// started in its process group.
///
/// - Returns: The reason of a failure; nil on success.
private func run(_ command: [String], reading input: [UInt8] = []) async -> String? {
  let running = Locked<(process: ChildProcess?, isCancelled: Bool)>((nil, false))
  return await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let outcome = outcome(of: command, reading: input) { process in
          let isCancelled = running.withLock { state in
            state.process = process
            return state.isCancelled
          }
          if isCancelled { end(process) }
        }
        continuation.resume(returning: outcome)
      }
    }
  } onCancel: {
    let process = running.withLock { state in
      state.isCancelled = true
      return state.process
    }
    if let process { end(process) }
  }
}

/// The time that a program has after an interruption until it is asked to end.
private let askingMilliseconds = 300
/// The time that a program has after an interruption until it is killed.
private let killingMilliseconds = 800

/// Ends a program within a second.
private func end(_ process: ChildProcess) {
  for (milliseconds, signal) in [
    (askingMilliseconds, SIGTERM), (killingMilliseconds, SIGKILL),
  ] {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      process.send(signal)
    }
  }
}

/// The reason why the program failed; nil on success.
private func outcome(
  of command: [String],
  reading input: [UInt8],
  started: (ChildProcess) -> Void
) -> String? {
  do throws(ChildProcess.Failure) {
    let status = try ChildProcess.run(
      command,
      reading: input,
      output: STDERR_FILENO,
      started: started
    ).status
    switch status {
    case 0: return nil
    case 129...: return "the command was ended by signal \(status - 128)"
    default: return "the command ended with status \(status)"
    }
  } catch {
    return "it cannot be started: \(error)"
  }
}

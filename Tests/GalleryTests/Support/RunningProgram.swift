import Foundation
import TestSupport
import Threading

/// A run of the program that has not ended yet.
struct RunningProgram {
  let process: ChildProcess
  let output: FileHandle
  let errors: FileHandle

  /// Reads standard error until some words appear, or to its end.
  ///
  /// - Returns: The text that was read.
  @discardableResult
  func waitForError(_ words: String) -> String {
    var text = Data()
    while text.range(of: Data(words.utf8)) == nil {
      let more = errors.availableData
      if more.isEmpty { break }
      text += more
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads standard error on another thread; the returned function waits for the end and returns the data.
  func readErrors() -> () -> Data {
    let reading = ErrorReading()
    let thread = Thread { reading.finish(errors.readDataToEndOfFile()) }
    thread.start()
    return reading.wait
  }
}

/// The data that a thread reads to its end.
private final class ErrorReading: Sendable {
  private let done = DispatchSemaphore(value: 0)
  // The thread writes this once before it signals `done`; others read it only afterwards.
  nonisolated(unsafe) private var data = Data()

  func finish(_ data: Data) {
    self.data = data
    done.signal()
  }

  func wait() -> Data {
    done.wait()
    return data
  }
}

extension RunningProgram {
  /// Reads events until this many bytes of an original have arrived.
  func readProgress(to count: Int) throws {
    var text = ""
    while true {
      let data = output.availableData
      guard !data.isEmpty else { throw EndedEarly(output: text) }
      text += String(decoding: data, as: UTF8.self)
      let received = text.matches(of: /"received":(\d+),.*\n/).compactMap { Int($0.1) }
      if received.contains(where: { $0 >= count }) { return }
    }
  }

  /// The program ended before it had received this much.
  struct EndedEarly: Error {
    var output: String
  }

  /// Kills the program with a signal that it cannot catch (signal(7)).
  func killAtOnce() {
    kill(process.identifier, SIGKILL)
    process.wait()
  }
}

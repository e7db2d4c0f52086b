import Foundation
import TestSupport
import Threading

/// A run of the program that has not ended yet.
struct RunningProgram {
  let process: ChildProcess
  let output: FileHandle
  let errors: FileHandle

  /// Reads standard error up to some words, or to its end.
  func waitForError(_ words: String) {
    var text = Data()
    while text.range(of: Data(words.utf8)) == nil {
      let more = errors.availableData
      if more.isEmpty { return }
      text += more
    }
  }

  /// Reads standard error beside whatever else is done; the answer waits for its end.
  func readErrors() -> () -> Data {
    let reading = ErrorReading()
    let thread = Thread { reading.finish(errors.readDataToEndOfFile()) }
    thread.start()
    return reading.wait
  }
}

/// What a thread reads to its end.
private final class ErrorReading: Sendable {
  private let done = DispatchSemaphore(value: 0)
  // Written once before `done` is signalled, and read only after it.
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

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

extension RunningProgram {
  /// Reads events until so many bytes of an original have been received.
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

  /// The program ended before it had received so much.
  struct EndedEarly: Error {
    var output: String
  }

  /// Ends it as nothing can be caught that ends it (signal(7)).
  func killAtOnce() {
    kill(process.identifier, SIGKILL)
    process.wait()
  }
}

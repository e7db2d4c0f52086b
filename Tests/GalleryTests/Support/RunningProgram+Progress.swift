import Foundation
import TestSupport
import Threading

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

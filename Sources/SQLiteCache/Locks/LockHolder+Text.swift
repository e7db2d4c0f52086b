import FoundationEssentials
import Workers

/// The text in a feed's lock: the process's id and when it began, in seconds since 1970.
extension LockHolder {
  /// Nil for what no holder has written: it may not have come to that yet.
  init?(text: String) {
    let numbers = text.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
    guard numbers.count == 2, let process = numbers[0], let since = numbers[1] else { return nil }
    self.init(process: Int(process), since: Date(storedSeconds: since))
  }

  var text: String { "\(process) \(since.storedSeconds)\n" }
}

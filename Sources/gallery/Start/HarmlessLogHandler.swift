import Glibc
import Logging
import Terminal

/// Logs to standard error, a line a message; what strangers have written in it cannot act on the
/// terminal.
struct HarmlessLogHandler: LogHandler {
  var logLevel = Logger.Level.debug
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = "gallery: \(HarmlessText.line("\(event.message)"))\n"
    DescriptorSink(STDERR_FILENO) {}.write(Array(line.utf8))
  }
}

import Glibc
import Logging
import Scenes
import Terminal

/// Logs to standard error, with one line per message, made harmless for a terminal.
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

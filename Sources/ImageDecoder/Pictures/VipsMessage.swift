internal import CVips
import DecoderFrames

/// What libvips has noted of errors since they were last read.
enum VipsMessage {
  /// Takes the notes and clears them.
  static func refusal() -> Refusal {
    let notes = String(cString: vips_error_buffer())
    vips_error_clear()
    let lines = notes.split(separator: "\n")
    return .undecodable(message: lines.last.map(String.init) ?? "no reason was given")
  }
}

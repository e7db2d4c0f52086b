internal import CLinux
internal import CVips
import DecoderFrames
import Glibc
import Models

/// libvips, initialised to use one thread and no cache.
struct VipsLibrary {
  /// Whether the loaders that libvips marks as untrusted are disabled.
  let trustsNoOtherLoaders: Bool

  /// Initialises libvips; nil when that fails.
  init?() {
    // In this locale messages are in English, and libraries need not open a message catalogue later.
    setenv("LC_ALL", "C", 1)
    // A picture that does not fit into memory fails, because libvips cannot open a temporary file.
    setenv("VIPS_DISC_THRESHOLD", "1000g", 1)
    clinux_keep_heap_small()
    cvips_be_quiet()
    guard vips_init("gallery-decoder") == 0 else { return nil }
    trustsNoOtherLoaders = cvips_trust_no_other_loaders() != 0
    // There is a process for each processor, so one thread is enough.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    // The sandbox does not allow executable memory, so compiled code could not run.
    cvips_make_no_code()
  }

  var version: String { "libvips \(String(cString: vips_version_string()))" }

  /// Decodes a picture of each format, in this thread, so that libvips need not open a library later.
  ///
  /// If this build of libvips lacks a format, its sample fails here, as its pictures do later.
  func warmUp() {
    let samples: [(ImageFormat, [UInt8])] = [
      (.jpeg, SamplePictures.jpeg), (.png, SamplePictures.png), (.gif, SamplePictures.gif),
      (.webP, SamplePictures.webP), (.tiff, SamplePictures.tiff), (.avif, SamplePictures.avif),
      (.heic, SamplePictures.heic),
    ]
    for (format, bytes) in samples { decode(bytes, as: format) }
    vips_error_clear()
  }

  private func decode(_ bytes: [UInt8], as format: ImageFormat) {
    bytes.withUnsafeBytes { bytes in
      let source = vips_source_new_from_memory(bytes.baseAddress, bytes.count)
      guard let source = PictureInput(taking: source) else { return }
      // The caller clears the errors that a failure leaves in libvips' buffer.
      guard let picture = try? source.load(LoadPlan(format: format)),
        // The loader of WebP would start threads, to which Landlock would not apply.
        format != .webP,
        let small = try? picture.fitted(width: 8, height: 8, failOn: VIPS_FAIL_ON_NONE)
      else { return }
      small.computeHere()
    }
  }
}

/// The messages in libvips' error buffer.
enum VipsMessage {
  /// Makes a refusal from the latest message, and clears the buffer.
  static func refusal() -> Refusal {
    let messages = String(cString: vips_error_buffer())
    vips_error_clear()
    return refusal(messages)
  }

  /// Makes a refusal from the last line with words: some messages end with a line that has only a number.
  private static func refusal(_ messages: String) -> Refusal {
    let lines = messages.split(separator: "\n").map(withoutDomain)
    let last = lines.last { $0.utf8.count(where: isLetter) > 2 } ?? ""
    let words = last.lowercased()
    let signs = [
      "out of memory", "memory allocation", "security limit", "cannot allocate",
      "tile size out of range",
    ]
    if signs.contains(where: words.contains) {
      return .tooMuchMemory(limit: Int(ResourceLimits.memory))
    }
    return .undecodable(message: String(last))
  }

  /// A line without the name of the operation that wrote it.
  private static func withoutDomain(_ line: Substring) -> Substring {
    guard let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy({ $0 != " " }) else {
      return line
    }
    return line[line.index(after: colon)...].drop { $0 == " " }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

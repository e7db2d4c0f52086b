internal import CLinux
internal import CVips
import DecoderFrames
import Glibc
import Models
import Synchronization

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
    Self.countWarnings()
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

  /// How many warnings about pictures libvips has written.
  static var warnings: Int { warned.load(ordering: .relaxed) }

  private static let warned = Atomic<Int>(0)

  /// Counts the warnings about pictures and discards them: writing them would open the time zone's file.
  private static func countWarnings() {
    let count: GLogWriterFunc = { level, _, _, _ in
      let isWarning = level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0
      if isWarning { VipsLibrary.warned.add(1, ordering: .relaxed) }
      return G_LOG_WRITER_HANDLED
    }
    g_log_set_writer_func(count, nil, nil)
  }

  /// The formats that this build of libvips reads, and those that this project reads itself.
  static var formats: Set<ImageFormat> {
    Set(ImageFormat.allCases.filter(reads))
  }

  static func reads(_ format: ImageFormat) -> Bool {
    let loader =
      switch format {
      case .jpeg: "jpegload_source"
      case .png: "pngload_source"
      case .gif: "gifload_source"
      case .webP: "webpload_source"
      case .tiff: "tiffload_source"
      case .avif, .heic: "heifload_source"
      case .jpeg2000: "jp2kload_source"
      case .jpegXL: "jxlload_source"
      case .svg: "svgload_source"
      case .bmp, .ico, .pnm: ""
      }
    return loader.isEmpty || vips_type_find("VipsForeignLoad", loader) != 0
  }

  var version: String { "libvips \(String(cString: vips_version_string()))" }

  /// Decodes a picture of each format, in this thread, so that libvips need not open a library later.
  ///
  /// If this build of libvips lacks a format, its sample fails here, as its pictures do later.
  func warmUp() {
    let samples: [(ImageFormat, [UInt8])] = [
      (.jpeg, SamplePictures.jpeg), (.png, SamplePictures.png), (.gif, SamplePictures.gif),
      (.webP, SamplePictures.webP), (.tiff, SamplePictures.tiff), (.avif, SamplePictures.avif),
      (.heic, SamplePictures.heic), (.jpeg2000, SamplePictures.jpeg2000),
      (.svg, SamplePictures.svg),
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
  /// Makes a refusal with the latest message, which `Refusal.explained` explains, and clears the buffer.
  static func refusal() -> Refusal {
    let messages = String(cString: vips_error_buffer())
    vips_error_clear()
    return .refused(message: messages)
  }
}

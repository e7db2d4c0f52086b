internal import CLinux
internal import CVips
import Glibc
import Models

/// libvips, started and told to be modest.
struct VipsLibrary {
  /// Whether loaders that it does not trust with strangers' files are off.
  let trustsNoOtherLoaders: Bool

  /// Starts libvips; nil when it cannot be.
  init?() {
    // Without a locale, messages are in English, and no catalogue is opened for the first of them.
    setenv("LC_ALL", "C", 1)
    // Pictures that do not fit into memory are not decoded: there is no file to put them into.
    setenv("VIPS_DISC_THRESHOLD", "1000g", 1)
    clinux_keep_heap_small()
    cvips_be_quiet()
    guard vips_init("gallery-decoder") == 0 else { return nil }
    trustsNoOtherLoaders = cvips_trust_no_other_loaders() != 0
    // As many processes as processors are at work; a process needs no more than one of them.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    // None could be run: memory that may be executed is not to be had later.
    cvips_make_no_code()
  }

  var version: String { "libvips \(String(cString: vips_version_string()))" }

  /// Decodes a picture of each format, in this thread alone.
  ///
  /// So nothing is left to be opened later. A format that this libvips lacks fails here as it does later.
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
      // A failure has been said in libvips' log of errors, which nobody is to read yet.
      guard let picture = try? source.load(LoadPlan(format: format)),
        // The loader of WebP would start threads, which Landlock has to find none of.
        format != .webP,
        let small = try? picture.fitted(width: 8, height: 8, failOn: VIPS_FAIL_ON_NONE)
      else { return }
      small.computeHere()
    }
  }
}

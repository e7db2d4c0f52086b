internal import CVips
import DecoderFrames
import Glibc
import Models

/// A picture of libvips, which computes its pixels on demand.
struct Picture: ~Copyable {
  let pointer: UnsafeMutablePointer<VipsImage>

  init(taking pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  deinit { cvips_unref(pointer) }

  var width: Int { Int(vips_image_get_width(pointer)) }
  var height: Int { Int(vips_image_get_height(pointer)) }
  var bands: Int { Int(vips_image_get_bands(pointer)) }
  var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

  /// Bytes of one decoded pixel.
  var pixelBytes: Int {
    bands * Int(vips_format_sizeof_unsafe(vips_image_get_format(pointer)))
  }

  /// A number from the header; 0 when it is missing.
  func number(_ field: String) -> Int { Int(cvips_number(pointer, field)) }

  /// A text from the header; nil when it is missing.
  func text(_ field: String) -> String? { cvips_text(pointer, field).map(String.init(cString:)) }

  /// The upright picture, fitted into a box, in sRGB or grey with one byte for each band.
  func fitted(
    width: Int,
    height: Int,
    size: VipsSize = VIPS_SIZE_DOWN,
    failOn: VipsFailOn
  ) throws(Refusal) -> Picture {
    let (width, height) = (Int32(clamping: width), Int32(clamping: height))
    let small = try applying { cvips_thumbnail($0, $1, width, height, size, intent, failOn) }
    return try small.inDisplayColours()
  }

  /// The rendering intent for the picture's profile: relative colorimetric, if the profile supports it.
  ///
  /// Profiles of cameras and of JPEG in XYB have only the table for perceptual intent, A2B0.
  /// Without A2B1, libvips would ignore such a profile (ICC.1:2022, section 9.1).
  private var intent: VipsIntent {
    var count = 0
    guard let start = cvips_blob(pointer, VIPS_META_ICC_NAME, &count) else {
      return VIPS_INTENT_RELATIVE
    }
    let profile = UnsafeRawBufferPointer(start: start, count: count)
    let tags = Set(
      stride(from: 132, to: min(count - 11, 132 + 12 * 256), by: 12).map {
        String(decoding: profile[$0..<$0 + 4], as: UTF8.self)
      }
    )
    let hasOthers = !tags.isDisjoint(with: ["A2B1", "rXYZ", "kTRC"])
    return tags.contains("A2B0") && !hasOthers ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE
  }

  /// The picture with signed and 32-bit samples converted to bytes.
  func withoutOddSamples() throws(Refusal) -> Picture {
    try applying { cvips_bytes_of_odd_samples($0, $1) }
  }

  /// The picture in sRGB or grey, with one byte for each of 1 to 4 bands.
  private func inDisplayColours() throws(Refusal) -> Picture {
    let isGrey = bands <= 2 && vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_B_W
    let coloured = try applying { isGrey ? cvips_to_bytes($0, $1) : cvips_to_srgb($0, $1) }
    let bytes = try coloured.applying { cvips_to_bytes($0, $1) }
    // A TIFF file may have more bands than its colours and one alpha.
    guard bytes.bands > 4 else { return bytes }
    return try bytes.applying { cvips_first_bands($0, $1, 4) }
  }

  /// The picture in four bands: red, green, blue and alpha.
  func inRGBA() throws(Refusal) -> Picture {
    let coloured = try applying { cvips_to_srgb($0, $1) }
    if coloured.bands >= 4 { return coloured }
    return try coloured.applying { cvips_add_alpha($0, $1) }
  }

  /// A copy whose pixels are in memory.
  func inMemory() throws(Refusal) -> Picture {
    guard let copy = vips_image_copy_memory(pointer) else { throw VipsMessage.refusal() }
    return Picture(taking: copy)
  }

  /// Whether any pixel is at least partly transparent.
  func isTransparent() throws(Refusal) -> Bool {
    guard hasAlpha else { return false }
    var minimum = 0.0
    guard cvips_band_minimum(pointer, Int32(bands - 1), &minimum) == 0 else {
      throw VipsMessage.refusal()
    }
    return minimum < 255
  }

  /// The picture without its alpha band, if it has one.
  func opaque() throws(Refusal) -> Picture {
    let count = Int32(hasAlpha ? bands - 1 : bands)
    return try applying { cvips_first_bands($0, $1, count) }
  }

  /// Computes the pixels in this thread and discards them.
  func computeHere() { _ = cvips_compute_here(pointer) }

  typealias Result = UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>

  func applying(
    _ operation: (UnsafeMutablePointer<VipsImage>, Result) -> Int32
  ) throws(Refusal) -> Picture {
    var result: UnsafeMutablePointer<VipsImage>?
    guard operation(pointer, &result) == 0, let result else { throw VipsMessage.refusal() }
    return Picture(taking: result)
  }
}

internal import CVips
import DecoderFrames
import Glibc
import Models
import PictureFiles

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
    guard hasProfile else { return try shrunk(width, height, size, failOn) }
    guard fitsProfile else { return try withoutProfile().shrunk(width, height, size, failOn) }
    do throws(Refusal) {
      return try shrunk(width, height, size, failOn)
    } catch {
      // The first attempt has read the pixels of a picture on its side, which cannot be read again. If the profile is
      // not the reason, its error tells what is.
      let first = error
      do throws(Refusal) {
        return try withoutProfile().shrunk(width, height, size, failOn)
      } catch {
        throw first
      }
    }
  }

  private func shrunk(
    _ width: Int,
    _ height: Int,
    _ size: VipsSize,
    _ failOn: VipsFailOn
  ) throws(Refusal) -> Picture {
    let (width, height) = (Int32(clamping: width), Int32(clamping: height))
    let small = try applying { cvips_thumbnail($0, $1, width, height, size, intent, failOn) }
    return try small.inDisplayColours()
  }

  private var hasProfile: Bool { vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0 }

  private func withoutProfile() throws(Refusal) -> Picture {
    try applying { cvips_without_profile($0, $1) }
  }

  /// Whether the profile is one, for colours of the picture's kind (ICC.1:2022, section 7.2).
  ///
  /// libvips applies a profile for fewer bands than the picture has, and takes the others for alpha.
  private var fitsProfile: Bool {
    let profile = profile
    guard profile.count >= 132, profile[36..<40].elementsEqual("acsp".utf8) else { return false }
    let isCMYK = vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_CMYK
    let space = isCMYK ? "CMYK" : bands <= 2 ? "GRAY" : "RGB "
    return profile[16..<20].elementsEqual(space.utf8)
  }

  private var profile: UnsafeRawBufferPointer { blob(VIPS_META_ICC_NAME) }

  /// The bytes of a field of the header, which the picture owns; none when it is missing.
  private func blob(_ field: String) -> UnsafeRawBufferPointer {
    var count = 0
    let start = cvips_blob(pointer, field, &count)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// What the camera has written about the picture, as far as the format's loader keeps it.
  var details: PictureDetails {
    func start(_ field: String) -> [UInt8] { Array(blob(field).prefix(65_536)) }
    return PictureDetails(
      exif: start(VIPS_META_EXIF_NAME),
      xmp: ([VIPS_META_XMP_NAME] + Self.numberedXMP).map(start)
    )
  }

  /// The names of the XMP of a HEIC or an AVIF in libvips 8.14, by its number among the items of metadata:
  /// findings/vips-heif-xmp-name.sh.
  private static let numberedXMP = (0..<4).map { "heif-mime-\($0)" }

  /// The picture with a profile of the colours that its file declares.
  ///
  /// A profile in the file usually counts more. Declared colours whose curve is unknown stay as they are.
  func declaring(_ colours: DeclaredColours) throws(Refusal) -> Picture {
    let isDeclared = !hasProfile || colours.overridesProfile
    guard isDeclared, let profile = ColourProfile.bytes(colours, isGrey: bands <= 2) else {
      return try applying { cvips_copy($0, $1) }
    }
    return try applying { image, result in
      profile.withUnsafeBytes { cvips_with_profile(image, result, $0.baseAddress, $0.count) }
    }
  }

  /// A picture that covers a part of a screen, on a screen that is transparent.
  func onClearScreen(
    _ frame: (x: Int, y: Int, width: Int, height: Int)
  ) throws(Refusal) -> Picture {
    let (left, top) = (min(frame.x, width - 1), min(frame.y, height - 1))
    let right = min(frame.x + frame.width, width)
    let bottom = min(frame.y + frame.height, height)
    guard right > left, bottom > top else { return try applying { cvips_copy($0, $1) } }
    let place = (Int32(left), Int32(top), Int32(right - left), Int32(bottom - top))
    return try applying {
      cvips_on_clear_screen($0, $1, place.0, place.1, place.2, place.3)
    }
  }

  /// Whether all pixels look the same; the pixels must be in memory.
  var isBlank: Bool { cvips_is_blank(pointer, Self.blankTolerance) != 0 }

  /// By how much the colours of a blank picture may differ, as encoders with loss change them.
  private static let blankTolerance: Int32 = 6

  /// The rendering intent for the picture's profile: relative colorimetric, if the profile supports it.
  ///
  /// Profiles of cameras and of JPEG in XYB have only the table for perceptual intent, A2B0.
  /// Without A2B1, libvips would ignore such a profile (ICC.1:2022, section 9.1).
  private var intent: VipsIntent {
    let profile = profile
    let tags = Set(
      stride(from: 132, to: min(profile.count - 11, 132 + 12 * 256), by: 12).map {
        String(decoding: profile[$0..<$0 + 4], as: UTF8.self)
      }
    )
    let hasOthers = !tags.isDisjoint(with: ["A2B1", "rXYZ", "kTRC"])
    return tags.contains("A2B0") && !hasOthers ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE
  }

  /// The picture with signed bytes and samples of 32 bits converted to bytes.
  func withoutOddSamples() throws(Refusal) -> Picture {
    try applying { cvips_bytes_of_odd_samples($0, $1) }
  }

  /// The picture with samples that are fractions converted to 16 bits; light brighter than white becomes white.
  ///
  /// libvips takes fractions for linear light of sRGB, whatever profile the picture has.
  func withoutFractions() throws(Refusal) -> Picture {
    try applying { cvips_16_bits_of_fractions($0, $1) }
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

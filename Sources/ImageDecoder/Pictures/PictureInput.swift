internal import CVips
import DecoderFrames
import Glibc
import Models
import PictureFiles

/// What a picture's file holds, which is found out once.
enum PictureContent {
  /// The file itself, in a format that libvips reads.
  case file
  /// A PNG file within it.
  case png([UInt8])
  /// Pixels that were read already.
  case pixels(PlainPicture)

  /// Reads the formats that libvips does not; others stay for it.
  init(_ file: borrowing PictureFile, as format: ImageFormat, isPartial: Bool) throws(Refusal) {
    guard [.bmp, .ico, .pnm].contains(format) else {
      self = .file
      return
    }
    let limit = DecodingLimits.decodedBytes
    guard file.length <= limit else { throw .tooManyDecodedBytes(file.length, limit: limit) }
    do throws(PlainPictureError) {
      let bytes = file.bytes(at: 0, count: file.length) ?? []
      // They are there twice while libvips works on them.
      let room = (limit - file.length) / 2
      switch try PlainPicture.read(bytes, as: format, isPartial: isPartial, limit: room) {
      case .pixels(let picture): self = .pixels(picture)
      case .png(let bytes): self = .png(bytes)
      }
    } catch {
      throw Self.refusal(error, format, limit: limit)
    }
  }

  private static func refusal(
    _ error: PlainPictureError,
    _ format: ImageFormat,
    limit: Int
  ) -> Refusal {
    switch error {
    case .damaged(let reason): .undecodable(message: reason)
    case .packed: .undrawn(format, .packing)
    case .tooLarge(let bytes): .tooManyDecodedBytes(2 * bytes, limit: limit)
    }
  }
}

/// Where libvips reads the bytes of one picture, once.
struct PictureInput: ~Copyable {
  private let source: UnsafeMutablePointer<VipsSource>

  init?(taking source: UnsafeMutablePointer<VipsSource>?) {
    guard let source else { return nil }
    self.source = source
  }

  /// Reads an open file from its beginning, as a file of a format.
  init(_ file: borrowing PictureFile, as format: ImageFormat) throws(Refusal) {
    lseek(file.descriptor, 0, SEEK_SET)
    let source =
      format == .png
      ? PNGWithoutText.source(file: file.descriptor)
      : vips_source_new_from_descriptor(file.descriptor)
    guard let source else { throw VipsMessage.refusal() }
    self.source = source
  }

  /// Makes known to libvips what a file holds.
  static func load(
    _ content: PictureContent,
    of file: borrowing PictureFile,
    _ plan: LoadPlan
  ) throws(Refusal) -> Picture {
    switch content {
    case .file: return try PictureInput(file, as: plan.format).load(plan)
    case .png(let bytes):
      let source = bytes.withUnsafeBytes { cvips_source_copying($0.baseAddress, $0.count) }
      guard let input = PictureInput(taking: source) else { throw VipsMessage.refusal() }
      return try input.load(plan)
    case .pixels(let picture):
      let (width, height) = (Int32(clamping: picture.width), Int32(clamping: picture.height))
      let image = picture.pixels.withUnsafeBytes {
        cvips_image_of_pixels($0.baseAddress, $0.count, width, height, Int32(picture.bands))
      }
      guard let image else { throw VipsMessage.refusal() }
      return Picture(taking: image)
    }
  }

  deinit { cvips_unref(source) }

  /// Makes the picture known to libvips; most of the decoding happens when its pixels are used.
  func load(_ plan: LoadPlan) throws(Refusal) -> Picture {
    var image: UnsafeMutablePointer<VipsImage>?
    guard load(plan, into: &image) == 0, let image else { throw VipsMessage.refusal() }
    let picture = Picture(taking: image)
    return plan.format == .tiff ? try picture.withoutOddSamples() : picture
  }

  private func load(
    _ plan: LoadPlan,
    into image: inout UnsafeMutablePointer<VipsImage>?
  ) -> Int32 {
    switch plan.format {
    case .jpeg: cvips_load_jpeg(source, &image, Int32(plan.shrink), plan.failOn)
    case .png: cvips_load_png(source, &image, plan.failOn)
    case .gif: cvips_load_gif(source, &image, plan.failOn)
    case .webP: cvips_load_webp(source, &image, plan.scale, plan.failOn)
    case .tiff: cvips_load_tiff(source, &image, plan.failOn)
    case .avif, .heic: cvips_load_heif(source, &image, plan.failOn)
    case .bmp, .ico, .pnm, .jpeg2000, .jpegXL, .svg: -1
    }
  }
}

internal import CLinux
internal import CVips
import DecoderFrames
import Glibc
import Models
import PictureFiles

/// The open file of a picture, which this value closes.
struct PictureFile: ~Copyable {
  let descriptor: Int32

  init(taking descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The length of the file in bytes.
  var length: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The first bytes of the file: enough for the format and size, and for the properties of a HEIC's items.
  func beginning() -> [UInt8] { Self.bytes(of: descriptor, at: 0, atMost: 65_536) }

  /// Reads `count` bytes at an offset; nil when the file does not have all of them.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= length - offset else { return nil }
    let bytes = Self.bytes(of: descriptor, at: offset, atMost: count)
    return bytes.count == count ? bytes : nil
  }

  /// Reads bytes of an open file at an offset; returns fewer at the end of the file.
  static func bytes(of descriptor: Int32, at offset: Int, atMost most: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = 0
      while count < most {
        let rest = buffer.baseAddress.map { $0 + count }
        let read = pread(descriptor, rest, most - count, off_t(offset + count))
        guard read > 0 else { return }
        count += read
      }
    }
  }
}

/// The content of a picture's file.
enum PictureContent {
  /// The file itself, in a format that libvips reads, with edits.
  case file(PictureEdits)
  /// A PNG file within an icon.
  case png([UInt8])
  /// Pixels that a reader of this project has decoded.
  case pixels(PlainPicture)

  /// Decodes a BMP, ICO or PNM file.
  init(_ file: borrowing PictureFile, plain format: ImageFormat, isPartial: Bool) throws(Refusal) {
    let limit = DecodingLimits.decodedBytes
    guard file.length <= limit else { throw .tooManyDecodedBytes(file.length, limit: limit) }
    do throws(PlainPictureError) {
      let bytes = file.bytes(at: 0, count: file.length) ?? []
      // libvips makes a copy of the pixels.
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

/// A source from which libvips reads the bytes of one picture once.
struct PictureInput: ~Copyable {
  private let source: UnsafeMutablePointer<VipsSource>

  init?(taking source: UnsafeMutablePointer<VipsSource>?) {
    guard let source else { return nil }
    self.source = source
  }

  /// Makes a source that reads an open file from its beginning.
  init(
    _ file: borrowing PictureFile,
    as format: ImageFormat,
    _ edits: PictureEdits
  ) throws(Refusal) {
    lseek(file.descriptor, 0, SEEK_SET)
    let source =
      if format == .png {
        PNGWithoutText.source(file: file.descriptor)
      } else if edits.isEmpty {
        vips_source_new_from_descriptor(file.descriptor)
      } else {
        EditedFile.source(file, edits)
      }
    guard let source else { throw VipsMessage.refusal() }
    self.source = source
  }

  /// Opens the content of a file as a picture of libvips.
  static func load(
    _ content: PictureContent,
    of file: borrowing PictureFile,
    _ plan: LoadPlan
  ) throws(Refusal) -> Picture {
    switch content {
    case .file(let edits): return try PictureInput(file, as: plan.format, edits).load(plan)
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

  /// Opens the picture; libvips does most of the decoding when the pixels are used.
  func load(_ plan: LoadPlan) throws(Refusal) -> Picture {
    var image: UnsafeMutablePointer<VipsImage>?
    guard load(plan, into: &image) == 0, let image else { throw VipsMessage.refusal() }
    return Picture(taking: image)
  }

  private func load(
    _ plan: LoadPlan,
    into image: inout UnsafeMutablePointer<VipsImage>?
  ) -> Int32 {
    let page = Int32(clamping: plan.place?.page ?? 0)
    let subdirectory = Int32(clamping: plan.place?.subdirectory ?? -1)
    return switch plan.format {
    case .jpeg: cvips_load_jpeg(source, &image, Int32(plan.shrink), plan.failOn)
    case .png: cvips_load_png(source, &image, plan.failOn)
    case .gif: cvips_load_gif(source, &image, page, plan.failOn)
    case .webP: cvips_load_webp(source, &image, page, plan.scale, plan.failOn)
    case .tiff: cvips_load_tiff(source, &image, page, subdirectory, plan.failOn)
    case .avif, .heic: cvips_load_heif(source, &image, plan.failOn)
    case .jpegXL: cvips_load_jxl(source, &image, page, plan.failOn)
    case .jpeg2000: cvips_load_jp2k(source, &image, plan.failOn)
    case .svg: cvips_load_svg(source, &image, plan.scale, plan.failOn)
    case .bmp, .ico, .pnm: -1
    }
  }
}

/// A filter that removes the chunks of a PNG file that do not affect the pixels.
///
/// The decoder would decompress and keep all text: 300 chunks of 7 KB take 2 GB and 20 seconds. The
/// filter keeps only the chunks that determine the look of the pixels (PNG, third edition, section
/// 11.3).
private final class PNGWithoutText {
  private let file: Int32
  /// The offset of the next byte in the file.
  private var offset: off_t = 0
  /// The number of bytes still to read of the signature or of a chunk.
  private var left = 8

  private static let ancillary: Set = [
    "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "bKGD", "pHYs", "eXIf",
  ]

  private init(file: Int32) { self.file = file }

  /// Makes a source; the file must stay open while the source is in use.
  static func source(file: Int32) -> UnsafeMutablePointer<VipsSource>? {
    let context = Unmanaged.passRetained(PNGWithoutText(file: file)).toOpaque()
    return cvips_source_reading(
      { _, buffer, count, context in
        guard let buffer, let context else { return -1 }
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        let reader = Unmanaged<PNGWithoutText>.fromOpaque(context).takeUnretainedValue()
        return gint64(reader.read(room))
      },
      context,
      { context, _ in
        if let context { Unmanaged<PNGWithoutText>.fromOpaque(context).release() }
      }
    )
  }

  /// Reads the next bytes.
  ///
  /// - Returns: The number of bytes; 0 at the end, and a negative number on failure.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while left == 0 { beginChunk() }
    let count = pread(file, buffer.baseAddress, min(buffer.count, left), offset)
    if count > 0 {
      offset += count
      left -= count
    }
    return count
  }

  /// Reads the next chunk's header, and skips the chunk if the picture does not need it.
  private func beginChunk() {
    var head: (UInt32, UInt32) = (0, 0)
    let isThere = withUnsafeMutableBytes(of: &head) { pread(file, $0.baseAddress, 8, offset) == 8 }
    // The decoder reports bytes that are not a chunk.
    guard isThere else {
      left = 8
      return
    }
    let length = 12 + Int(UInt32(bigEndian: head.0))
    let name = withUnsafeBytes(of: head.1) { String(decoding: $0, as: UTF8.self) }
    let isCritical = name.utf8.first.map { $0 & 0x20 == 0 } ?? true
    if isCritical || Self.ancillary.contains(name) {
      left = length
    } else {
      offset += off_t(length)
    }
  }
}

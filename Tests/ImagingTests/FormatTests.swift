import Imaging
import Models
import PictureFiles
import Testing
import Workers

struct FormatTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let format: ImageFormat
    let bytes: [UInt8]
    var testDescription: String { format.rawValue }
  }

  static let coloured = [
    Sample(format: .png, bytes: Picture.png), Sample(format: .tiff, bytes: Picture.tiff),
    Sample(format: .webP, bytes: EncodedSamples.webP),
    Sample(format: .webP, bytes: EncodedSamples.lossyWebP),
    Sample(format: .avif, bytes: EncodedSamples.avif),
    Sample(format: .heic, bytes: EncodedSamples.heic),
    Sample(format: .bmp, bytes: Picture.bmp), Sample(format: .pnm, bytes: Picture.ppm),
    Sample(format: .ico, bytes: Picture.icon(Picture.png)),
    Sample(format: .tiff, bytes: signedTIFF),
  ]

  /// Samples marked as signed, in which -1 is white.
  private static let signedTIFF = TIFFSample(
    width: 32,
    height: 16,
    pixels: (0..<16).flatMap(Picture.row),
    sampleType: 2
  ).bytes

  let pool = TestPool.shared.pool

  @Test(arguments: coloured)
  func `each format is decoded to its colours`(sample: Sample) async throws {
    let box = PixelSize(width: 100, height: 100)
    let pixels = try await pool.pixels(of: .bytes(sample.bytes), fitting: box, extent: .whole)

    #expect(pixels.source.format == sample.format)
    #expect((pixels.width, pixels.height) == (32, 16))
    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  @Test(arguments: coloured + [Sample(format: .jpeg, bytes: Picture.jpeg)])
  func `each format gives a thumbnail`(sample: Sample) async throws {
    let made = try await pool.thumbnail(of: .bytes(sample.bytes), longestSide: 16)

    let info = PictureInfo(format: .webP, bytes: made.bytes.count, width: 16, height: 8)
    #expect(made.info == info)
    #expect(PictureCheck(made.bytes)?.info == info)
    #expect((made.source.width, made.source.height) == (32, 16))
  }

  @Test func `a JPEG is decoded to its greys`() async throws {
    let box = PixelSize(width: 32, height: 16)
    let pixels = try await pool.pixels(of: .bytes(Picture.jpeg), fitting: box, extent: .whole)

    #expect(pixels.has([0, 0, 0, 255], at: 4, 8))
    #expect(pixels.has([255, 255, 255, 255], at: 28, 8))
  }

  @Test func `an animated GIF is shown by its first frame`() async throws {
    let frames: [[UInt8]] = [[200, 0, 0], [0, 200, 0], [0, 0, 200]]
    let gif = GIFSample(width: 20, height: 10, frames: frames).bytes
    let box = PixelSize(width: 20, height: 10)
    let pixels = try await pool.pixels(of: .bytes(gif), fitting: box, extent: .whole)

    #expect(pixels.source.isAnimated)
    #expect((pixels.width, pixels.height) == (20, 10))
    #expect(pixels.has([200, 0, 0, 255], at: 10, 5))
  }

  @Test func `what is transparent stays so`() async throws {
    let picture = PictureSource.bytes(EncodedSamples.halfTransparentWebP)
    let made = try await pool.thumbnail(of: picture, longestSide: 16)
    let box = PixelSize(width: 16, height: 16)
    let pixels = try await pool.pixels(of: .bytes(made.bytes), fitting: box, extent: .whole)

    #expect(made.info.format == .webP)
    #expect(made.source.hasAlpha)
    #expect(pixels.has([250, 10, 10, 128], at: 2, 4, tolerance: 25))
  }

  @Test func `alpha that hides nothing does not keep a thumbnail from being JPEG`() async throws {
    let png = PNGSample(width: 80, height: 80, colour: .rgba) { _ in
      [UInt8](repeating: 255, count: 320)
    }
    let made = try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 80)

    #expect(made.info.format == .jpeg)
  }

  @Test(arguments: [(64, 10, true), (65, 10, false), (10, 64, true), (10, 65, false), (1, 1, true)])
  func `a small thumbnail is a WebP, and a larger one a JPEG`(
    width: Int,
    height: Int,
    isSmall: Bool
  ) async throws {
    let png = PNGSample(width: width, height: height).bytes
    let made = try await pool.thumbnail(of: .bytes(png), longestSide: 640)

    #expect((made.info.width, made.info.height) == (width, height))
    #expect(made.info.format == (isSmall ? .webP : .jpeg))
  }

  /// An EXIF of one tag, the model of a camera.
  private static let exif: [UInt8] =
    Array("II*\0".utf8) + Picture.little(8, 4) + Picture.little(1, 2) + Picture.little(0x110, 2)
    + Picture.little(2, 2) + Picture.little(10, 4) + Picture.little(26, 4) + Picture.little(0, 4)
    + Array("SecretCam\0".utf8)

  /// Thumbnails are published, also where the places of photographs are not.
  @Test(arguments: [(16, 90), (100, 90), (16, 255), (100, 255)] as [(Int, UInt8)])
  func `a thumbnail holds nothing of its picture but the pixels`(
    side: Int,
    alpha: UInt8
  ) async throws {
    let row: [UInt8] = (0..<side).flatMap { _ -> [UInt8] in [200, 10, 10, alpha] }
    let png = PNGSample(
      width: side,
      height: side,
      colour: .rgba,
      profile: ProfileSample.exchanged,
      chunks: [("eXIf", Self.exif)]
    ) { _ in row }
    let details = try await pool.details(of: .bytes(png.bytes))
    let made = try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 640)

    #expect(details.camera == "SecretCam")
    #expect(PictureCheck(made.bytes)?.completeness == .whole)
    for word in ["SecretCam", "Exif", "EXIF", "ICC", "XMP "] {
      #expect(made.bytes.firstRange(of: Array(word.utf8)) == nil)
    }
  }

  /// Columns of red and blue, which a JPEG with halved colours mixes; the alpha of the lower half is `alpha`.
  @Test(arguments: [255, 90] as [UInt8])
  func `the thumbnail of an icon loses nothing`(alpha: UInt8) async throws {
    let png = PNGSample(width: 16, height: 16, colour: .rgba) { row in
      (0..<16).flatMap { column -> [UInt8] in
        (column % 2 == 0 ? [250, 10, 20] : [20, 30, 240]) + [row < 8 ? 255 : alpha]
      }
    }
    let made = try await pool.thumbnail(of: .bytes(png.bytes), longestSide: 640)
    let box = PixelSize(width: 16, height: 16)
    let pixels = try await pool.pixels(of: .bytes(made.bytes), fitting: box, extent: .whole)

    #expect(made.info.format == .webP)
    for (x, colour) in [(4, [250, 10, 20]), (5, [20, 30, 240])] {
      #expect(pixels.has(colour + [255], at: x, 3, tolerance: 0))
      #expect(pixels.has(colour + [Int(alpha)], at: x, 12, tolerance: 0))
    }
  }

  @Test func `a profile is taken to sRGB`() async throws {
    let png = PNGSample(width: 32, height: 16, profile: ProfileSample.exchanged, row: Picture.row)
    let box = PixelSize(width: 32, height: 16)
    let pixels = try await pool.pixels(of: .bytes(png.bytes), fitting: box, extent: .whole)

    // Red in this profile is green in sRGB.
    #expect(pixels.has([10, 250, 10, 255], at: 4, 8, tolerance: 20))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8, tolerance: 20))
  }

  @Test func `a profile for the perceptual intent alone is taken to sRGB`() async throws {
    let profile = ProfileSample.perceptual
    let png = PNGSample(width: 32, height: 16, profile: profile, row: Picture.row)
    let box = PixelSize(width: 32, height: 16)
    let pixels = try await pool.pixels(of: .bytes(png.bytes), fitting: box, extent: .whole)

    // A cube of two steps is less exact than curves.
    #expect(pixels.has([10, 250, 10, 255], at: 4, 8, tolerance: 60))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8, tolerance: 60))
  }

  @Test func `what an icon's mask hides is transparent`() async throws {
    let icon = PictureSource.bytes(Picture.icon(Picture.maskedBMP))
    let box = PixelSize(width: 32, height: 16)
    let pixels = try await pool.pixels(of: icon, fitting: box, extent: .whole)

    #expect(pixels.source.format == .ico)
    #expect(pixels.source.hasAlpha)
    #expect(pixels.has([250, 10, 10, 255], at: 4, 2))
    #expect(pixels.colour(4, 14)[3] == 0)
  }

  @Test func `transparency is turned with the colours`() async throws {
    let avif = PictureSource.bytes(EncodedSamples.turnedAVIF)
    let box = PixelSize(width: 32, height: 32)
    let pixels = try await pool.pixels(of: avif, fitting: box, extent: .whole)

    #expect((pixels.width, pixels.height) == (16, 32))
    #expect(pixels.has([250, 10, 10, 100], at: 2, 4))
    #expect(pixels.has([10, 10, 250, 255], at: 13, 28))
  }

  static let wrong: [(Sample, UndrawnKind)] = [
    (Sample(format: .avif, bytes: EncodedSamples.halfTurnedAVIF), .differingAlpha),
    (tiff { $0.colours = 6 }, .colourModel), (tiff { $0.colours = 8 }, .colourModel),
    (tiff { $0.sampleType = 3 }, .floatSamples),
    (tiff { $0.compression = 6 }, .oldJPEG), (tiff { $0.bits = 12 }, .oddSamples),
    (signed(bits: 16, samples: 3), .oddSamples), (signed(bits: 16, samples: 1), .oddSamples),
    (signed(bits: 32, samples: 1), .oddSamples),
  ]

  /// Numbers of which none is known to be white.
  private static func signed(bits: Int, samples: Int) -> Sample {
    tiff {
      $0.pixels = [UInt8](repeating: 0x40, count: 32 * 16 * samples * bits / 8)
      $0.colours = samples == 1 ? 1 : 2
      ($0.sampleType, $0.bits, $0.samples) = (2, bits, samples)
    }
  }

  @Test func `grey bytes marked as signed are the same as others`() async throws {
    let row: [UInt8] = (0..<32).map { UInt8($0 * 8) }
    let pixels = (0..<16).flatMap { _ in row }
    let box = PixelSize(width: 32, height: 16)
    for type in [1, 2] {
      var tiff = TIFFSample(width: 32, height: 16, pixels: pixels, colours: 1, sampleType: type)
      tiff.samples = 1
      let drawn = try await pool.pixels(of: .bytes(tiff.bytes), fitting: box, extent: .whole)

      #expect(drawn.has([0, 0, 0, 255], at: 0, 8))
      #expect(drawn.has([80, 80, 80, 255], at: 10, 8))
      #expect(drawn.has([248, 248, 248, 255], at: 31, 8))
    }
  }

  @Test func `whole numbers of 32 bits are drawn by their highest bits`() async throws {
    let row: [UInt8] = (0..<32).flatMap { [0, 0, 0, UInt8($0 * 8)] }
    let pixels = (0..<16).flatMap { _ in row }
    var tiff = TIFFSample(width: 32, height: 16, pixels: pixels, colours: 1, bits: 32)
    tiff.samples = 1
    let box = PixelSize(width: 32, height: 16)
    let drawn = try await pool.pixels(of: .bytes(tiff.bytes), fitting: box, extent: .whole)

    #expect(drawn.has([80, 80, 80, 255], at: 10, 8))
    #expect(drawn.has([248, 248, 248, 255], at: 31, 8))
  }

  @Test(arguments: wrong)
  func `what would come out in wrong colours is refused`(sample: Sample, kind: UndrawnKind) async {
    await #expect(throws: ImagingError.undrawn(sample.format, kind)) {
      try await pool.thumbnail(of: .bytes(sample.bytes), longestSide: 16)
    }
  }

  private static func tiff(_ change: (inout TIFFSample) -> Void) -> Sample {
    var tiff = TIFFSample(width: 32, height: 16, pixels: (0..<16).flatMap(Picture.row))
    change(&tiff)
    return Sample(format: .tiff, bytes: tiff.bytes)
  }

  @Test func `a picture is never made larger`() async throws {
    let made = try await pool.thumbnail(of: .bytes(Picture.png), longestSide: 512)

    #expect((made.info.width, made.info.height) == (32, 16))
  }

  @Test(arguments: [(8, 100, 8, 4), (100, 4, 8, 4), (16, 16, 16, 8)])
  func `pixels fit into the box`(width: Int, height: Int, fitWidth: Int, fitHeight: Int)
    async throws
  {
    let box = PixelSize(width: width, height: height)
    let pixels = try await pool.pixels(of: .bytes(Picture.png), fitting: box, extent: .whole)

    #expect((pixels.width, pixels.height) == (fitWidth, fitHeight))
    #expect(pixels.rgba.count == 4 * fitWidth * fitHeight)
  }
}

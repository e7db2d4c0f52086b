import Imaging
import Models
import Testing
import Workers

/// Colours that a file states by a profile or without one.
struct ColourTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
      testDescription = name
      self.bytes = bytes
    }
  }

  let pool = TestPool.shared.pool

  private func pixels(_ bytes: [UInt8]) async throws -> DecodedPixels {
    let box = PixelSize(width: 128, height: 128)
    return try await pool.pixels(of: .bytes(bytes), fitting: box, extent: .whole)
  }

  // MARK: Profiles

  private static func greyJPEG(_ profile: [UInt8]) -> [UInt8] {
    JPEGSample(columns: 4, rows: 2, profile: profile) { column, _ in column < 2 ? 60 : 200 }.bytes
  }

  private static func greyTIFF(_ profile: [UInt8]) -> [UInt8] {
    let row = [UInt8](repeating: 60, count: 16) + [UInt8](repeating: 200, count: 16)
    let pixels = (0..<16).flatMap { _ in row }
    return TIFFSample(
      width: 32,
      height: 16,
      pixels: pixels,
      colours: 1,
      samples: 1,
      profile: profile
    ).bytes
  }

  static let greys = [
    Sample("JPEG, RGB", greyJPEG(ProfileSample.exchanged)),
    Sample("JPEG, CMYK", greyJPEG(ProfileSample.ink)),
    Sample("JPEG, text", greyJPEG(Array("this is no profile at all".utf8))),
    Sample("JPEG, grey without a curve", greyJPEG(ProfileSample.greyWithoutCurve)),
    Sample("TIFF, RGB", greyTIFF(ProfileSample.exchanged)),
    Sample("TIFF, cut", greyTIFF(Array(ProfileSample.exchanged.prefix(100)))),
  ]

  @Test(arguments: greys)
  func `a grey picture ignores a profile that does not fit`(sample: Sample) async throws {
    let pixels = try await pixels(sample.bytes)

    #expect(pixels.has([60, 60, 60, 255], at: 4, 8))
    #expect(pixels.has([200, 200, 200, 255], at: 28, 8))
  }

  private static func tiff(_ profile: [UInt8]) -> [UInt8] {
    TIFFSample(width: 32, height: 16, pixels: (0..<16).flatMap(Picture.row), profile: profile).bytes
  }

  private static func png(_ profile: [UInt8]) -> [UInt8] {
    PNGSample(width: 32, height: 16, profile: profile, row: Picture.row).bytes
  }

  static let coloured = [
    Sample("TIFF, grey", tiff(ProfileSample.grey)), Sample("TIFF, CMYK", tiff(ProfileSample.ink)),
    Sample("TIFF, zeros", tiff([UInt8](repeating: 0, count: 500))),
    Sample("PNG, grey", png(ProfileSample.grey)), Sample("PNG, CMYK", png(ProfileSample.ink)),
  ]

  @Test(arguments: coloured)
  func `a coloured picture ignores a profile that does not fit`(sample: Sample) async throws {
    let pixels = try await pixels(sample.bytes)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  @Test func `a grey picture keeps a profile that fits`() async throws {
    let pixels = try await pixels(Self.greyTIFF(ProfileSample.grey))

    // A gamma of 2.2 is almost that of sRGB.
    #expect(pixels.has([60, 60, 60, 255], at: 4, 8, tolerance: 4))
  }

  // MARK: Colours without a profile

  static let declared = [
    Sample("AVIF in Display P3", RareSamples.displayP3),
    Sample("AVIF with PQ", RareSamples.quantizer), Sample("AVIF with HLG", RareSamples.hybrid),
    Sample("HEIC with PQ", RareSamples.quantizerHEIC),
  ]

  @Test(arguments: declared)
  func `declared colours are taken to sRGB`(sample: Sample) async throws {
    let pixels = try await pixels(sample.bytes)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
    #expect(pixels.source.substitute == nil)
  }

  @Test func `light brighter than paper becomes paler in its hue`() async throws {
    let pixels = try await pixels(RareSamples.bright)
    let red = pixels.colour(4, 8)

    #expect(pixels.has([255, 255, 255, 255], at: 28, 8, tolerance: 3))
    #expect(red[0] > 250)
    #expect((60...200).contains(red[1]))
    #expect(abs(red[1] - red[2]) < 25)
  }

  private static func big(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { number in (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
  }

  private static func png(_ chunks: (String, [UInt8])..., row: [UInt8]) -> [UInt8] {
    PNGSample(
      width: 32,
      height: 16,
      chunks: chunks.map { (name: $0.0, content: $0.1) },
      row: { _ in row }
    ).bytes
  }

  private static func row(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    (0..<16).flatMap { _ in left } + (0..<16).flatMap { _ in right }
  }

  /// The chromaticities of sRGB with red and green exchanged.
  private static let exchanged = big([
    31_270, 32_900, 30_000, 60_000, 64_000, 33_000, 15_000, 6_000,
  ])
  /// sRGB's (250, 10, 10) and (10, 10, 250) as linear numbers.
  private static let linear = row([244, 1, 1], [1, 1, 244])

  /// Each gives no light to one kind of cone, so no other white can be adapted to it.
  static let whitesWithoutLight: [Sample] = [
    (5_334, 24_555), (40_416, 16_778), (80_855, 20_815),
  ].map {
    let sRGB = [64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    let chunk = ("cHRM", big([$0.0, $0.1] + sRGB))
    return Sample("cHRM with the white \($0.0), \($0.1)", png(chunk, row: Picture.row(0)))
  }

  static let chunks: [Sample] = [
    Sample("gAMA of linear light", png(("gAMA", big([100_000])), row: linear)),
    Sample(
      "cHRM that exchanges",
      png(("cHRM", exchanged), row: row([10, 250, 10], [10, 10, 250]))
    ),
    Sample("cICP of linear light", png(("cICP", [1, 8, 0, 1]), row: linear)),
    Sample(
      "cICP of narrow range",
      png(("cICP", [1, 13, 0, 0]), row: row([231, 25, 25], [25, 25, 231]))
    ),
    Sample(
      "cICP before gAMA",
      png(("cICP", [1, 13, 0, 1]), ("gAMA", big([100_000])), row: Picture.row(0))
    ),
    Sample(
      "sRGB before gAMA",
      png(("sRGB", [0]), ("gAMA", big([100_000])), row: Picture.row(0))
    ),
    Sample("gAMA of sRGB", png(("gAMA", big([45_455])), row: Picture.row(0))),
    Sample(
      "cHRM without an area",
      png(("cHRM", big([0, 0, 0, 0, 0, 0, 0, 0])), row: Picture.row(0))
    ),
  ]

  @Test(arguments: chunks + whitesWithoutLight)
  func `a PNG's chunks are taken to sRGB`(sample: Sample) async throws {
    let pixels = try await pixels(sample.bytes)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  /// The red of Display P3 is beyond that of sRGB.
  @Test(arguments: [
    ([UInt8]([12, 13, 0, 1]), [255, 0, 0, 255]), ([1, 13, 0, 1], [250, 10, 10, 255]),
  ])
  func `cICP counts more than a profile`(cICP: [UInt8], red: [Int]) async throws {
    let png = PNGSample(
      width: 32,
      height: 16,
      profile: ProfileSample.exchanged,
      chunks: [("cICP", cICP)],
      row: Picture.row
    )
    let pixels = try await pixels(png.bytes)

    // Not exchanged.
    #expect(pixels.has(red, at: 4, 8))
  }

  @Test func `a curve that nobody knows is left out, and the answer says so`() async throws {
    let pixels = try await pixels(Self.png(("cICP", [1, 10, 0, 1]), row: Picture.row(0)))

    #expect(pixels.source.substitute == .withoutCurve)
    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
  }

  @Test func `colours multiplied by their alpha are divided by it`() async throws {
    let pixels = try await pixels(RareSamples.premultiplied)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 2, tolerance: 14))
    #expect(pixels.has([250, 10, 10, 100], at: 4, 13, tolerance: 14))
    #expect(pixels.has([10, 10, 250, 100], at: 28, 13, tolerance: 14))
  }
}

import Imaging
import Models
import PictureFiles
import Testing
import Workers

/// Files of kinds that cameras and archives write, and that libraries read wrongly or not at all.
struct RareFileTests {
  let pool = TestPool.shared.pool

  private func pixels(_ bytes: [UInt8]) async throws -> DecodedPixels {
    let box = PixelSize(width: 128, height: 128)
    return try await pool.pixels(of: .bytes(bytes), fitting: box, extent: .whole)
  }

  // MARK: JPEG without an end

  /// Half black and half white.
  private static func jpeg(dropping count: Int, isProgressive: Bool = false) -> [UInt8] {
    let jpeg = JPEGSample(columns: 16, rows: 16, isProgressive: isProgressive) { column, row in
      (column * 16 + row) % 256
    }
    return jpeg.bytes.dropLast(count)
  }

  @Test(arguments: [1, 2])
  func `a JPEG that lacks only its end marker is drawn`(missing: Int) async throws {
    let whole = try await pixels(Self.jpeg(dropping: 0))

    #expect(try await pixels(Self.jpeg(dropping: missing)).rgba == whole.rgba)
    let thumbnail = try await pool.thumbnail(
      of: .bytes(Self.jpeg(dropping: missing)),
      longestSide: 64
    )
    #expect(PictureCheck(thumbnail.bytes)?.completeness == .whole)
  }

  @Test(arguments: [4, 10, 100])
  func `a JPEG that lacks a part of its picture is refused`(missing: Int) async {
    await #expect {
      try await pool.thumbnail(of: .bytes(Self.jpeg(dropping: missing)), longestSide: 64)
    } throws: { error in
      if case .undecodable? = error as? ImagingError { true } else { false }
    }
  }

  @Test func `a progressive JPEG that lacks scans is refused`() async {
    await #expect(throws: ImagingError.self) {
      try await pool.thumbnail(
        of: .bytes(Self.jpeg(dropping: 2, isProgressive: true)),
        longestSide: 64
      )
    }
  }

  // MARK: HEIC and WebP

  @Test func `a HEIC whose metadata describes a gain map as well is drawn`() async throws {
    let pixels = try await pixels(RareSamples.gainMap)

    #expect((pixels.source.width, pixels.source.height) == (128, 64))
    #expect(pixels.has([250, 10, 10, 255], at: 20, 30))
    #expect(pixels.has([10, 10, 250, 255], at: 100, 30))
  }

  /// A sample whose box of items stands last and has no length.
  private static let openAVIF: [UInt8] = {
    let sample = EncodedSamples.avif
    var items = Array(sample[28..<262])
    items.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    items.replaceSubrange(79..<83, with: [0, 0, 0, 36])
    return sample[..<28] + sample[262...] + items
  }()

  /// A sample with a pyramid of one layer.
  private static let pyramidAVIF: [UInt8] = {
    let sample = EncodedSamples.avif
    let ids: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    let layer: [UInt8] = [0, 32, 0, 16, 0, 1, 0, 0, 0, 0]
    let group = box("grpl", box("pymd", ids + layer))
    var items = Array(sample[28..<262])
    // The length of the box, and the offset of the picture: each is 42 more than before.
    items.replaceSubrange(0..<4, with: [0, 0, 1, 20])
    items.replaceSubrange(79..<83, with: [0, 0, 1, 56])
    return sample[..<28] + items + group + sample[262...]
  }()

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(body.count + 8)] + Array(type.utf8) + body
  }

  @Test(arguments: [openAVIF, pyramidAVIF])
  func `an AVIF with boxes that libheif does not know is drawn`(file: [UInt8]) async throws {
    let pixels = try await pixels(file)

    #expect((pixels.source.width, pixels.source.height) == (32, 16))
    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  @Test func `an AVIF that lacks its items stays damaged`() async {
    await #expect {
      try await pixels(Array(Self.openAVIF.prefix(100)))
    } throws: { error in
      if case .undecodable? = error as? ImagingError { true } else { false }
    }
  }

  @Test(arguments: [("avif", ImageFormat.avif), ("heic", .heic)])
  func `a file in the short form is not drawn`(brand: String, format: ImageFormat) async {
    let file = Self.box("ftyp", Array("mif3\(brand)".utf8)) + Self.box("mini", [8, 8, 31, 62])

    await #expect(throws: ImagingError.undrawn(format, .newerForm)) {
      try await pixels(file)
    }
  }

  @Test func `a WebP is transparent where its picture is, whatever its flags say`() async throws {
    var webP = EncodedSamples.halfTransparentWebP
    webP[20] &= ~0x10
    let pixels = try await pixels(webP)

    #expect(pixels.source.hasAlpha)
    #expect(pixels.has([250, 10, 10, 128], at: 4, 8))
  }

  @Test func `a WebP whose flags claim transparency in vain is opaque`() async throws {
    var webP = EncodedSamples.webP
    webP[20] |= 0x10

    #expect(try await pixels(webP).has([250, 10, 10, 255], at: 4, 8))
  }

  // MARK: TIFF

  private static func tiff(_ width: Int, _ change: (inout TIFFSample) -> Void = { _ in })
    -> TIFFSample
  {
    let row = Picture.row(0)
    let pixels = (0..<width / 2).flatMap { _ in
      (0..<width).flatMap { x in row[(x < width / 2 ? 0 : 90)...].prefix(3) }
    }
    var tiff = TIFFSample(width: width, height: width / 2, pixels: pixels)
    change(&tiff)
    return tiff
  }

  static let reduced = (254, 1)
  private static let full = tiff(64)
  private static let small = tiff(16) { $0.numbers = [reduced] }
  /// Samples of a sensor, 16 bits of nothing.
  private static let raw = tiff(128) { $0.colours = 32_803 }

  struct TIFF: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let width: Int
    var substitute: PictureSubstitute?

    init(
      _ name: String,
      _ sample: TIFFSample,
      _ width: Int,
      _ substitute: PictureSubstitute? = nil,
      change: (inout TIFFSample) -> Void
    ) {
      var sample = sample
      change(&sample)
      testDescription = name
      bytes = sample.bytes
      self.width = width
      self.substitute = substitute
    }
  }

  static let directories: [TIFF] = [
    TIFF("reduced first, full next", small, 64) { $0.following = [full] },
    TIFF("reduced first, full below", small, 64) { $0.below = [full] },
    TIFF("full first, overview next", full, 64) { $0.following = [small] },
    TIFF("mask first, full next", tiff(128), 64) {
      $0.numbers = [(254, 4)]
      $0.following = [full]
    },
    TIFF("reduced by the old tag", tiff(16), 64) {
      $0.numbers = [(255, 2)]
      $0.following = [full]
    },
    TIFF("two pages", tiff(32), 32) { $0.following = [full] },
    TIFF("reduced alone", small, 16) { _ in },
    TIFF("raw data below a preview", tiff(32), 32, .preview) {
      $0.numbers = [reduced]
      $0.below = [raw]
    },
    TIFF("raw data, larger preview next", small, 64, .preview) {
      $0.below = [raw]
      $0.following = [full]
    },
  ]

  @Test(arguments: directories)
  func `the full picture of a TIFF is drawn`(tiff: TIFF) async throws {
    let pixels = try await pixels(tiff.bytes)

    #expect(pixels.source.format == .tiff)
    #expect(pixels.source.width == tiff.width)
    #expect(pixels.source.substitute == tiff.substitute)
    #expect(pixels.has([250, 10, 10, 255], at: 2, 2))
    #expect(pixels.has([10, 10, 250, 255], at: pixels.width - 3, 2))
  }

  /// A raw file whose preview is a JPEG, as cameras write it.
  private static func raw(jpeg: [UInt8], orientation: Int) -> [UInt8] {
    var tiff = TIFFSample(width: 32, height: 16, pixels: jpeg, colours: 6, compression: 6)
    tiff.numbers = [reduced, (274, orientation)]
    tiff.below = [Self.raw]
    return tiff.bytes
  }

  @Test func `raw data is shown by its JPEG, turned as the file says`() async throws {
    let made = try await pool.thumbnail(
      of: .bytes(Self.raw(jpeg: Picture.jpeg, orientation: 6)),
      longestSide: 64
    )
    let box = PixelSize(width: 64, height: 64)
    let pixels = try await pool.pixels(of: .bytes(made.bytes), fitting: box, extent: .whole)

    #expect(made.source.substitute == .preview)
    #expect((pixels.width, pixels.height) == (16, 32))
    #expect(pixels.has([0, 0, 0, 255], at: 8, 4))
    #expect(pixels.has([255, 255, 255, 255], at: 8, 28))
  }

  @Test(arguments: [[UInt8](), [0xFF, 0xD8, 0xFF, 0xD9]])
  func `raw data without a preview is not drawn`(preview: [UInt8]) async {
    await #expect(throws: ImagingError.undrawn(.tiff, .rawData)) {
      try await pool.thumbnail(
        of: .bytes(preview.isEmpty ? Self.raw.bytes : Self.raw(jpeg: preview, orientation: 1)),
        longestSide: 64
      )
    }
  }

  // MARK: Animations

  @Test func `what a GIF's first frame leaves free is transparent`() async throws {
    let pixels = try await pixels(RareSamples.offsetGIF)

    #expect((pixels.width, pixels.height) == (32, 16))
    #expect(pixels.colour(4, 12)[3] == 0)
    #expect(pixels.colour(24, 2)[3] == 0)
    #expect(pixels.has([10, 10, 250, 255], at: 24, 12))
  }

  @Test(arguments: [RareSamples.blankFirstGIF, RareSamples.blankFirstWebP])
  func `the first frame on which something can be seen is the thumbnail`(file: [UInt8]) async throws
  {
    let made = try await pool.thumbnail(of: .bytes(file), longestSide: 32)
    let pixels = try await pixels(made.bytes)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8, tolerance: 20))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8, tolerance: 20))
  }

  /// Each frame that is tried needs another scan of the file.
  @Test func `the first frame is the thumbnail when a hundred blank ones follow`() async throws {
    let green: [UInt8] = [0, 250, 0]
    let blank = GIFSample(width: 32, height: 16, frames: Array(repeating: green, count: 100)).bytes
    let late = RareSamples.blankFirstGIF
    let picture = try #require(late.indices.last { late[$0...].starts(with: [0x21, 0xF9, 4]) })

    let file = Array(blank.dropLast()) + late[picture...]
    let made = try await pool.thumbnail(of: .bytes(file), longestSide: 32)
    let pixels = try await pixels(made.bytes)

    #expect(pixels.has([0, 250, 0, 255], at: 4, 8, tolerance: 20))
    #expect(pixels.has([0, 250, 0, 255], at: 28, 8, tolerance: 20))
  }

  @Test func `the first frame is the thumbnail when nothing can be seen on any`() async throws {
    let made = try await pool.thumbnail(of: .bytes(RareSamples.blankGIF), longestSide: 32)

    #expect(try await pixels(made.bytes).has([255, 255, 255, 255], at: 4, 8))
  }

  // MARK: Panoramas

  @Test(arguments: [
    (8_000, 160, 640, 2_560, 51), (12_000, 1_200, 640, 1_600, 160), (160, 8_000, 640, 51, 2_560),
    (2_000, 500, 640, 640, 160), (800, 100, 640, 800, 100), (600, 16, 640, 600, 16),
  ])
  func `a panorama's thumbnail is long enough to see something`(
    width: Int,
    height: Int,
    side: Int,
    fitWidth: Int,
    fitHeight: Int
  ) async throws {
    let png = PNGSample(width: width, height: height, colour: .grey).bytes
    let made = try await pool.thumbnail(of: .bytes(png), longestSide: side)

    #expect((made.info.width, made.info.height) == (fitWidth, fitHeight))
  }

  // MARK: Formats that not every libvips reads

  static let others: [(ImageFormat, [UInt8])] = [
    (.jpegXL, RareSamples.jpegXL), (.jpegXL, RareSamples.quantizerJPEGXL),
    (.jpegXL, RareSamples.hybridJPEGXL), (.jpegXL, RareSamples.fractionsJPEGXL),
    (.jpeg2000, RareSamples.jpeg2000),
    (.jpeg2000, RareSamples.bareJPEG2000), (.svg, svg("viewBox='0 0 32 16'")),
    (.svg, svg("width='32' height='16'")),
  ]

  private static func svg(_ size: String, _ more: String = "") -> [UInt8] {
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" \(size)><path fill="#fa0a0a" d="M0 0h16v16H0z"/>
      <path fill="#0a0afa" d="M16 0h16v16H16z"/>\(more)</svg>
      """.utf8
    )
  }

  @Test(arguments: others)
  func `a format that this machine's libvips reads is drawn, and no other`(
    format: ImageFormat,
    file: [UInt8]
  ) async throws {
    let test = TestPool(processes: 1)
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let formats = try #require(test.started.withLock { $0.first }?.formats)
    let box = PixelSize(width: 32, height: 32)
    guard formats.contains(format) else {
      await #expect(throws: ImagingError.unsupported(format)) {
        try await test.pool.pixels(of: .bytes(file), fitting: box, extent: .whole)
      }
      return
    }
    let pixels = try await test.pool.pixels(of: .bytes(file), fitting: box, extent: .whole)

    #expect(pixels.source.format == format)
    #expect((pixels.width, pixels.height) == (32, 16))
    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
    #expect(pixels.source.substitute == nil)
  }

  @Test(arguments: [
    "<image href='/etc/passwd' width='9' height='9'/>",
    "<image href='file:///proc/self/environ' width='9' height='9'/>",
    "<image href='http://127.0.0.1/x.png' width='9' height='9'/>",
    "<style>@import url('/etc/passwd');</style>",
  ])
  func `an SVG is drawn without what it refers to elsewhere`(reference: String) async throws {
    let pixels = try await pixels(Self.svg("viewBox='0 0 32 16'", reference))

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  @Test func `an SVG is drawn without its text, and the answer says so`() async throws {
    let text = "<text x='2' y='9'>A line</text>"
    let pixels = try await pixels(Self.svg("viewBox='0 0 32 16'", text))

    #expect(pixels.source.substitute == .withoutText)
    #expect(pixels.has([10, 10, 250, 255], at: 28, 14))
  }

  static let damaged: [[UInt8]] = [
    [0xFF, 0x0A], [0xFF, 0x4F, 0xFF, 0x51], RareSamples.jpegXL.dropLast(20),
    RareSamples.jpeg2000.dropLast(60), svg("viewBox='0 0 32 16'").dropLast(20),
    svg("width='900000' height='900000'"),
  ]

  @Test(arguments: damaged)
  func `a damaged or endless one is refused`(file: [UInt8]) async throws {
    await #expect(throws: ImagingError.self) {
      try await pool.thumbnail(of: .bytes(file), longestSide: 512)
    }
    _ = try await pool.inspect(.bytes(Picture.png))
  }

  // MARK: Checksums

  @Test(arguments: ["IHDR", "IDAT"])
  func `a PNG whose size or pixels do not fit their checksum is damaged`(name: String) async {
    let png = PNGSample(width: 32, height: 16, wronglyChecked: name, row: Picture.row).bytes

    await #expect {
      try await pool.thumbnail(of: .bytes(png), longestSide: 64)
    } throws: { error in
      if case .undecodable? = error as? ImagingError { true } else { false }
    }
  }

  @Test(arguments: [
    // Linear light, in two ways.
    ("gAMA", [0, 1, 0x86, 0xA0]), ("cICP", [1, 8, 0, 1]),
  ])
  func `a PNG is drawn without colours that do not fit their checksum`(
    name: String,
    content: [UInt8]
  ) async throws {
    let png = PNGSample(
      width: 32,
      height: 16,
      chunks: [(name: name, content: content)],
      wronglyChecked: name,
      row: Picture.row
    )
    let pixels = try await pixels(png.bytes)

    #expect(pixels.has([250, 10, 10, 255], at: 4, 8, tolerance: 4))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8, tolerance: 4))
  }

  // MARK: Valid but not drawn

  /// The picture of a sample begins one pixel further right on its canvas.
  private static let shiftedJPEG2000: [UInt8] = {
    var bytes = RareSamples.bareJPEG2000
    bytes[19] = 1
    return bytes
  }()

  /// A sample gets a palette of one colour.
  private static let paletteJPEG2000: [UInt8] = {
    var bytes = RareSamples.jpeg2000
    let palette = box("pclr", [0, 1, 1, 7, 0])
    // The length of the header box, before which lie 32 bytes; its 45 bytes end before 77.
    bytes[35] += UInt8(palette.count)
    bytes.insert(contentsOf: palette, at: 77)
    return bytes
  }()

  @Test(arguments: [shiftedJPEG2000, paletteJPEG2000])
  func `a JPEG 2000 whose decoder would crash does not reach it`(bytes: [UInt8]) async throws {
    let test = TestPool(processes: 1)
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let formats = try #require(test.started.withLock { $0.first }?.formats)
    let reads = formats.contains(.jpeg2000)

    await #expect(
      throws: reads ? ImagingError.undrawn(.jpeg2000, .newerForm) : .unsupported(.jpeg2000)
    ) {
      try await test.pool.thumbnail(of: .bytes(bytes), longestSide: 64)
    }
    _ = try await test.pool.inspect(.bytes(Picture.png))
    #expect(test.started.withLock { $0.count } == 1)
  }

  @Test func `a PNG in the form of application packages is not drawn`() async {
    let chunk: [UInt8] =
      [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0x2B, 0xD5, 0xB3, 0x7F]
    let png = Picture.png.prefix(8) + chunk + Picture.png.dropFirst(8)

    await #expect(throws: ImagingError.undrawn(.png, .packing)) {
      try await pool.thumbnail(of: .bytes(Array(png)), longestSide: 64)
    }
  }

  @Test(arguments: [
    (JPEGSample(columns: 2, rows: 2, bits: 12).bytes, UndrawnKind.twelveBits),
    (JPEGSample(columns: 2, rows: 2, frameMarker: 0xC3).bytes, .losslessJPEG),
    (JPEGSample(columns: 2, rows: 2, frameMarker: 0xC5).bytes, .losslessJPEG),
  ])
  func `a valid JPEG that is not drawn does not count as damaged`(
    bytes: [UInt8],
    kind: UndrawnKind
  ) async {
    await #expect(throws: ImagingError.undrawn(.jpeg, kind)) {
      try await pool.thumbnail(of: .bytes(bytes), longestSide: 64)
    }
  }
}

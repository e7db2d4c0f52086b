internal import CVips
import DecoderFrames
import Models
import PictureFiles

/// How libvips is to read the picture of a file.
struct PictureReading {
  var content: PictureContent
  /// The format that libvips reads.
  private(set) var loader: ImageFormat
  /// The page of a file with several pictures, and the number of a TIFF directory below it.
  private(set) var place: (page: Int, subdirectory: Int?) = (0, nil)
  /// The colours that the file declares without a profile; nil for those of sRGB.
  private(set) var colours: DeclaredColours?
  private(set) var isPremultiplied = false
  /// The place of a GIF's first frame, if it does not cover the screen.
  private(set) var frame: (x: Int, y: Int, width: Int, height: Int)?
  /// The orientation that replaces a missing one; 0 for none.
  private(set) var orientation = 0
  private(set) var substitute: PictureSubstitute?
  /// The bytes that the decoder of TIFF holds at once in addition to the rows.
  private(set) var stripBytesAtOnce = 0
  /// The kind of error that ends the decoding.
  var failOn = VIPS_FAIL_ON_TRUNCATED
  /// The warnings of libvips before this reading, if another one makes it fail; else nil.
  private var warnings: Int?

  /// Decides how to read a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - claim: The format and size that the file's first bytes claim.
  ///   - beginning: The file's first bytes.
  ///   - isPartial: Whether the end of the file may be missing.
  /// - Throws: The refusal of a picture that is not drawn.
  init(
    _ file: borrowing PictureFile,
    _ claim: ImageHeader,
    _ beginning: [UInt8],
    isPartial: Bool
  ) throws(Refusal) {
    guard VipsLibrary.reads(claim.format) else { throw .unsupported(claim.format) }
    loader = claim.format
    content = .file(PictureEdits())
    if isPartial { failOn = VIPS_FAIL_ON_NONE }
    switch claim.format {
    case .jpeg:
      if let kind = ImageHeader.undrawn(ofJPEG: beginning) { throw .undrawn(.jpeg, kind) }
    case .png:
      // Xcode's form of PNG, which has no headers of zlib.
      if beginning.dropFirst(12).starts(with: "CgBI".utf8) { throw .undrawn(.png, .packing) }
      declare(file.reading { DeclaredColours(ofPNG: $0) })
    case .gif:
      let (width, height) = (claim.width ?? 0, claim.height ?? 0)
      frame = ImageHeader.firstFrame(ofGIF: beginning).flatMap { frame in
        let isAll = frame.x == 0 && frame.y == 0 && frame.width >= width && frame.height >= height
        return isAll ? nil : frame
      }
    case .webP: content = .file(file.reading { PictureEdits(ofWebP: $0) })
    case .avif, .heic:
      if ImageHeader.isShortISOMedia(beginning) { throw .undrawn(claim.format, .newerForm) }
      if ImageHeader.hasDifferingAlpha(beginning) { throw .undrawn(claim.format, .differingAlpha) }
      content = .file(PictureEdits(ofISOMedia: beginning, length: file.length))
      declare(DeclaredColours(ofISOMedia: beginning))
      isPremultiplied = ImageHeader.isPremultiplied(beginning)
    case .tiff: try chooseDirectory(of: file)
    case .bmp, .ico, .pnm:
      content = try PictureContent(file, plain: claim.format, isPartial: isPartial)
      if case .png(let bytes) = content {
        loader = .png
        declare(
          DeclaredColours(ofPNG: { offset, count in
            let isThere = offset <= bytes.count && count <= bytes.count - offset
            return isThere ? Array(bytes[offset..<offset + count]) : nil
          })
        )
      }
    case .svg: if Self.hasText(file) { substitute = .withoutText }
    case .jpeg2000:
      if let kind = file.reading({ ImageHeader.undrawn(ofJPEG2000: $0) }) {
        throw .undrawn(.jpeg2000, kind)
      }
    case .jpegXL: declare(DeclaredColours(ofJPEGXL: beginning))
    }
  }

  private mutating func declare(_ colours: DeclaredColours?) {
    self.colours = colours
    if colours?.curve == .unknown { substitute = .withoutCurve }
  }

  /// Whether an SVG has elements of text; fonts are files, which the sandbox does not open.
  private static func hasText(_ file: borrowing PictureFile) -> Bool {
    let text = PictureFile.bytes(of: file.descriptor, at: 0, atMost: longestSVG)
    return ["<text", ":text"].contains { name in text.firstRange(of: Array(name.utf8)) != nil }
  }

  /// In bytes; text after them is not noted.
  private static let longestSVG = 4 << 20

  private mutating func chooseDirectory(of file: borrowing PictureFile) throws(Refusal) {
    let choice = file.reading { reading in
      TIFFFile(reading: reading)?.choice(reading: reading)
    }
    switch choice {
    case .directory(let directory, let page, let subdirectory, let isPreview):
      if let kind = directory.undrawn { throw .undrawn(.tiff, kind) }
      if isPreview { substitute = .preview }
      place = (page, subdirectory)
      stripBytesAtOnce = directory.stripBytesAtOnce
    case .jpeg(let range, let orientation, let isPreview):
      var edits = PictureEdits()
      edits.part = range
      content = .file(edits)
      loader = .jpeg
      self.orientation = (1...8).contains(orientation) ? orientation : 0
      if isPreview { substitute = .preview }
    case .rawData: throw .undrawn(.tiff, .rawData)
    // libvips says what is wrong.
    case nil: break
    }
  }

  /// Opens the picture as the file means it; libvips does most of the decoding when the pixels are used.
  func load(_ plan: LoadPlan, of file: borrowing PictureFile) throws(Refusal) -> Picture {
    var plan = plan
    plan.place = plan.place ?? place
    var picture = try PictureInput.load(content, of: file, plan)
    if loader == .tiff { picture = try picture.withoutOddSamples() }
    if loader == .jpegXL { picture = try picture.withoutFractions() }
    if isPremultiplied, picture.hasAlpha {
      picture = try picture.applying { cvips_unpremultiply($0, $1) }
    }
    if let frame, plan.place?.page == 0, !picture.hasAlpha {
      picture = try picture.onClearScreen(frame)
    }
    if let colours { picture = try picture.declaring(colours) }
    if orientation > 0, picture.number("orientation") == 0 {
      picture = try picture.applying { cvips_with_orientation($0, $1, Int32(orientation)) }
    }
    return picture
  }

  /// The reading of a JPEG file that lacks only its end; nil for others, and after a failure of another kind.
  func withEnd(of file: borrowing PictureFile) -> PictureReading? {
    guard loader == .jpeg, case .file(let edits) = content, edits.isEmpty,
      file.length <= Self.longestWithoutEnd,
      let bytes = file.bytes(at: 0, count: file.length), let ended = PictureEdits(ofJPEG: bytes)
    else { return nil }
    var reading = self
    reading.content = .file(ended)
    // The decoder warns when the last scan ends too early.
    reading.failOn = VIPS_FAIL_ON_WARNING
    reading.warnings = VipsLibrary.warnings
    return reading
  }

  /// Refuses a picture that was decoded with warnings, where they matter.
  ///
  /// libvips itself looks at them before it decodes the next rows, so that those of the last rows have no effect. It
  /// writes them when it closes the picture.
  func checkWarnings() throws(Refusal) {
    guard let warnings, VipsLibrary.warnings != warnings else { return }
    throw .undecodable(message: "its last scan is cut")
  }

  /// In bytes; the whole file is in memory while its end is looked for.
  private static let longestWithoutEnd = 64 << 20
}

extension PictureFile {
  /// Passes a function that reads ranges of the file; it returns nil when some bytes are missing.
  func reading<Value>(_ body: ((_ offset: Int, _ count: Int) -> [UInt8]?) -> Value) -> Value {
    let (descriptor, length) = (descriptor, length)
    return body { offset, count in
      guard count >= 0, offset >= 0, count <= length - offset else { return nil }
      let bytes = Self.bytes(of: descriptor, at: offset, atMost: count)
      return bytes.count == count ? bytes : nil
    }
  }
}

internal import CVips
import DecoderFrames
import Models
import PictureFiles

/// A picture whose header has been read and checked.
struct OpenedPicture {
  let header: PictureHeader
  let reading: PictureReading

  /// Reads the header of a file; when `isPartial`, the end of the file may be missing.
  init(_ file: borrowing PictureFile, isPartial: Bool) throws(Refusal) {
    let beginning = file.beginning()
    let claim = try Self.claim(of: beginning)
    // Check the claimed size before decoding anything but the header.
    try DecodingLimits.check(claim)
    reading = try PictureReading(file, claim, beginning, isPartial: isPartial)
    var plan = LoadPlan(claim)
    plan.format = reading.loader
    let picture = try reading.load(plan, of: file)
    header = PictureHeader(picture, reading, claim: claim, beginning: beginning)
  }

  private init(_ header: PictureHeader, _ reading: PictureReading) {
    self.header = header
    self.reading = reading
  }

  /// The picture of a JPEG file that lacks only its end; nil for others.
  func withEnd(of file: borrowing PictureFile) -> OpenedPicture? {
    reading.withEnd(of: file).map { OpenedPicture(header, $0) }
  }

  func thumbnail(
    longestSide: Int,
    of file: borrowing PictureFile
  ) throws(Refusal) -> EncodedThumbnail {
    let (width, height) = header.facts.upright
    let box = ThumbnailSides.box(longestSide: longestSide, width: width, height: height)
    let small = try fitted(file, into: box).inMemory()
    return try EncodedThumbnail(try firstVisible(small, file, box), of: header.facts)
  }

  /// The first frame on which something can be seen; the first of all if there is none.
  private func firstVisible(
    _ first: consuming Picture,
    _ file: borrowing PictureFile,
    _ box: (width: Int, height: Int)
  ) throws(Refusal) -> Picture {
    guard header.frames > 1, [.gif, .webP].contains(header.loader), first.isBlank else {
      return first
    }
    for page in 1..<min(header.frames, framesToTry) {
      // A frame that cannot be decoded does not make the first one worse.
      guard let frame = try? fitted(file, into: box, page: page).inMemory() else { break }
      if !frame.isBlank { return frame }
    }
    return first
  }

  /// How many frames are decoded at most to find one: to reach one, libvips decodes those before it again.
  private var framesToTry: Int {
    let pixels = header.facts.width * header.facts.height
    let count = Int((2 * Double(Self.pixelsToTry) / Double(max(pixels, 1))).squareRoot()) + 1
    return min(count, Self.mostFramesToTry)
  }

  private static let pixelsToTry = 100_000_000
  /// libvips scans the whole file again for each.
  private static let mostFramesToTry = 64

  func pixels(
    box: (width: Int, height: Int),
    of file: borrowing PictureFile
  ) throws(Refusal) -> PixelMemory {
    try checkResult(box)
    return try PixelMemory(fitted(file, into: box).inRGBA(), of: header.facts)
  }

  /// What the camera has written about the picture; none in formats that have no place for it.
  func details(of file: borrowing PictureFile) throws(Refusal) -> PictureDetails {
    switch header.facts.format {
    // A TIFF file has it in its own tags, also about the picture in a strip.
    case .tiff: return file.reading { PictureDetails(tiff: $0) }
    case .jpeg, .png, .webP, .avif, .heic, .jpegXL: break
    default: return PictureDetails()
    }
    var plan = LoadPlan(format: header.loader)
    plan.failOn = VIPS_FAIL_ON_NONE
    // The loader of WebP allocates the picture at once.
    if header.loader == .webP {
      plan.scale = min(1, 1_024 / Double(max(header.facts.width, header.facts.height, 1)))
    }
    return try reading.load(plan, of: file).details
  }

  private func checkResult(_ box: (width: Int, height: Int)) throws(Refusal) {
    let shrink = header.shrink(toFit: box)
    let pixels = Double(header.facts.width) / shrink * (Double(header.facts.height) / shrink)
    guard pixels <= Double(FrameLimits.pixels) else {
      throw .resultTooLarge(limit: FrameLimits.pixels)
    }
  }

  private func fitted(
    _ file: borrowing PictureFile,
    into box: (width: Int, height: Int),
    page: Int? = nil
  ) throws(Refusal) -> Picture {
    var plan = LoadPlan(header, shrink: header.shrink(toFit: box), failOn: reading.failOn)
    if let page { plan.place = (page, nil) }
    try DecodingLimits.check(header, plan: plan, fileBytes: file.length)
    let picture = try reading.load(plan, of: file)
    return try picture.fitted(width: box.width, height: box.height, failOn: plan.failOn)
  }

  private static func claim(of beginning: [UInt8]) throws(Refusal) -> ImageHeader {
    guard let claim = ImageHeader(beginning) else {
      throw .notAPicture(looksLike: ContentKind(beginning).noun)
    }
    return claim
  }
}

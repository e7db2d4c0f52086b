internal import CVips
import DecoderFrames
import Models
import PictureFiles

/// A picture whose header has been read and checked.
struct OpenedPicture {
  private(set) var header: PictureHeader
  let content: PictureContent

  /// Reads the header of a file; when `isPartial`, the end of the file may be missing.
  init(_ file: borrowing PictureFile, isPartial: Bool) throws(Refusal) {
    let beginning = file.beginning()
    let claim = try Self.claim(of: beginning)
    // Check the claimed size before decoding anything but the header.
    try DecodingLimits.check(claim)
    let directory = claim.format == .tiff ? Self.directory(of: file) : nil
    if let kind = Self.undrawnKind(claim, directory, beginning) {
      throw .undrawn(claim.format, kind)
    }
    content = try PictureContent(file, as: claim.format, isPartial: isPartial)
    var plan = LoadPlan(claim)
    if case .png = content { plan.format = .png }
    let picture = try PictureInput.load(content, of: file, plan)
    header = PictureHeader(picture, claim: claim, beginning: beginning)
    header.loader = plan.format
    header.stripBytesAtOnce = directory?.stripBytesAtOnce ?? 0
  }

  private static func directory(of file: borrowing PictureFile) -> TIFFDirectory? {
    let (descriptor, length) = (file.descriptor, file.length)
    return TIFFDirectory { offset, count in
      guard count >= 0, offset >= 0, count <= length - offset else { return nil }
      return PictureFile.bytes(of: descriptor, at: offset, atMost: count)
    }
  }

  private static func undrawnKind(
    _ claim: ImageHeader,
    _ directory: TIFFDirectory?,
    _ beginning: [UInt8]
  ) -> UndrawnKind? {
    switch claim.format {
    case .tiff: directory?.undrawn
    case .avif, .heic: ImageHeader.hasDifferingAlpha(beginning) ? .differingAlpha : nil
    default: nil
    }
  }

  func thumbnail(
    longestSide: Int,
    of file: borrowing PictureFile
  ) throws(Refusal) -> EncodedThumbnail {
    let box = (width: longestSide, height: longestSide)
    let small = try fitted(file, into: box, failOn: VIPS_FAIL_ON_TRUNCATED)
    return try EncodedThumbnail(small.inMemory(), of: header.facts)
  }

  func pixels(
    box: (width: Int, height: Int),
    isPartial: Bool,
    of file: borrowing PictureFile
  ) throws(Refusal) -> PixelMemory {
    try checkResult(box)
    let failOn = isPartial ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_TRUNCATED
    return try PixelMemory(fitted(file, into: box, failOn: failOn).inRGBA(), of: header.facts)
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
    failOn: VipsFailOn
  ) throws(Refusal) -> Picture {
    let plan = LoadPlan(header, shrink: header.shrink(toFit: box), failOn: failOn)
    try DecodingLimits.check(header, plan: plan, fileBytes: file.length)
    let picture = try PictureInput.load(content, of: file, plan)
    return try picture.fitted(width: box.width, height: box.height, failOn: failOn)
  }

  private static func claim(of beginning: [UInt8]) throws(Refusal) -> ImageHeader {
    guard let claim = ImageHeader(beginning) else {
      throw .notAPicture(looksLike: ContentKind(beginning).noun)
    }
    switch claim.format {
    case .jpeg, .png, .gif, .webP, .avif, .heic, .tiff, .bmp, .ico, .pnm: return claim
    case .svg, .jpegXL, .jpeg2000: throw .unsupported(claim.format)
    }
  }
}

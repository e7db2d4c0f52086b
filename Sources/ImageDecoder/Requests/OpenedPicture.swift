internal import CVips
import DecoderFrames
import Models
import Workers

/// A picture whose header was read and found good.
struct OpenedPicture {
  let header: PictureHeader

  init(_ file: borrowing PictureFile) throws(Refusal) {
    let beginning = file.beginning()
    let claim = try Self.claim(of: beginning)
    // The size claimed is checked before anything but the header is decoded.
    let picture = try PictureInput(descriptor: file.descriptor).load(LoadPlan(claim))
    header = PictureHeader(picture, claim: claim, beginning: beginning)
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
    let input = try PictureInput(descriptor: file.descriptor)
    return try input.load(plan).fitted(width: box.width, height: box.height, failOn: failOn)
  }

  private static func claim(of beginning: [UInt8]) throws(Refusal) -> ImageHeader {
    guard let claim = ImageHeader(beginning) else {
      throw .notAPicture(looksLike: ContentKind(beginning).noun)
    }
    switch claim.format {
    case .jpeg, .png, .gif, .webP, .avif, .heic, .tiff: return claim
    case .svg, .jpegXL, .bmp: throw .unsupported(claim.format)
    }
  }
}

import Models
import Workers

/// A decoder that makes thumbnails without decoding, and records its requests.
final class FakeImaging: ImageDecoding {
  static let bytes: [UInt8] = [0xAB, 0xCD]
  static let info = PictureInfo(format: .jpeg, bytes: 2, width: 640, height: 480)
  private static let facts = PictureFacts(
    format: .jpeg,
    width: 4_000,
    height: 3_000,
    orientation: 1,
    isAnimated: false,
    hasAlpha: false
  )

  private let failure: ImagingError?
  private let isReady: Bool
  private let sources = Locked<[PictureSource]>([])

  /// Creates a decoder; `failure` fails every picture, and `isReady` says whether a decoder is available.
  init(failure: ImagingError? = nil, isReady: Bool = true) {
    self.failure = failure
    self.isReady = isReady
  }

  /// The sources of thumbnails and pixels, in the order of the requests.
  var decoded: [PictureSource] { sources.withLock { $0 } }

  func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    if !isReady { throw .noDecoder(lookedAt: ["/nowhere"]) }
    return Self.facts
  }

  func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail {
    try decode(picture)
    return MadeThumbnail(info: Self.info, bytes: Self.bytes, source: Self.facts)
  }

  func pixels(
    of picture: PictureSource,
    fitting box: PixelSize,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    try decode(picture)
    return DecodedPixels(width: 1, height: 1, rgba: [0, 0, 0, 255], source: Self.facts)
  }

  private func decode(_ picture: PictureSource) throws(ImagingError) {
    sources.withLock { $0.append(picture) }
    if !isReady { throw .noDecoder(lookedAt: ["/nowhere"]) }
    if let failure { throw failure }
  }
}

import DecoderFrames
import Models

/// An answer of each kind from a decoder, after the byte that chooses the kind.
enum AnswerSeeds {
  static let all: [[UInt8]] =
    [
      [0] + AnswerHeader(kind: .facts, id: 1, payloadLength: facts.payload.count).bytes
        + facts.payload,
      payload(.greeting, DecoderGreeting(protections: [.noFiles], library: "libvips 8").payload),
      payload(.facts, facts.payload), payload(.thumbnail, thumbnail), payload(.pixels, pixels),
      payload(.rendering, PictureSeeds.jpeg),
      payload(.colourGrid, [UInt8](repeating: 128, count: ColourGrid.bytes)),
      payload(.details, details.payload), payload(.details, PictureDetails().payload),
    ]
    + refusals.map { payload(.refusal, $0.payload) }

  private static let facts = PictureFacts(
    format: .jpeg,
    width: 96,
    height: 64,
    orientation: 6,
    isAnimated: false,
    hasAlpha: true
  )

  private static let details: PictureDetails = {
    var details = PictureDetails()
    (details.camera, details.lens) = ("Camera", "Lens")
    (details.exposure, details.aperture) = (4_000_000, 280)
    details.taken = DateTaken(clock: 1_563_127_353_450, offset: 120)
    details.place = PicturePlace(latitude: 48_858_367, longitude: 2_294_450)
    return details
  }()

  private static let thumbnail =
    ThumbnailHead(source: facts, format: .jpeg, width: 48, height: 32).bytes + PictureSeeds.jpeg

  private static let pixels =
    PixelsHead(source: facts, width: 3, height: 2).bytes + [UInt8](repeating: 128, count: 24)

  private static let refusals: [Refusal] = [
    .notAPicture(looksLike: "an HTML page"), .unsupported(.svg),
    .tooManyPixels(width: 50_000, height: 50_000, limit: 512 << 20),
    .tooManyDecodedBytes(4 << 30, limit: 256 << 20), .resultTooLarge(limit: 34 << 20),
    .undecodable(message: "premature end"),
  ]

  private static func payload(_ kind: AnswerKind, _ bytes: [UInt8]) -> [UInt8] {
    [kind.rawValue] + bytes
  }
}

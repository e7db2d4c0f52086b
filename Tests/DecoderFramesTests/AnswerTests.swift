import DecoderFrames
import Models
import Testing

struct AnswerTests {
  static let facts = PictureFacts(
    format: .avif,
    width: 4_000,
    height: 3_000,
    orientation: 6,
    isAnimated: true,
    hasAlpha: true
  )

  static let refusals: [Refusal] = [
    .notAPicture(looksLike: "an HTML page"), .unsupported(.svg),
    .tooManyPixels(width: 50_000, height: 50_000, limit: 512 << 20),
    .tooManyDecodedBytes(4 << 30, limit: 256 << 20), .resultTooLarge(limit: 34 << 20),
    .undecodable(message: "premature end"),
    .undrawn(.tiff, .floatSamples), .tooMuchMemory(limit: 384 << 20), .refused(message: "new"),
  ]

  @Test(arguments: AnswerKind.allCases)
  func `a header comes back as it was written`(kind: AnswerKind) throws {
    let header = AnswerHeader(kind: kind, id: 7, payloadLength: kind.payloadLimit)

    #expect(header.bytes.count == AnswerHeader.length)
    #expect(try AnswerHeader(header.bytes[...]) == header)
  }

  @Test(arguments: AnswerKind.allCases)
  func `no payload is longer than its kind needs`(kind: AnswerKind) {
    let header = AnswerHeader(kind: kind, id: 7, payloadLength: kind.payloadLimit + 1)

    #expect(throws: FrameError.tooLong(limit: kind.payloadLimit)) {
      try AnswerHeader(header.bytes[...])
    }
  }

  @Test func `a length that no number holds is wrong`() {
    var bytes = AnswerHeader(kind: .pixels, id: 7, payloadLength: 0).bytes
    bytes.replaceSubrange(13..<21, with: [UInt8](repeating: 0xFF, count: 8))

    #expect(throws: FrameError.field("length")) { try AnswerHeader(bytes[...]) }
  }

  @Test(arguments: refusals)
  func `a refusal comes back as it was written`(refusal: Refusal) throws {
    #expect(try Refusal(payload: refusal.payload[...]) == refusal)
    #expect(throws: FrameError.length) { try Refusal(payload: refusal.payload.dropLast()) }
  }

  @Test func `a long message is cut`() throws {
    let long = String(repeating: "x", count: 10_000)
    let refusal = try Refusal(payload: Refusal.undecodable(message: long).payload[...])

    #expect(refusal == .undecodable(message: String(long.prefix(FrameLimits.messageBytes))))
  }

  @Test func `facts come back as they were written`() throws {
    #expect(try PictureFacts(payload: Self.facts.payload[...]) == Self.facts)
    #expect(throws: FrameError.length) { try PictureFacts(payload: Self.facts.payload.dropLast()) }
  }

  @Test func `an orientation that there is not is wrong`() {
    var facts = Self.facts
    facts.orientation = 9

    #expect(throws: FrameError.field("orientation")) {
      try PictureFacts(payload: facts.payload[...])
    }
  }

  @Test func `a thumbnail is taken apart from its head`() throws {
    let head = ThumbnailHead(source: Self.facts, format: .jpeg, width: 512, height: 384)
    let (parsed, body) = try ThumbnailHead.parse((head.bytes + [1, 2, 3])[...])

    #expect(parsed == head)
    #expect(Array(body) == [1, 2, 3])
    #expect(throws: FrameError.length) { try ThumbnailHead.parse(head.bytes[...]) }
  }

  @Test func `pixels have to be as many as their size says`() throws {
    let head = PixelsHead(source: Self.facts, width: 2, height: 1)
    let pixels = [UInt8](0..<8)
    let (parsed, body) = try PixelsHead.parse((head.bytes + pixels)[...])

    #expect(parsed == head)
    #expect(Array(body) == pixels)
    #expect(throws: FrameError.length) { try PixelsHead.parse((head.bytes + pixels + [0])[...]) }
    #expect(throws: FrameError.length) { try PixelsHead.parse(head.bytes[...]) }
  }

  @Test func `a size whose product no number holds is wrong`() {
    let head = PixelsHead(source: Self.facts, width: .max, height: .max)

    #expect(throws: FrameError.field("width")) { try PixelsHead.parse(head.bytes[...]) }
  }

  static let details: [PictureDetails] = {
    var all = PictureDetails()
    all.camera = String(repeating: "é", count: PictureDetails.textBytes / 2)
    (all.lens, all.exposure, all.aperture) = ("Fujinon 23mm F2", 4_000_000, 280)
    (all.sensitivity, all.focalLength) = (200, 2_300)
    all.taken = DateTaken(clock: -1, offset: -570)
    all.place = PicturePlace(latitude: -90_000_000, longitude: 180_000_000)
    var some = PictureDetails()
    some.taken = DateTaken(clock: 1_563_127_353_450)
    return [all, some, PictureDetails()]
  }()

  @Test(arguments: details)
  func `details come back as they were written`(details: PictureDetails) throws {
    #expect(try PictureDetails(payload: details.payload[...]) == details)
    #expect(details.payload.count <= AnswerKind.details.payloadLimit)
    #expect(throws: FrameError.length) { try PictureDetails(payload: details.payload.dropLast()) }
    #expect(throws: FrameError.length) { try PictureDetails(payload: (details.payload + [0])[...]) }
  }

  @Test func `details that no camera has are wrong`() {
    let lies: [(inout PictureDetails) -> Void] = [
      { $0.camera = "\u{1B}[2J" }, { $0.lens = "" }, { $0.exposure = 0 }, { $0.aperture = .max },
      { $0.sensitivity = -1 }, { $0.focalLength = .min }, { $0.taken = DateTaken(clock: .max) },
      { $0.taken = DateTaken(clock: 0, offset: 901) },
      { $0.place = PicturePlace(latitude: 90_000_001, longitude: 1) },
      { $0.place = PicturePlace(latitude: 0, longitude: 0) },
    ]
    for lie in lies {
      var details = PictureDetails()
      lie(&details)
      #expect(throws: FrameError.field("details")) {
        try PictureDetails(payload: details.payload[...])
      }
    }
  }

  @Test func `a greeting of another version is wrong`() throws {
    let greeting = DecoderGreeting(
      protections: [.noFiles, .systemCallFilter],
      library: "libvips 8"
    )
    let other = DecoderGreeting(version: 9, protections: [], library: "")

    #expect(try DecoderGreeting(payload: greeting.payload[...]) == greeting)
    #expect(throws: FrameError.field("version")) {
      try DecoderGreeting(payload: other.payload[...])
    }
  }
}

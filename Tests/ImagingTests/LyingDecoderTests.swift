import DecoderFrames
import Imaging
import Models
import Testing
import Workers

/// A decoder that a picture has taken over can send anything, but only this picture is lost.
struct LyingDecoderTests {
  static let facts = PictureFacts(
    format: .jpeg,
    width: 32,
    height: 16,
    orientation: 1,
    isAnimated: false,
    hasAlpha: false
  )

  static let lies: [[UInt8]] = [
    Array("hello, this is no answer at all".utf8),
    // An answer to another request.
    FakeDecoder.answer(.facts, id: 2, facts.payload),
    FakeDecoder.answer(.facts, id: 1, facts.payload),
    FakeDecoder.answer(.greeting, id: 1, []),
    // A thumbnail that is not a picture, one that is too large, and one whose size differs from the claim.
    FakeDecoder.answer(.thumbnail, id: 1, thumbnail(width: 32, height: 16, Array("<html>".utf8))),
    FakeDecoder.answer(.thumbnail, id: 1, thumbnail(width: 320, height: 160, Picture.jpeg)),
    FakeDecoder.answer(.thumbnail, id: 1, thumbnail(width: 16, height: 8, Picture.jpeg)),
    FakeDecoder.answer(.refusal, id: 1, [99]),
    AnswerHeader(kind: .pixels, id: 1, payloadLength: .max).bytes,
  ]

  private static func thumbnail(width: Int, height: Int, _ bytes: [UInt8]) -> [UInt8] {
    ThumbnailHead(source: facts, format: .jpeg, width: width, height: height).bytes + bytes
  }

  @Test(arguments: lies)
  func `a lie is not believed`(lie: [UInt8]) async throws {
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(lie))\nread never <&0"
    )
    let test = TestPool(paths: fake.paths)

    await #expect(throws: ImagingError.wrongAnswer) {
      try await test.pool.thumbnail(of: .bytes(Picture.png), longestSide: 64)
    }
    test.pool.shutDown()
    #expect(test.processes.count == 1)
    #expect(!test.processes.contains(where: TestPool.isThere))
  }

  static let renderings: [[UInt8]] = [
    FakeDecoder.answer(.rendering, id: 1, Array("<html>".utf8)),
    FakeDecoder.answer(.rendering, id: 1, []),
    FakeDecoder.answer(.rendering, id: 1, Picture.png),
    FakeDecoder.answer(.rendering, id: 1, JPEGSample(columns: 2, rows: 2).bytes),
    FakeDecoder.answer(.rendering, id: 1, Array(Picture.jpeg.dropLast(2))),
    FakeDecoder.answer(.colourGrid, id: 1, [UInt8](repeating: 0, count: ColourGrid.bytes)),
    AnswerHeader(kind: .rendering, id: 1, payloadLength: .max).bytes,
  ]

  @Test(arguments: renderings)
  func `a rendering that is not what was asked for is not believed`(lie: [UInt8]) async throws {
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(lie))\nread never <&0"
    )
    let pool = TestPool(paths: fake.paths).pool
    let region = PixelRegion(x: 0, y: 0, width: 32, height: 16)

    await #expect(throws: ImagingError.wrongAnswer) {
      try await pool.rendered(.bytes(Picture.png), Rendering(region: region, width: 32, height: 16))
    }
  }

  @Test(arguments: [0, 35])
  func `a colour grid of another length is not believed`(count: Int) async throws {
    let lie = FakeDecoder.answer(.colourGrid, id: 1, [UInt8](repeating: 0, count: count))
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(lie))\nread never <&0"
    )
    let pool = TestPool(paths: fake.paths).pool

    await #expect(throws: ImagingError.wrongAnswer) {
      try await pool.colourGrid(of: .bytes(Picture.png))
    }
  }

  @Test func `the truth is believed`() async throws {
    let head = Self.thumbnail(width: 32, height: 16, Picture.jpeg)
    let truth = FakeDecoder.answer(.thumbnail, id: 1, head)
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(truth))\nread x <&0"
    )
    let test = TestPool(paths: fake.paths)
    let made = try await test.pool.thumbnail(of: .bytes(Picture.png), longestSide: 64)

    #expect(made.bytes == Picture.jpeg)
  }

  @Test func `a message cannot bring more than text`() async throws {
    let refusal = Refusal.undecodable(message: "\u{1B}[2J bad\nworse \u{202E}")
    let answer = FakeDecoder.answer(.refusal, id: 1, refusal.payload)
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(answer))\nread x <&0"
    )
    let test = TestPool(paths: fake.paths)

    await #expect(throws: ImagingError.undecodable(message: " [2J bad worse  ")) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }
}

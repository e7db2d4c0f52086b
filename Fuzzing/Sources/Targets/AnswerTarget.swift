import DecoderFrames
import Glibc
import Models
import PictureFiles
import Workers

@testable import Imaging

/// Tests the answers of a decoder that a picture has taken over, through a socket as in the program.
///
/// The first byte of the input chooses the kind of answer, and the rest is its payload. With 0, the
/// rest includes the header as well.
struct AnswerTarget: FuzzTarget {
  let name = "answer"
  let dictionary = "frame"
  var seeds: [Seed] { AnswerSeeds.all.map(Seed.bytes) }

  private static let longestSide = 64
  /// A rendering of the same size as the one in the seed.
  private static let rendering = Rendering(
    region: PixelRegion(x: 0, y: 0, width: 96, height: 64),
    width: 48,
    height: 32
  )

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let said = answer(input)
    guard let (header, payload) = heard(said) else { return }
    try requireEqual(header.bytes, Array(said.prefix(AnswerHeader.length)), "a header")
    try requireEqual(payload.count, header.payloadLength, "the length of a payload")
    try requireGreeting(payload)
    let tasks: [DecoderTask] = [
      .inspect, .thumbnail(longestSide: Self.longestSide),
      .pixels(width: 8, height: 4, isPartial: false), .render(Self.rendering), .colourGrid,
      .details,
    ]
    for task in tasks {
      guard let answer = try? AnswerReader(task: task).read(header.kind, payload) else {
        continue  // The reader rejected it.
      }
      switch answer {
      case .success(let answer): try requireAnswer(answer, to: task, payload)
      case .failure(let error): try requireHarmless(error)
      }
    }
  }

  private func answer(_ input: [UInt8]) -> [UInt8] {
    let payload = Array(input.dropFirst())
    let kinds = AnswerKind.allCases
    let choice = Int(input.first ?? 0) % (kinds.count + 1)
    if choice == 0 { return payload }
    let kind = kinds[choice - 1]
    return AnswerHeader(kind: kind, id: 1, payloadLength: payload.count).bytes + payload
  }

  /// The part of an answer that arrives before the decoder hangs up; nil if it is incomplete.
  private func heard(_ bytes: [UInt8]) -> (AnswerHeader, [UInt8])? {
    guard let (ours, theirs) = try? DecoderConnection.pair() else {
      fatalError("there are no sockets")
    }
    // The socket's buffer is larger than the longest input (unix(7)).
    let sent = bytes.withUnsafeBytes { send(theirs.descriptor, $0.baseAddress, $0.count, 0) }
    guard sent == bytes.count else { fatalError("\(sent) of \(bytes.count) bytes were sent") }
    shutdown(theirs.descriptor, Int32(SHUT_WR))
    return try? ours.readAnswer(until: .now + .seconds(60))
  }

  private func requireGreeting(_ payload: [UInt8]) throws(BrokenProperty) {
    guard let greeting = try? DecoderGreeting(payload: payload[...]) else { return }
    let again = try? DecoderGreeting(payload: greeting.payload[...])
    let isText = String(validating: payload.dropFirst(6), as: UTF8.self) != nil
    try require(!isText || again == greeting, "a greeting written and read: \(greeting)")
  }

  private func requireAnswer(
    _ answer: DecoderAnswer,
    to task: DecoderTask,
    _ payload: [UInt8]
  ) throws(BrokenProperty) {
    switch (answer, task) {
    case (.facts(let facts), .inspect): try requireSound(facts)
    case (.thumbnail(let made), .thumbnail(let side)):
      try requireSound(made.source)
      try requireEqual(PictureCheck(made.bytes)?.info, made.info, "what a thumbnail is")
      try requireEqual(made.bytes, payload.suffix(made.bytes.count), "a thumbnail's bytes")
      let longest = max(made.info.width ?? .max, made.info.height ?? .max)
      try require(longest <= side, "a thumbnail of \(longest) pixels for one of \(side)")
    case (.pixels(let pixels), .pixels(let width, let height, _)):
      try requireSound(pixels.source)
      try require((1...width).contains(pixels.width), "a width of \(pixels.width)")
      try require((1...height).contains(pixels.height), "a height of \(pixels.height)")
      try requireEqual(pixels.rgba.count, 4 * pixels.width * pixels.height, "the pixels' bytes")
      try requireEqual(pixels.rgba, payload.suffix(pixels.rgba.count), "the pixels")
    case (.rendering(let file), .render(let rendering)):
      let (width, height) = rendering.turned
      let format = rendering.encoding.format
      let info = PictureInfo(format: format, bytes: file.count, width: width, height: height)
      try requireEqual(PictureCheck(file)?.info, info, "what a rendering is")
      try requireEqual(file, payload, "a rendering's bytes")
    case (.colourGrid(let grid), .colourGrid):
      try requireEqual(grid.count, ColourGrid.bytes, "the bytes of a colour grid")
      try requireEqual(grid, payload, "the colour grid")
    case (.details(let details), .details):
      try requireEqual(details, details.sound, "what a camera has written")
      let again = try? PictureDetails(payload: details.payload[...])
      try requireEqual(again, details, "details written and read")
    default: throw BrokenProperty(reason: "an answer to something else: \(answer)")
    }
  }

  private func requireSound(_ facts: PictureFacts) throws(BrokenProperty) {
    let sides = 1...Int(Int32.max)
    let isSound = sides.contains(facts.width) && sides.contains(facts.height)
    try require(isSound && (1...8).contains(facts.orientation), "a picture that is \(facts)")
  }

  /// A person reads the reason, so it must be harmless.
  private func requireHarmless(_ error: ImagingError) throws(BrokenProperty) {
    let text =
      switch error {
      case .notAPicture(let kind): kind
      case .undecodable(let message): message
      default: ""
      }
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    try require(isPlain, "a message that is more than text: \(text.debugDescription)")
    try require(text.utf8.count <= FrameLimits.messageBytes, "a long message")
  }
}

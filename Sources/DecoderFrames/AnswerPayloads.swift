package import Models

/// The encoding of the facts about a picture in an answer.
extension PictureFacts {
  package var payload: [UInt8] {
    var writer = FrameWriter()
    write(to: &writer)
    return writer.bytes
  }

  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  func write(to writer: inout FrameWriter) {
    writer.write(format.frameNumber)
    writer.write(count: width)
    writer.write(count: height)
    writer.write(UInt8(clamping: orientation))
    writer.write(isAnimated)
    writer.write(hasAlpha)
    writer.write(substitute?.rawValue ?? 0)
  }

  init(from reader: inout FrameReader) throws(FrameError) {
    self.init(
      format: try reader.format(),
      width: try reader.count("width", in: 1...Int(Int32.max)),
      height: try reader.count("height", in: 1...Int(Int32.max)),
      orientation: Int(try reader.number(UInt8.self)),
      isAnimated: try reader.flag("animated"),
      hasAlpha: try reader.flag("alpha")
    )
    let number = try reader.number(UInt8.self)
    substitute = PictureSubstitute(rawValue: number)
    guard substitute != nil || number == 0 else { throw .field("substitute") }
    guard (1...8).contains(orientation) else { throw .field("orientation") }
  }
}

/// The encoding of a camera's details in an answer: each field follows a flag that says whether it is known.
extension PictureDetails {
  package var payload: [UInt8] {
    var writer = FrameWriter()
    for text in [camera, lens] {
      writer.write(text != nil)
      if let text { writer.write(text) }
    }
    let numbers = [
      exposure, aperture, sensitivity, focalLength, taken?.clock, taken?.offset, place?.latitude,
      place?.longitude,
    ]
    for number in numbers {
      writer.write(number != nil)
      if let number { writer.write(number) }
    }
    return writer.bytes
  }

  /// Refuses values that `sound` would leave out.
  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    self.init()
    var reader = FrameReader(payload)
    camera = try reader.flag("camera") ? try reader.text("camera") : nil
    lens = try reader.flag("lens") ? try reader.text("lens") : nil
    var numbers: [Int64?] = []
    for _ in 0..<8 {
      numbers.append(try reader.flag("number") ? try reader.number(Int64.self) : nil)
    }
    try reader.finish()
    (exposure, aperture) = (numbers[0], numbers[1])
    (sensitivity, focalLength) = (numbers[2], numbers[3])
    taken = numbers[4].map { DateTaken(clock: $0, offset: numbers[5]) }
    place = numbers[6].flatMap { latitude in
      numbers[7].map { PicturePlace(latitude: latitude, longitude: $0) }
    }
    guard self == sound else { throw .field("details") }
  }
}

/// The fields before the thumbnail's bytes in a payload.
package struct ThumbnailHead: Sendable, Equatable {
  /// The picture from which the thumbnail was made.
  package var source: PictureFacts
  /// The format of the thumbnail.
  package var format: ImageFormat
  package var width: Int
  package var height: Int

  package init(source: PictureFacts, format: ImageFormat, width: Int, height: Int) {
    self.source = source
    self.format = format
    self.width = width
    self.height = height
  }

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    source.write(to: &writer)
    writer.write(format.frameNumber)
    writer.write(count: width)
    writer.write(count: height)
    return writer.bytes
  }

  /// Splits a payload into the head and the thumbnail's bytes.
  package static func parse(
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> (head: ThumbnailHead, body: ArraySlice<UInt8>) {
    var reader = FrameReader(payload)
    let head = ThumbnailHead(
      source: try PictureFacts(from: &reader),
      format: try reader.format(),
      width: try reader.count("width", in: 1...FrameLimits.thumbnailSide),
      height: try reader.count("height", in: 1...FrameLimits.thumbnailSide)
    )
    let body = reader.remainder()
    guard !body.isEmpty, body.count <= FrameLimits.thumbnailBytes else { throw .length }
    return (head, body)
  }
}

/// The fields before the pixels in a payload; each pixel has four bytes, row by row.
package struct PixelsHead: Sendable, Equatable {
  /// The picture from which the pixels were made.
  package var source: PictureFacts
  package var width: Int
  package var height: Int

  package init(source: PictureFacts, width: Int, height: Int) {
    self.source = source
    self.width = width
    self.height = height
  }

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    source.write(to: &writer)
    writer.write(count: width)
    writer.write(count: height)
    return writer.bytes
  }

  /// Splits a payload into the head and the pixels.
  package static func parse(
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> (head: PixelsHead, body: ArraySlice<UInt8>) {
    var reader = FrameReader(payload)
    let head = PixelsHead(
      source: try PictureFacts(from: &reader),
      width: try reader.count("width", in: 1...FrameLimits.boxSide),
      height: try reader.count("height", in: 1...FrameLimits.boxSide)
    )
    let body = reader.remainder()
    let pixels = head.width * head.height
    guard pixels <= FrameLimits.pixels, body.count == 4 * pixels else { throw .length }
    return (head, body)
  }
}

/// The reason why the decoder refused a request.
package enum Refusal: Error, Sendable, Equatable {
  /// The file is not a picture; the noun with its article names the kind of file that it resembles.
  case notAPicture(looksLike: String)
  /// The library of this machine does not read this format.
  case unsupported(ImageFormat)
  /// libvips decodes this kind of picture wrongly.
  case undrawn(ImageFormat, UndrawnKind)
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Decoding would need this many bytes of memory.
  case tooManyDecodedBytes(Int, limit: Int)
  /// The decoder ran out of memory; the limit is in bytes.
  case tooMuchMemory(limit: Int)
  /// The result would have more pixels than an answer may have.
  case resultTooLarge(limit: Int)
  /// The file is damaged; the message comes from libvips and may be empty.
  case undecodable(message: String)
  /// A library refuses the file for a reason that this program does not know; the message is the library's.
  case refused(message: String)

  package var payload: [UInt8] {
    var writer = FrameWriter()
    switch self {
    case .notAPicture(let kind):
      writer.write(UInt8(1))
      writer.write(kind)
    case .unsupported(let format):
      writer.write(UInt8(2))
      writer.write(format.frameNumber)
    case .tooManyPixels(let width, let height, let limit):
      writer.write(UInt8(3))
      for number in [width, height, limit] { writer.write(count: number) }
    case .tooManyDecodedBytes(let bytes, let limit):
      writer.write(UInt8(4))
      for number in [bytes, limit] { writer.write(count: number) }
    case .resultTooLarge(let limit):
      writer.write(UInt8(5))
      writer.write(count: limit)
    case .undecodable(let message):
      writer.write(UInt8(6))
      writer.write(message)
    case .undrawn(let format, let kind):
      writer.write(UInt8(7))
      writer.write(format.frameNumber)
      writer.write(kind.rawValue)
    case .tooMuchMemory(let limit):
      writer.write(UInt8(8))
      writer.write(count: limit)
    case .refused(let message):
      writer.write(UInt8(9))
      writer.write(message)
    }
    return writer.bytes
  }

  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(payload)
    switch try reader.number(UInt8.self) {
    case 1: self = .notAPicture(looksLike: try reader.text("kind"))
    case 2: self = .unsupported(try reader.format())
    case 3:
      let (width, height) = (try reader.anyCount(), try reader.anyCount())
      self = .tooManyPixels(width: width, height: height, limit: try reader.anyCount())
    case 4:
      let bytes = try reader.anyCount()
      self = .tooManyDecodedBytes(bytes, limit: try reader.anyCount())
    case 5: self = .resultTooLarge(limit: try reader.anyCount())
    case 6: self = .undecodable(message: try reader.text("message"))
    case 7: self = .undrawn(try reader.format(), try reader.choice("kind"))
    case 8: self = .tooMuchMemory(limit: try reader.anyCount())
    case 9: self = .refused(message: try reader.text("message"))
    default: throw .field("reason")
    }
    try reader.finish()
  }
}

extension FrameReader {
  fileprivate mutating func anyCount() throws(FrameError) -> Int {
    try count("number", in: 0...Int.max)
  }
}

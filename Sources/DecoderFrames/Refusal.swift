package import Models

/// Why the decoder did not do what it was asked.
package enum Refusal: Error, Sendable, Equatable {
  /// What came is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// A format whose decoders are not fit for what strangers send.
  case unsupported(ImageFormat)
  /// A kind of a picture that would come out wrong.
  case undrawn(ImageFormat, UndrawnKind)
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// The memory that decoding would take, in bytes.
  case tooManyDecodedBytes(Int, limit: Int)
  /// There was not enough memory after all, of so many bytes.
  case tooMuchMemory(limit: Int)
  /// The result would have more pixels than fit into an answer.
  case resultTooLarge(limit: Int)
  /// It is damaged; the library's words, or none.
  case undecodable(message: String)

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
    case 7: self = .undrawn(try reader.format(), try reader.undrawnKind())
    case 8: self = .tooMuchMemory(limit: try reader.anyCount())
    default: throw .field("reason")
    }
    try reader.finish()
  }
}

extension FrameReader {
  fileprivate mutating func anyCount() throws(FrameError) -> Int {
    try count("number", in: 0...Int.max)
  }

  fileprivate mutating func undrawnKind() throws(FrameError) -> UndrawnKind {
    guard let kind = UndrawnKind(rawValue: try number(UInt8.self)) else { throw .field("kind") }
    return kind
  }
}

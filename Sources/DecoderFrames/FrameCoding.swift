import Models

/// Why a frame is malformed.
package enum FrameError: Error, Sendable, Equatable {
  /// The frame ends before its last field, or continues after it.
  case length
  /// The frame does not begin with the mark of a frame.
  case notAFrame
  /// A field has an invalid value.
  case field(String)
  /// The frame is longer than frames of its kind may be.
  case tooLong(limit: Int)
}

/// The limits on requests and answers, which both sides check.
package enum FrameLimits {
  /// The longest side of a thumbnail, in pixels.
  package static let thumbnailSide = 4_096
  /// The most bytes of an encoded thumbnail.
  package static let thumbnailBytes = 16 << 20
  /// The most bytes of a rendering's file.
  package static let renderingBytes = 4 * Rendering.largestArea
  /// The most pixels of an answer: a little more than a display of 7,680 x 4,320 pixels has.
  package static let pixels = 36_000_000
  /// The longest side of a box for pixels, in pixels.
  package static let boxSide = 65_535
  /// The seconds of processor time for one picture, after which SIGPROF ends the decoder.
  package static let processorSeconds = 10
  /// The most bytes of a message from the library.
  package static let messageBytes = 300
  /// A limit for payloads without a thumbnail or pixels; every such payload is shorter.
  static let smallPayloadBytes = 1_024
}

/// Appends the fields of a frame, numbers in little-endian order.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a size or a count; a number that is out of range becomes the nearest one in range.
  mutating func write(count: Int) { write(UInt64(clamping: count)) }

  mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

  /// Writes zeros up to a length.
  mutating func fill(to length: Int) {
    bytes.append(contentsOf: repeatElement(0, count: length - bytes.count))
  }

  /// Writes a text, cut to the longest allowed message.
  mutating func write(_ text: String) {
    let text = text.utf8.prefix(FrameLimits.messageBytes)
    write(UInt16(text.count))
    bytes.append(contentsOf: text)
  }
}

/// Reads the fields of a frame from bytes that may be malformed.
struct FrameReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(
    _: Number.Type
  ) throws(FrameError) -> Number {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { throw .length }
    var number: Number = 0
    for byte in rest.prefix(size).reversed() { number = number << 8 | Number(byte) }
    rest = rest.dropFirst(size)
    return number
  }

  /// Reads a size or a count, which must be in a range.
  mutating func count(_ name: String, in range: ClosedRange<Int>) throws(FrameError) -> Int {
    guard let count = Int(exactly: try number(UInt64.self)), range.contains(count) else {
      throw .field(name)
    }
    return count
  }

  mutating func flag(_ name: String) throws(FrameError) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .field(name)
    }
  }

  /// Reads a text; bytes that are not UTF-8 become replacement characters.
  mutating func text(_ name: String) throws(FrameError) -> String {
    let length = Int(try number(UInt16.self))
    guard length <= FrameLimits.messageBytes else { throw .field(name) }
    guard rest.count >= length else { throw .length }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// Reads all bytes that are left.
  mutating func remainder() -> ArraySlice<UInt8> {
    defer { rest = [] }
    return rest
  }

  /// Reads a choice by its number.
  mutating func choice<Choice: RawRepresentable<UInt8>>(
    _ name: String,
    _: Choice.Type = Choice.self
  ) throws(FrameError) -> Choice {
    guard let choice = Choice(rawValue: try number(UInt8.self)) else { throw .field(name) }
    return choice
  }

  /// Checks that no bytes are left.
  func finish() throws(FrameError) { if !rest.isEmpty { throw .length } }

  /// Checks that only zeros are left.
  func finishFilled() throws(FrameError) {
    guard rest.allSatisfy({ $0 == 0 }) else { throw .field("filling") }
  }
}

extension ImageFormat {
  /// The format's number in frames.
  var frameNumber: UInt8 {
    switch self {
    case .jpeg: 1
    case .png: 2
    case .gif: 3
    case .webP: 4
    case .avif: 5
    case .heic: 6
    case .tiff: 7
    case .bmp: 8
    case .jpegXL: 9
    case .svg: 10
    case .ico: 11
    case .pnm: 12
    case .jpeg2000: 13
    }
  }
}

extension FrameReader {
  mutating func format() throws(FrameError) -> ImageFormat {
    let number = try number(UInt8.self)
    let format = ImageFormat.allCases.first { $0.frameNumber == number }
    guard let format else { throw .field("format") }
    return format
  }
}

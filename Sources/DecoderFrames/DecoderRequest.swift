package import Models

/// A decoder's task with a picture.
package enum DecoderTask: Sendable, Equatable {
  case inspect
  case thumbnail(longestSide: Int)
  /// Pixels that fit into a box; when `isPartial`, the end of the picture's file may be missing.
  case pixels(width: Int, height: Int, isPartial: Bool)
  case render(Rendering)
  case colourGrid
  /// What the camera has written about the picture.
  case details

  /// Whether the end of the picture's file may be missing.
  package var isPartial: Bool {
    if case .pixels(_, _, let isPartial) = self { isPartial } else { false }
  }
}

/// A request to the decoder.
///
/// It does not contain the picture. A descriptor of the picture's file, open for reading, accompanies
/// its first byte (unix(7), `SCM_RIGHTS`).
package struct DecoderRequest: Sendable, Equatable {
  /// The number that the answer repeats.
  package var id: UInt64
  package var task: DecoderTask

  package init(id: UInt64, task: DecoderTask) {
    self.id = id
    self.task = task
  }

  /// The length of every request: mark, id, kind, and room for the fields of a rendering.
  ///
  /// Other kinds have fewer fields, followed by zeros.
  package static let length = 4 + 8 + 1 + Rendering.frameLength

  /// "GDQ1" in the order of its bytes.
  private static let mark: UInt32 = 0x3151_4447

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    writer.write(Self.mark)
    writer.write(id)
    task.write(to: &writer)
    writer.fill(to: Self.length)
    return writer.bytes
  }

  package init(_ bytes: ArraySlice<UInt8>) throws(FrameError) {
    guard bytes.count == Self.length else { throw .length }
    var reader = FrameReader(bytes)
    guard try reader.number(UInt32.self) == Self.mark else { throw .notAFrame }
    id = try reader.number(UInt64.self)
    task = try DecoderTask(from: &reader)
    try reader.finishFilled()
  }
}

extension DecoderTask {
  fileprivate func write(to writer: inout FrameWriter) {
    switch self {
    case .inspect: writer.write(UInt8(1))
    case .thumbnail(let side):
      writer.write(UInt8(2))
      writer.write(count: side)
    case .pixels(let width, let height, let isPartial):
      writer.write(UInt8(3))
      writer.write(isPartial)
      writer.write(count: width)
      writer.write(count: height)
    case .render(let rendering):
      writer.write(UInt8(4))
      rendering.write(to: &writer)
    case .colourGrid: writer.write(UInt8(5))
    case .details: writer.write(UInt8(6))
    }
  }

  fileprivate init(from reader: inout FrameReader) throws(FrameError) {
    switch try reader.number(UInt8.self) {
    case 1: self = .inspect
    case 2:
      let side = try reader.count("longest side", in: 1...FrameLimits.thumbnailSide)
      self = .thumbnail(longestSide: side)
    case 3:
      let isPartial = try reader.flag("partial")
      let width = try reader.count("width", in: 1...FrameLimits.boxSide)
      let height = try reader.count("height", in: 1...FrameLimits.boxSide)
      self = .pixels(width: width, height: height, isPartial: isPartial)
    case 4: self = .render(try Rendering(from: &reader))
    case 5: self = .colourGrid
    case 6: self = .details
    default: throw .field("kind")
    }
  }
}

/// The encoding of a rendering in a request.
extension Rendering {
  /// Region and size, then mirroring, turn, colours and encoding.
  fileprivate static let frameLength = 6 * 8 + 4

  fileprivate func write(to writer: inout FrameWriter) {
    let numbers = [region.x, region.y, region.width, region.height, width, height]
    for number in numbers { writer.write(count: number) }
    writer.write(isMirrored)
    for choice in [turn.rawValue, colours.rawValue, encoding.rawValue] { writer.write(choice) }
  }

  fileprivate init(from reader: inout FrameReader) throws(FrameError) {
    var numbers: [Int] = []
    for _ in 0..<6 { numbers.append(try reader.count("number", in: 0...Int(Int32.max))) }
    self.init(
      region: PixelRegion(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
      width: numbers[4],
      height: numbers[5],
      isMirrored: try reader.flag("mirrored"),
      turn: try reader.choice("turn"),
      colours: try reader.choice("colours"),
      encoding: try reader.choice("encoding")
    )
    guard isSound else { throw .field("rendering") }
  }
}

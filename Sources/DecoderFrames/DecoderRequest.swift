/// What a decoder does with a picture.
package enum DecoderTask: Sendable, Equatable {
  case inspect
  case thumbnail(longestSide: Int)
  /// Pixels that fit into a box; when `isPartial`, the end of the picture's file may be missing.
  case pixels(width: Int, height: Int, isPartial: Bool)

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

  /// The length of every request: mark, id, kind, flag and two sizes.
  package static let length = 4 + 8 + 1 + 1 + 8 + 8

  /// "GDQ1" in the order of its bytes.
  private static let mark: UInt32 = 0x3151_4447

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    writer.write(Self.mark)
    writer.write(id)
    switch task {
    case .inspect: write(1, 0, 0, false, to: &writer)
    case .thumbnail(let side): write(2, side, side, false, to: &writer)
    case .pixels(let width, let height, let isPartial):
      write(3, width, height, isPartial, to: &writer)
    }
    return writer.bytes
  }

  package init(_ bytes: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(bytes)
    guard try reader.number(UInt32.self) == Self.mark else { throw .notAFrame }
    id = try reader.number(UInt64.self)
    let kind = try reader.number(UInt8.self)
    let isPartial = try reader.flag("partial")
    let width = try reader.count("width", in: 0...FrameLimits.boxSide)
    let height = try reader.count("height", in: 0...FrameLimits.boxSide)
    try reader.finish()
    task = try Self.task(kind, width: width, height: height, isPartial: isPartial)
  }

  private func write(
    _ kind: UInt8,
    _ width: Int,
    _ height: Int,
    _ isPartial: Bool,
    to writer: inout FrameWriter
  ) {
    writer.write(kind)
    writer.write(isPartial)
    writer.write(count: width)
    writer.write(count: height)
  }

  private static func task(
    _ kind: UInt8,
    width: Int,
    height: Int,
    isPartial: Bool
  ) throws(FrameError) -> DecoderTask {
    switch (kind, isPartial) {
    case (1, false):
      guard width == 0, height == 0 else { throw .field("size") }
      return .inspect
    case (2, false):
      let isOneSide = width == height && (1...FrameLimits.thumbnailSide).contains(width)
      guard isOneSide else { throw .field("longest side") }
      return .thumbnail(longestSide: width)
    case (3, _):
      guard width > 0, height > 0 else { throw .field("box") }
      return .pixels(width: width, height: height, isPartial: isPartial)
    default: throw .field("kind")
    }
  }
}

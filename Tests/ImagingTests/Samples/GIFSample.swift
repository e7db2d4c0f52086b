/// Writes GIF files in which each frame has one colour (GIF89a).
struct GIFSample {
  var width: Int
  var height: Int
  /// Red, green and blue of each frame, with at most 128 different colours.
  var frames: [[UInt8]]
  /// Whether the file has no end marker, as a stream that never ends.
  var isEndless = false

  var bytes: [UInt8] {
    let colours = frames.prefix(128).flatMap { $0 }
    var file = Array("GIF89a".utf8) + little(width) + little(height) + [0xF6, 0, 0]
    file += colours + [UInt8](repeating: 0, count: 3 * 128 - colours.count)
    for frame in frames.indices { file += image(colour: UInt8(frame % 128)) }
    return isEndless ? file : file + [0x3B]
  }

  private func image(colour: UInt8) -> [UInt8] {
    let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    let head = [0x2C] + little(0) + little(0) + little(width) + little(height) + [0, 7]
    return control + head + blocks(codes(colour)) + [0]
  }

  /// Codes of eight bits: frequent clear codes keep them from growing.
  private func codes(_ colour: UInt8) -> [UInt8] {
    var codes: [UInt8] = []
    for pixel in 0..<(width * height) {
      if pixel % 100 == 0 { codes.append(0x80) }
      codes.append(colour)
    }
    return codes + [0x81]
  }

  private func blocks(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: 255).flatMap { start -> [UInt8] in
      let block = data[start..<min(start + 255, data.count)]
      return [UInt8(block.count)] + block
    }
  }

  private func little(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}

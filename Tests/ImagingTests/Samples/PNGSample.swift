internal import CZlib

/// Writes PNG files (ISO/IEC 15948).
struct PNGSample {
  enum Colour: UInt8 {
    /// One bit per pixel.
    case grey = 0
    case rgb = 2
    case rgba = 6
  }

  var width: Int
  var height: Int
  var colour = Colour.rgb
  var isInterlaced = false
  /// The ICC profile to embed.
  var profile: [UInt8] = []
  /// More chunks before the pixels.
  var chunks: [(name: String, content: [UInt8])] = []
  /// The number of compressed text chunks, each with 7 MB of text.
  var texts = 0
  /// The chunk whose checksum is wrong.
  var wronglyChecked: String?
  /// The bytes of a row; nil writes only zeros, whatever size the header claims.
  var row: ((Int) -> [UInt8])?

  var bytes: [UInt8] {
    let depth: UInt8 = colour == .grey ? 1 : 8
    let header = big(width) + big(height) + [depth, colour.rawValue, 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", header)
    if !profile.isEmpty { file += chunk("iCCP", Array("p\0\0".utf8) + compressed(profile)) }
    for part in chunks { file += chunk(part.name, part.content) }
    if texts > 0 {
      let text = compressed([UInt8](repeating: 0x61, count: 7 << 20))
      let part = chunk("zTXt", Array("a\0\0".utf8) + text)
      for _ in 0..<texts { file += part }
    }
    file += chunk("IDAT", compressed(pixels))
    return file + chunk("IEND", [])
  }

  private var pixels: [UInt8] {
    guard let row else { return [UInt8](repeating: 0, count: (rowBytes + 1) * height) }
    return (0..<height).flatMap { [0] + row($0) }
  }

  private var rowBytes: Int {
    switch colour {
    case .grey: (width + 7) / 8
    case .rgb: 3 * width
    case .rgba: 4 * width
    }
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + content
    let sum = crc32(0, checked, uInt(checked.count))
    return big(content.count) + checked + big(Int(sum) ^ (name == wronglyChecked ? 1 : 0))
  }

  private func compressed(_ content: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(content.count))
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
      compress2(buffer.baseAddress, &count, content, uLong(content.count), 1)
      written = Int(count)
    }
  }

  private func big(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }
}

/// Writes ICC profiles of a display whose red and green are exchanged (ICC.1:2001-04).
enum ProfileSample {
  static let exchanged: [UInt8] = {
    let parts = tags
    let start = 128 + 4 + 12 * parts.count
    var table = big(parts.count, 4)
    var data: [UInt8] = []
    for (name, content) in parts {
      table += Array(name.utf8) + big(start + data.count, 4) + big(content.count, 4)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    return header(size: start + data.count) + table + data
  }()

  /// What sRGB has, adapted to D50, but for the exchange.
  private static var tags: [(String, [UInt8])] {
    [
      ("desc", Array("desc\0\0\0\0".utf8) + big(2, 4) + Array("x\0".utf8) + zeros(78)),
      ("cprt", Array("text\0\0\0\0-\0".utf8)), ("wtpt", place(0.9642, 1, 0.8249)),
      ("rXYZ", place(0.3851, 0.7169, 0.0971)), ("gXYZ", place(0.4361, 0.2225, 0.0139)),
      ("bXYZ", place(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
  }

  /// A gamma of 2.2.
  private static let curve = Array("curv\0\0\0\0".utf8) + big(1, 4) + big(563, 2)

  private static func header(size: Int) -> [UInt8] {
    let moment = big(2_026, 2) + big(1, 2) + big(1, 2) + zeros(6)
    let white = big(63_190, 4) + big(65_536, 4) + big(54_061, 4)
    let head = big(size, 4) + zeros(4) + [2, 0x20, 0, 0] + Array("mntrRGB XYZ ".utf8) + moment
    return head + Array("acsp".utf8) + zeros(28) + white + zeros(48)
  }

  private static func place(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + [x, y, z].flatMap { big(Int($0 * 65_536), 4) }
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// Writes ICC profiles of a display that has red and green exchanged (ICC.1:2001-04).
enum ProfileSample {
  static let exchanged = profile(space: "XYZ ", tags)

  /// A profile for grey, with a gamma of 2.2.
  static let grey = profile(of: "GRAY", space: "XYZ ", tags.prefix(3) + [("kTRC", curve)])

  /// A profile for grey that lacks its curve.
  static let greyWithoutCurve = profile(of: "GRAY", space: "XYZ ", tags.prefix(3))

  /// A profile that says it is for CMYK, with tags for RGB.
  static let ink = profile(of: "CMYK", space: "XYZ ", tags)

  /// A profile with a table for the perceptual intent only.
  static let perceptual = profile(space: "Lab ", tags.prefix(3) + [("A2B0", table)])

  /// A cube of two steps, blue first, between identity curves (ICC.1:2001-04, section 6.5.8).
  ///
  /// It has the L*a*b* colours of the corners of RGB in sRGB, with red and green exchanged.
  private static var table: [UInt8] {
    let corners: [(Double, Double, Double)] = [
      (0, 0, 0), (29.57, 68.3, -112.03), (54.29, 80.8, 69.89), (60.17, 93.55, -60.5),
      (87.82, -79.27, 80.99), (90.67, -50.67, -14.96), (97.61, -15.75, 93.39), (100, 0, 0),
    ]
    let cube = corners.flatMap { [$0.0 * 2.55, $0.1 + 128, $0.2 + 128].map { UInt8($0) } }
    let identity = (0..<9).flatMap { big($0 % 4 == 0 ? 65_536 : 0, 4) }
    let straight = [UInt8](0...255)
    let curves = straight + straight + straight
    return Array("mft1\0\0\0\0".utf8) + [3, 3, 2, 0] + identity + curves + cube + curves
  }

  private static func profile(
    of colours: String = "RGB ",
    space: String,
    _ parts: some Collection<(String, [UInt8])>
  ) -> [UInt8] {
    let start = 128 + 4 + 12 * parts.count
    var table = big(parts.count, 4)
    var data: [UInt8] = []
    for (name, content) in parts {
      table += Array(name.utf8) + big(start + data.count, 4) + big(content.count, 4)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    return header(size: start + data.count, colours, space) + table + data
  }

  /// The tags of sRGB, adapted to D50, but with red and green exchanged.
  private static var tags: [(String, [UInt8])] {
    [
      ("desc", Array("desc\0\0\0\0".utf8) + big(2, 4) + Array("x\0".utf8) + zeros(78)),
      ("cprt", Array("text\0\0\0\0-\0".utf8)), ("wtpt", place(0.9642, 1, 0.8249)),
      ("rXYZ", place(0.3851, 0.7169, 0.0971)), ("gXYZ", place(0.4361, 0.2225, 0.0139)),
      ("bXYZ", place(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
  }

  /// A gamma curve of 2.2.
  private static let curve = Array("curv\0\0\0\0".utf8) + big(1, 4) + big(563, 2)

  private static func header(size: Int, _ colours: String, _ space: String) -> [UInt8] {
    let moment = big(2_026, 2) + big(1, 2) + big(1, 2) + zeros(6)
    let white = big(63_190, 4) + big(65_536, 4) + big(54_061, 4)
    let head =
      big(size, 4) + zeros(4) + [2, 0x20, 0, 0] + Array("mntr\(colours)\(space)".utf8) + moment
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

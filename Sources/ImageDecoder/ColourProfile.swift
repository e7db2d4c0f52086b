import Glibc
import PictureFiles

/// Makes ICC profiles of declared colours, so that one library converts all colours (ICC.1:2001-04).
enum ColourProfile {
  /// The profile for pictures of 1 or 2 bands, in grey, or of more, in colours.
  ///
  /// - Returns: Nil when the curve is unknown, and when a profile cannot state the primaries.
  static func bytes(_ colours: DeclaredColours, isGrey: Bool) -> [UInt8]? {
    guard let light = Light(colours.curve) else { return nil }
    let curve = { (number: Double) in
      light.relative(colours.isNarrow ? max(0, (number * 255 - 16) / 219) : number)
    }
    if isGrey {
      return profile("GRAY", "XYZ ", [("kTRC", table { min(1, light.displayed(curve($0))) })])
    }
    guard let matrix = Matrix(colours.primaries) else { return nil }
    if light.isHDR { return profile("RGB ", "Lab ", cube(matrix, light, curve)) }
    let curves = table(curve)
    let columns = ["rXYZ", "gXYZ", "bXYZ"].enumerated().map { index, name in
      (name, place(matrix.rows.map { $0[index] }))
    }
    return profile("RGB ", "XYZ ", columns + ["rTRC", "gTRC", "bTRC"].map { ($0, curves) })
  }

  /// A curve of 4,096 steps.
  private static func table(_ curve: (Double) -> Double) -> [UInt8] {
    let steps = 4_096
    let values = (0..<steps).map { curve(Double($0) / Double(steps - 1)) }
    return text("curv") + big(steps, 4) + values.flatMap { big(share($0), 2) }
  }

  /// A cube of 33 steps for each colour, as tables for the perceptual and the relative intent (section 6.5.7).
  private static func cube(
    _ matrix: Matrix,
    _ light: Light,
    _ curve: (Double) -> Double
  ) -> [(String, [UInt8])] {
    let steps = 33
    let values = (0..<steps).map { curve(Double($0) / Double(steps - 1)) }
    var bytes = text("mft2") + [3, 3, UInt8(steps), 0]
    bytes += (0..<9).flatMap { big($0 % 4 == 0 ? 65_536 : 0, 4) }
    // Straight curves before and behind the cube.
    let straight = (0..<3).flatMap { _ in big(0, 2) + big(65_535, 2) }
    bytes += big(2, 2) + big(2, 2) + straight
    bytes.reserveCapacity(bytes.count + 6 * steps * steps * steps + straight.count)
    for red in values {
      for green in values {
        for blue in values {
          let lab = matrix.lab(light.mapped([red, green, blue]))
          for (value, offset, unit) in [
            (lab.0, 0, 652.8), (lab.1, 128, 256.0), (lab.2, 128, 256.0),
          ] {
            bytes += big(Int(min(max((value + Double(offset)) * unit, 0), 65_535)), 2)
          }
        }
      }
    }
    bytes += straight
    return [("A2B0", bytes), ("A2B1", bytes)]
  }

  private static func profile(
    _ space: String,
    _ connection: String,
    _ parts: [(String, [UInt8])]
  ) -> [UInt8] {
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let parts =
      [
        ("desc", text("desc") + big(2, 4) + Array("x\0".utf8) + zeros(78)),
        ("cprt", text("text") + Array("-\0".utf8)), ("wtpt", place(white)),
      ] + parts
    var (table, data) = (big(parts.count, 4), [UInt8]())
    let start = 128 + 4 + 12 * parts.count
    for (name, content) in parts {
      table += Array(name.utf8) + big(start + data.count, 4) + big(content.count, 4)
      data += content + zeros((4 - content.count % 4) % 4)
    }
    let moment = big(2_026, 2) + big(1, 2) + big(1, 2) + zeros(6)
    let head = big(start + data.count, 4) + zeros(4) + [2, 0x20, 0, 0]
    return head + Array("mntr\(space)\(connection)".utf8) + moment + Array("acsp".utf8) + zeros(28)
      + white.flatMap { big(Int(($0 * 65_536).rounded()), 4) } + zeros(48) + table + data
  }

  /// The white of profiles, D50.
  fileprivate static let white = [0.9642, 1, 0.8249]

  private static func text(_ name: String) -> [UInt8] { Array("\(name)\0\0\0\0".utf8) }

  private static func place(_ numbers: [Double]) -> [UInt8] {
    text("XYZ ") + numbers.flatMap { big(Int(($0 * 65_536).rounded()), 4) }
  }

  private static func share(_ value: Double) -> Int {
    Int((min(max(value, 0), 1) * 65_535).rounded())
  }

  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// The light of numbers, relative to the white of paper.
private struct Light {
  let curve: DeclaredColours.Curve

  init?(_ curve: DeclaredColours.Curve) {
    guard curve != .unknown else { return nil }
    self.curve = curve
  }

  var isHDR: Bool { curve == .quantizer || curve == .hybrid }

  /// Light of a white page in HDR, in cd/m² (ITU-R BT.2408, section 2.1), and the most that PQ can state.
  private static let (page, most) = (203.0, 10_000.0)
  /// The peak of the display for which HLG is computed, in cd/m² (ITU-R BT.2100, table 5, note 5f).
  private static let peak = 1_000.0

  /// The light of a number from 0 to 1; for HLG, that of the scene.
  func relative(_ number: Double) -> Double {
    switch curve {
    case .sRGB: number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    case .power(let exponent): pow(number, exponent)
    case .quantizer: Self.quantized(number) * Self.most / Self.page
    case .hybrid:
      number <= 0.5 ? number * number / 3 : (exp((number - Self.c) / Self.a) + Self.b) / 12
    case .unknown: number
    }
  }

  /// SMPTE ST 2084, section 5.1.
  private static func quantized(_ number: Double) -> Double {
    let root = pow(number, 1 / 78.84375)
    return pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
  }

  private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)

  /// The light of grey on a display.
  func displayed(_ light: Double) -> Double {
    curve == .hybrid ? pow(light, 1.2) * Self.peak / Self.page : light
  }

  /// Light on a display that is not brighter than paper: the brighter a colour, the paler, in the same hue.
  func mapped(_ light: [Double]) -> [Double] {
    var light = light
    if curve == .hybrid {
      let luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
      light = light.map { $0 * pow(luminance, 0.2) * Self.peak / Self.page }
    }
    let brightest = light.max() ?? 0
    guard brightest > 1 else { return light }
    let whiteness = min(1, log(brightest) / log(Self.most / Self.page))
    return light.map { $0 / brightest * (1 - whiteness) + whiteness }
  }
}

/// From linear red, green and blue to XYZ, adapted to the white of profiles.
private struct Matrix {
  let rows: [[Double]]

  /// Nil when a number does not fit into a profile (ICC.1:2001-04, section 5.3.3), as for a white without light for a cone.
  init?(_ primaries: DeclaredColours.Primaries) {
    let places = [primaries.red, primaries.green, primaries.blue].map(Self.xyz)
    let columns = (0..<3).map { row in places.map { $0[row] } }
    let white = Self.xyz(primaries.white)
    // Amounts of the primaries that make white (SMPTE RP 177).
    let amounts = Self.times(Self.inverse(columns), white)
    let own = columns.map { row in zip(row, amounts).map { $0 * $1 } }
    rows = Self.product(Self.adaptation(from: white), own)
    guard rows.joined().allSatisfy({ abs($0) < 32_768 }) else { return nil }
  }

  /// L*a*b* of linear colours (ICC.1:2001-04, annex A).
  func lab(_ colours: [Double]) -> (Double, Double, Double) {
    let xyz = Self.times(rows, colours)
    let roots = zip(xyz, ColourProfile.white).map { value, white -> Double in
      let share = value / white
      return share > 216.0 / 24_389 ? cbrt(share) : (24_389.0 / 27 * share + 16) / 116
    }
    return (116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2]))
  }

  /// The adaptation of Bradford (ICC.1:2010, annex E).
  private static func adaptation(from white: [Double]) -> [[Double]] {
    let cones = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    let (from, to) = (times(cones, white), times(cones, ColourProfile.white))
    let scaled = (0..<3).map { row in cones[row].map { $0 * to[row] / from[row] } }
    return product(inverse(cones), scaled)
  }

  private static func xyz(_ place: DeclaredColours.Chromaticity) -> [Double] {
    [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
  }

  private static func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
  }

  private static func product(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
    left.map { row in
      (0..<3).map { column in (0..<3).reduce(0.0) { $0 + row[$1] * right[$1][column] } }
    }
  }

  private static func inverse(_ m: [[Double]]) -> [[Double]] {
    let minors = (0..<3).map { row in
      (0..<3).map { column -> Double in
        let (a, b) = ((row + 1) % 3, (row + 2) % 3)
        let (c, d) = ((column + 1) % 3, (column + 2) % 3)
        return m[a][c] * m[b][d] - m[a][d] * m[b][c]
      }
    }
    let determinant = (0..<3).reduce(0.0) { $0 + m[0][$1] * minors[0][$1] }
    return (0..<3).map { row in (0..<3).map { minors[$0][row] / determinant } }
  }
}

/// The meaning of a picture's colours, where its file declares them without an ICC profile.
package struct DeclaredColours: Sendable, Hashable {
  /// The place of a colour in the CIE 1931 diagram.
  package struct Chromaticity: Sendable, Hashable {
    package let x: Double
    package let y: Double

    fileprivate init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The colours of full red, green and blue, and of the white that they make together.
  package struct Primaries: Sendable, Hashable {
    package let red: Chromaticity
    package let green: Chromaticity
    package let blue: Chromaticity
    package let white: Chromaticity
  }

  /// How the numbers of a file lead to light.
  package enum Curve: Sendable, Hashable {
    /// That of sRGB, which stands for the similar ones of video as well.
    case sRGB
    /// A power; 1 is linear.
    case power(Double)
    /// PQ, the perceptual quantizer of HDR, up to 10,000 cd/m² (SMPTE ST 2084).
    case quantizer
    /// HLG, hybrid log-gamma of HDR (ITU-R BT.2100, table 5).
    case hybrid
    /// One that this program does not know.
    case unknown
  }

  package let primaries: Primaries
  package let curve: Curve
  /// Whether black is 16 and white is 235 of 255, as in video.
  package let isNarrow: Bool
  /// Whether the file has an ICC profile that counts less (PNG, third edition, section 4.3).
  package let overridesProfile: Bool

  /// Nil when the colours are those of sRGB, which need no conversion, and no profile says otherwise.
  private init?(_ primaries: Primaries, _ curve: Curve, isNarrow: Bool, overrides: Bool) {
    guard primaries != .sRGB || curve != .sRGB || isNarrow || overrides else { return nil }
    self.primaries = primaries
    self.curve = curve
    self.isNarrow = isNarrow
    overridesProfile = overrides
  }
}

extension DeclaredColours.Primaries {
  private init(_ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double)) {
    self.init(red, green, blue, white: (0.3127, 0.3290))
  }

  fileprivate init(
    _ red: (Double, Double),
    _ green: (Double, Double),
    _ blue: (Double, Double),
    white: (Double, Double)
  ) {
    self.red = .init(red.0, red.1)
    self.green = .init(green.0, green.1)
    self.blue = .init(blue.0, blue.1)
    self.white = .init(white.0, white.1)
  }

  /// ITU-R BT.709, which sRGB has as well.
  fileprivate static let sRGB = Self((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
  fileprivate static let wide = Self((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))

  /// The primaries of a code point (ITU-T H.273, table 2); those of sRGB when it is unspecified or unknown.
  fileprivate init(codePoint: Int) {
    let illuminantC = (0.310, 0.316)
    self =
      switch codePoint {
      case 4: Self((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: illuminantC)
      case 5: Self((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
      case 6, 7: Self((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
      case 8: Self((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: illuminantC)
      case 9: .wide
      case 11: Self((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
      case 12: Self((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
      case 22: Self((0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
      default: .sRGB
      }
  }

  /// Whether each coordinate is that of sRGB, as far as rounding in files goes.
  fileprivate var isNearSRGB: Bool {
    let pairs = [(red, Self.sRGB.red), (green, Self.sRGB.green), (blue, Self.sRGB.blue)]
    return (pairs + [(white, Self.sRGB.white)])
      .allSatisfy { abs($0.x - $1.x) < 0.004 && abs($0.y - $1.y) < 0.004 }
  }

  /// Whether light can be computed with the primaries.
  fileprivate var isSound: Bool {
    let area =
      (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
    return abs(area) > 0.01 && [red, green, blue, white].allSatisfy { $0.y > 0.001 && $0.x < 1 }
      && white.y > 0.1
  }
}

extension DeclaredColours {
  /// Reads code points (ITU-T H.273, tables 2 and 3).
  private init?(primaries: Int, transfer: Int, isNarrow: Bool, overrides: Bool) {
    let curve: Curve =
      switch transfer {
      // Still pictures with the curve of a video camera are meant to look as with that of sRGB.
      case 0, 1, 2, 3, 6, 7, 11, 12, 13, 14, 15: .sRGB
      case 4: .power(2.2)
      case 5: .power(2.8)
      case 8: .power(1)
      case 16: .quantizer
      case 18: .hybrid
      default: .unknown
      }
    let isHDR = curve == .quantizer || curve == .hybrid
    let codePoint = isHDR && primaries == 2 ? 9 : primaries
    self.init(Primaries(codePoint: codePoint), curve, isNarrow: isNarrow, overrides: overrides)
  }

  /// Reads the colour information of an AVIF or HEIC's primary item; nil for sRGB, and where a profile counts.
  ///
  /// The decoder of the format has already made RGB of full range (ISO/IEC 14496-12, section 12.1.5).
  ///
  /// - Parameter beginning: The first bytes of the file, with the box `meta`.
  package init?(ofISOMedia beginning: [UInt8]) {
    let bytes = ByteReader(beginning[...])
    guard let items = ISOMediaHeader.items(in: bytes), let box = items.colours(ofType: "nclx"),
      let primaries = bytes.big(at: box.body + 4, count: 2),
      let transfer = bytes.big(at: box.body + 6, count: 2)
    else { return nil }
    self.init(primaries: primaries, transfer: transfer, isNarrow: false, overrides: false)
  }

  /// Reads the colours of a JPEG XL file where they are HDR; nil for others.
  ///
  /// Its decoder makes a profile of all colours that have names. It serves for others than these: as the brightest light
  /// of PQ is the white of that profile, a page would be almost black.
  ///
  /// - Parameter beginning: The first bytes of the file, with the beginning of the codestream.
  package init?(ofJPEGXL beginning: [UInt8]) {
    guard var bits = JPEGXLHeader.codestream(in: ByteReader(beginning[...])),
      let stated = bits.colours(), [16, 18].contains(stated.transfer)
    else { return nil }
    // JPEG XL's numbers of primaries are those of H.273, but for Display P3's.
    let codePoint = [1: 1, 9: 9, 11: 12][stated.primaries]
    self.init(
      Primaries(codePoint: codePoint ?? 1),
      codePoint == nil ? .unknown : stated.transfer == 16 ? .quantizer : .hybrid,
      isNarrow: false,
      overrides: true
    )
  }

  /// Reads the chunks of a PNG file; nil for sRGB, and where a profile counts (PNG, third edition, sections 4.3 and
  /// 11.3.2).
  ///
  /// - Parameter reading: Returns the bytes of a range of the file; nil when some are missing.
  package init?(ofPNG reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    var chunks: [String: [UInt8]] = [:]
    var offset = 8
    for _ in 0..<Self.chunkLimit {
      guard let head = reading(offset, 8), let length = ByteReader(head[...]).big(at: 0, count: 4)
      else { return nil }
      let name = String(decoding: head[4...], as: UTF8.self)
      if name == "IDAT" { break }
      if name == "iCCP" {
        chunks[name] = []
      } else if ["cICP", "sRGB", "gAMA", "cHRM"].contains(name), length <= 32 {
        chunks[name] = reading(offset + 4, length + 8).flatMap(Self.content)
      }
      offset += 12 + length
    }
    if let points = chunks["cICP"], points.count == 4, points[2] == 0 {
      self.init(
        primaries: Int(points[0]),
        transfer: Int(points[1]),
        isNarrow: points[3] == 0,
        overrides: chunks["iCCP"] != nil
      )
    } else if chunks["iCCP"] == nil, chunks["sRGB"] == nil {
      self.init(gamma: chunks["gAMA"], chromaticities: chunks["cHRM"])
    } else {
      return nil
    }
  }

  private static let chunkLimit = 4_096

  /// The content of a chunk with its name and checksum; nil if it does not fit the checksum (PNG, third edition, 5.5).
  private static func content(_ chunk: [UInt8]) -> [UInt8]? {
    var rest = UInt32.max
    for byte in chunk.dropLast(4) {
      rest ^= UInt32(byte)
      for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    let checksum = ByteReader(chunk.suffix(4)).big(at: 0, count: 4)
    return checksum == Int(~rest) ? Array(chunk.dropFirst(4).dropLast(4)) : nil
  }

  /// Reads the gamma and the chromaticities, each in units of 1/100,000.
  private init?(gamma: [UInt8]?, chromaticities: [UInt8]?) {
    func numbers(_ chunk: [UInt8]?) -> [Double] {
      let bytes = ByteReader((chunk ?? [])[...])
      return stride(from: 0, to: bytes.end, by: 4)
        .compactMap { bytes.big(at: $0, count: 4) }.map { Double($0) / 100_000 }
    }
    let (exponent, places) = (numbers(gamma).first ?? 0, numbers(chromaticities))
    var primaries = Primaries.sRGB
    if places.count == 8 {
      let stated = Primaries(
        (places[2], places[3]),
        (places[4], places[5]),
        (places[6], places[7]),
        white: (places[0], places[1])
      )
      if stated.isSound, !stated.isNearSRGB { primaries = stated }
    }
    // 1/2.2 stands for the curve of sRGB.
    let isUsual = exponent < 0.01 || exponent > 10 || abs(exponent - 0.45455) < 0.02
    let curve = isUsual ? Curve.sRGB : .power(1 / exponent)
    self.init(primaries, curve, isNarrow: false, overrides: false)
  }
}

extension ImageHeader {
  /// Whether the colours of an AVIF or HEIC file have been multiplied by their alpha.
  package static func isPremultiplied(_ beginning: [UInt8]) -> Bool {
    ISOMediaHeader.items(in: ByteReader(beginning[...]))?.isPremultiplied ?? false
  }

  /// The place of a GIF's first frame on its screen; nil if the bytes do not reach it.
  package static func firstFrame(
    ofGIF beginning: [UInt8]
  ) -> (x: Int, y: Int, width: Int, height: Int)? {
    GIFHeader.firstFrame(in: ByteReader(beginning[...]))
  }
}

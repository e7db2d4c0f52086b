package import FoundationEssentials

/// What a camera has written into a picture's file about taking it; nil where the file does not say, or not soundly.
package struct PictureDetails: Sendable, Equatable {
  /// The maker and the model.
  package var camera: String?
  package var lens: String?
  /// The exposure time in nanoseconds.
  package var exposure: Int64?
  /// The f-number, in hundredths.
  package var aperture: Int64?
  /// The sensitivity (ISO 12232).
  package var sensitivity: Int64?
  /// The focal length, in hundredths of a millimetre.
  package var focalLength: Int64?
  package var taken: DateTaken?
  package var place: PicturePlace?

  package init() {}

  package var isEmpty: Bool { self == PictureDetails() }

  /// The longest text, in bytes of UTF-8.
  package static let textBytes = 200

  /// A copy without the values that no camera has.
  package var sound: PictureDetails {
    var sound = self
    sound.camera = camera.flatMap(Self.text)
    sound.lens = lens.flatMap(Self.text)
    sound.exposure = Self.value(exposure, in: 1_000...86_400_000_000_000)
    sound.aperture = Self.value(aperture, in: 10...100_000)
    sound.sensitivity = Self.value(sensitivity, in: 1...100_000_000)
    sound.focalLength = Self.value(focalLength, in: 1...10_000_000)
    sound.taken = taken.flatMap { $0.isSound ? $0 : nil }
    sound.place = place.flatMap { $0.isSound ? $0 : nil }
    return sound
  }

  private static func value(_ value: Int64?, in range: ClosedRange<Int64>) -> Int64? {
    value.flatMap { range.contains($0) ? $0 : nil }
  }

  /// A text in one line, without characters that are not seen; nil if it is empty or too long.
  package static func text(_ text: String) -> String? {
    let isUnseen: (Unicode.Scalar) -> Bool = { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory
      )
    }
    let scalars = text.unicodeScalars.lazy.map { isUnseen($0) ? " " : $0 }
    let words = String(String.UnicodeScalarView(scalars)).split { $0.isWhitespace }
    let line = words.joined(separator: " ")
    return line.isEmpty || line.utf8.count > textBytes ? nil : line
  }

  /// The name of a camera from its maker and its model, which mostly begins with the maker's name.
  package static func camera(maker: String?, model: String?) -> String? {
    guard let maker, let model else { return model ?? maker }
    let name = maker.prefix { $0 != " " }.lowercased()
    return model.lowercased().hasPrefix(name) ? model : "\(maker) \(model)"
  }
}

/// When a picture was taken, by the camera's clock.
package struct DateTaken: Sendable, Equatable {
  /// The milliseconds from 1 January 1970, 00:00, to the time on the camera's clock, both in the same time zone.
  package var clock: Int64
  /// The minutes by which the camera's clock was ahead of UTC; nil if the file does not say.
  package var offset: Int64?

  package init(clock: Int64, offset: Int64? = nil) {
    (self.clock, self.offset) = (clock, offset)
  }

  /// Reads a date such as `2019:07:14 18:02:33` (EXIF 2.32, section 4.6.5) or `2019-07-14T18:02:33`.
  ///
  /// Nil for any other text, and for a day or a time that does not exist, such as `0000:00:00 00:00:00`.
  package init?(day text: some StringProtocol, fraction: String? = nil, offset: String? = nil) {
    let bytes = Array(text.utf8)
    guard bytes.count == 19, [0x20, 0x54].contains(bytes[10]),
      [4, 7].allSatisfy({ at in
        bytes[at] == 0x3A || bytes[at] == 0x2D
      }), bytes[13] == 0x3A, bytes[16] == 0x3A
    else { return nil }
    var numbers: [Int] = []
    for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19] {
      guard let number = Int(digits: String(decoding: bytes[range], as: UTF8.self)) else {
        return nil
      }
      numbers.append(number)
    }
    guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60, (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2])
    else { return nil }
    let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
    guard day.parts == (numbers[0], numbers[1], numbers[2]) else { return nil }
    let seconds = day.daysSince1970 * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    clock = Int64(seconds) * 1_000 + (fraction.flatMap(Self.milliseconds) ?? 0)
    self.offset = offset.flatMap(Self.minutes)
    guard isSound else { return nil }
  }

  /// The milliseconds of the decimal digits after a second.
  private static func milliseconds(_ fraction: String) -> Int64? {
    let digits = fraction.prefix { $0 != " " }.prefix(3)
    return Int64(digits: digits + String(repeating: "0", count: 3 - digits.count))
  }

  /// The minutes of an offset such as `+05:30`.
  private static func minutes(_ offset: String) -> Int64? {
    if offset == "Z" { return 0 }
    let bytes = Array(offset.utf8)
    guard bytes.count == 6, bytes[3] == 0x3A, bytes[0] == 0x2B || bytes[0] == 0x2D,
      let hours = Int64(digits: String(decoding: bytes[1..<3], as: UTF8.self)),
      let minutes = Int64(digits: String(decoding: bytes[4..<6], as: UTF8.self)), minutes < 60
    else { return nil }
    let sum = hours * 60 + minutes
    guard sum <= mostOffset else { return nil }
    return bytes[0] == 0x2D ? -sum : sum
  }

  /// More minutes than any country is ahead of UTC or behind it.
  private static let mostOffset: Int64 = 900

  /// Whether it is after the year 1800 and before 10000, and its offset is one that a country may have.
  var isSound: Bool {
    (-5_364_662_400_000..<253_402_300_800_000).contains(clock)
      && (offset.map { (-Self.mostOffset...Self.mostOffset).contains($0) } ?? true)
  }

  /// The whole seconds of `clock`, rounded down, because the clock showed that second.
  package var seconds: Int64 { clock >= 0 ? clock / 1_000 : (clock - 999) / 1_000 }

  /// The time; that of a camera whose offset is not known counts as UTC.
  package var date: Date {
    Date(timeIntervalSince1970: Double(clock) / 1_000 - Double((offset ?? 0) * 60))
  }
}

/// Where a picture was taken (WGS 84).
package struct PicturePlace: Sendable, Equatable {
  /// Millionths of a degree; positive in the north.
  package var latitude: Int64
  /// Millionths of a degree; positive in the east.
  package var longitude: Int64

  package init(latitude: Int64, longitude: Int64) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Whether it is on the earth, and not the zeros that devices write without a fix.
  var isSound: Bool {
    (-90_000_000...90_000_000).contains(latitude)
      && (-180_000_000...180_000_000).contains(longitude) && (latitude != 0 || longitude != 0)
  }
}

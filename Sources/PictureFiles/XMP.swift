import Models

/// Reads what programs have written about a picture as XMP (ISO 16684-1).
///
/// The properties are found by the prefixes that the standard prefers and all programs use. A packet is not parsed as
/// XML: a property is an attribute, or an element whose text counts.
extension PictureDetails {
  /// Adds what the first 64 KB of a packet say and EXIF has not said, but for the dates, which are noted.
  mutating func complete(fromXMP packet: [UInt8], _ dates: inout PictureDates) {
    let properties = XMPProperties(bytes: ByteReader(packet.prefix(65_536)))
    if camera == nil {
      let (maker, model) = (properties["tiff:Make"], properties["tiff:Model"])
      camera = Self.camera(maker: maker.flatMap(Self.text), model: model.flatMap(Self.text))
    }
    lens = lens ?? properties["exifEX:LensModel"] ?? properties["aux:Lens"]
    exposure = exposure ?? properties.scaled("exif:ExposureTime", by: 1_000_000_000)
    aperture = aperture ?? properties.scaled("exif:FNumber", by: 100)
    focalLength = focalLength ?? properties.scaled("exif:FocalLength", by: 100)
    let speed = properties["exif:ISOSpeedRatings"] ?? properties["exifEX:PhotographicSensitivity"]
    sensitivity = sensitivity ?? speed.flatMap { Int64(digits: $0) }
    for name in ["exif:DateTimeOriginal", "photoshop:DateCreated"] {
      dates.noteOriginal(properties[name], DateTaken.init(xmp:))
    }
    for name in ["exif:DateTimeDigitized", "xmp:CreateDate"] {
      dates.noteDigitized(properties[name], DateTaken.init(xmp:))
    }
    if place == nil, let latitude = properties["exif:GPSLatitude"],
      let longitude = properties["exif:GPSLongitude"]
    {
      place = PicturePlace(xmp: latitude, longitude)
    }
    self = sound
  }
}

extension DateTaken {
  /// Reads a date with a time (ISO 8601), such as `2019-07-14T18:02:33.45+02:00`.
  fileprivate init?(xmp text: String) {
    let (date, rest) = (text.prefix(19), text.dropFirst(19))
    let fraction = rest.first == "." ? rest.dropFirst().prefix { $0.isNumber } : ""
    let offset = rest.dropFirst(fraction.isEmpty ? 0 : fraction.count + 1)
    self.init(
      day: date,
      fraction: fraction.isEmpty ? nil : String(fraction),
      offset: offset.isEmpty ? nil : String(offset)
    )
  }
}

extension PicturePlace {
  /// Reads angles such as `48,51.5028N` and `2,17,40E` (ISO 16684-2, section 4.2.2).
  fileprivate init?(xmp latitude: String, _ longitude: String) {
    guard let latitude = Self.degrees(latitude, "N", "S"),
      let longitude = Self.degrees(longitude, "E", "W")
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func degrees(
    _ text: String,
    _ positive: Character,
    _ negative: Character
  ) -> Int64? {
    guard let direction = text.last, direction == positive || direction == negative else {
      return nil
    }
    let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
    let seconds = numbers.count > 2 ? numbers[2] : 0
    return degrees(numbers[0], numbers[1], seconds, isNegative: direction == negative)
  }
}

/// The simple properties of a packet of XMP.
private struct XMPProperties {
  let bytes: ByteReader

  /// The longest value in bytes, with the markup in it.
  private static let valueBytes = 1_024

  /// The text of a property; nil when it is missing, empty or too long.
  subscript(_ name: String) -> String? {
    let name = Array(name.utf8)
    var next = bytes.firstOffset(of: name, from: 0)
    while let start = next {
      if let value = value(before: start, after: start + name.count, name) { return value }
      next = bytes.firstOffset(of: name, from: start + name.count)
    }
    return nil
  }

  /// The value of a fraction such as `1/250`, or of a whole number, multiplied and rounded.
  func scaled(_ name: String, by factor: Int) -> Int64? {
    let parts = self[name]?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    let numbers = parts.compactMap { Int(digits: $0) }
    guard numbers.count == parts.count, (1...2).contains(numbers.count),
      numbers.allSatisfy({ $0 <= Int(UInt32.max) })
    else { return nil }
    let lower = numbers.count > 1 ? numbers[1] : 1
    return lower > 0 ? Int64((numbers[0] * factor + lower / 2) / lower) : nil
  }

  /// The value of the attribute or element whose name is at an offset; nil when the name belongs to something else.
  private func value(before start: Int, after end: Int, _ name: [UInt8]) -> String? {
    guard let before = bytes.byte(at: start - 1) else { return nil }
    if before == UInt8(ascii: "<"), bytes.byte(at: end) == UInt8(ascii: ">") {
      let close = part(from: end)?.firstOffset(of: Array("</".utf8) + name, from: end)
      return close.flatMap { text(from: end + 1, to: $0) }
    }
    guard Self.isBlank(before) else { return nil }
    let equals = offset(afterBlanksFrom: end)
    guard bytes.byte(at: equals) == UInt8(ascii: "=") else { return nil }
    let quote = offset(afterBlanksFrom: equals + 1)
    guard let mark = bytes.byte(at: quote), [0x22, 0x27].contains(mark) else { return nil }
    let close = part(from: quote + 1)?.firstOffset(of: mark, from: quote + 1)
    return close.flatMap { text(from: quote + 1, to: $0) }
  }

  /// The bytes in which a value from an offset has to end, so that a hostile packet is not searched over and over.
  private func part(from start: Int) -> ByteReader? {
    let count = min(Self.valueBytes, bytes.end - start)
    return bytes.bytes(at: start, count: count).map { ByteReader($0, start: start) }
  }

  private func offset(afterBlanksFrom start: Int) -> Int {
    var offset = start
    while let byte = bytes.byte(at: offset), Self.isBlank(byte) { offset += 1 }
    return offset
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// The text between two offsets, without markup; nil for one with other references than XML's own.
  private func text(from start: Int, to end: Int) -> String? {
    guard let found = bytes.bytes(at: start, count: end - start),
      var text = String(validating: found, as: UTF8.self)
    else { return nil }
    while let open = text.firstIndex(of: "<") {
      let close = text[open...].firstIndex(of: ">") ?? text.index(before: text.endIndex)
      text.removeSubrange(open...close)
    }
    guard !text.contains("&#") else { return nil }
    for (reference, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ] { text = text.replacing(reference, with: character) }
    return PictureDetails.text(text)
  }
}

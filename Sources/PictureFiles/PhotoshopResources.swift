/// Image resources of Photoshop, and the IPTC-IIM in one of them (Adobe, Photoshop File Formats; IPTC-NAA IIM 4.1).
enum PhotoshopResources {
  /// IPTC-IIM.
  private static let captions = 0x0404
  /// Resolution, quality of JPEG, and the flag of copyright.
  ///
  /// Not the checksum of IPTC-IIM (0x0425), with which a guess of the city can be checked.
  private static let kept: Set = [0x03ED, 0x0406, 0x040A]
  /// The longest of these in bytes.
  private static let keptBytes = 32

  /// The resources with blanks in place of what may tell a place; nil if they are not understood.
  static func withoutPlace(_ old: [UInt8]) -> [UInt8]? {
    let bytes = ByteReader(old[...])
    var (new, offset) = (old, 0)
    while offset < old.count {
      guard bytes.has("8BIM", at: offset), let id = bytes.big(at: offset + 4, count: 2),
        let name = bytes.byte(at: offset + 6)
      else { return nil }
      // The name with its length, and the data, have an even number of bytes.
      let field = offset + 6 + (Int(name) + 2) / 2 * 2
      guard let size = bytes.big(at: field, count: 4) else { return nil }
      let data = field + 4..<field + 4 + size
      guard data.upperBound <= old.count else { return nil }
      if id == captions {
        guard blankCaptions(data, of: bytes, in: &new) else { return nil }
      } else if !kept.contains(id) || size > keptBytes {
        for index in data { new[index] = 0 }
      }
      offset = min(data.upperBound + size % 2, old.count)
    }
    return new
  }

  /// Data sets of record 2: codes and names of the content's location, city, sublocation, state, and country.
  private static let places: Set = [26, 27, 90, 92, 95, 100, 101]

  private static func blankCaptions(
    _ range: Range<Int>,
    of bytes: ByteReader,
    in new: inout [UInt8]
  ) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      // Some programs fill the rest with zeros.
      if let rest = bytes.bytes(at: offset, count: range.upperBound - offset),
        rest.allSatisfy({ $0 == 0 })
      {
        return true
      }
      guard bytes.byte(at: offset) == 0x1C, let record = bytes.byte(at: offset + 1),
        let dataSet = bytes.byte(at: offset + 2), let size = bytes.big(at: offset + 3, count: 2),
        size < 0x8000, let value = bytes.bytes(at: offset + 5, count: size),
        offset + 5 + size <= range.upperBound
      else { return false }
      let isKept = record == 1 || record == 2 && !places.contains(Int(dataSet))
      if !isKept || PlaceWords.areIn(value) {
        for index in offset + 5..<offset + 5 + size { new[index] = UInt8(ascii: " ") }
      }
      offset += 5 + size
    }
    return true
  }
}

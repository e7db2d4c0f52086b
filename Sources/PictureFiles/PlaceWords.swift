/// The words by which texts tell a place: names of XMP's properties, and of fields that programs write into other texts.
enum PlaceWords {
  /// The words in lower case; prefixes of XMP are free, so names count with any of them.
  private static let words =
    [
      // exif:GPSLatitude, drone-dji:GpsLatitude, geo:lat of WGS 84, and ISO 6709 in films.
      "gps", "latitude", "longitude", "altitude", "geo:", "geotag", "geohash", "wgs84", "iso6709",
      // Iptc4xmpCore:Location, Iptc4xmpExt:LocationShown, LocationCreated, Sublocation, WorldRegion.
      "location", "worldregion", "province", "country",
      // photoshop:City and State, as an attribute or an element.
      ":city", "<city", ":state", "<state",
      // dc:coverage is the extent in space or time; dwc:locality and others of Darwin Core.
      "coverage", "locality", "municipality", "county", "coordinate",
      // JSON and other texts of programs and cameras.
      "gcm_tag",
      "\"lat\"", "\"lon\"", "\"lng\"", "lat:", "lon:", "lng:",
    ].map { Array($0.utf8) }

  /// The shortest run of Base64 that counts as a file within a text, such as a picture with EXIF of its own.
  private static let leastRun = 256

  /// Whether a text may tell a place, in UTF-8, or in UTF-16 or UTF-32, whose zeros are left out.
  static func areIn(_ text: some Sequence<UInt8>) -> Bool {
    var letters: [UInt8] = []
    var run = 0
    for byte in text where byte != 0 {
      letters.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
      if isOfBase64(byte) {
        run += 1
        if run >= leastRun { return true }
      } else if byte != 0x0A, byte != 0x0D {
        run = 0
      }
    }
    let reader = ByteReader(letters[...])
    return words.contains { reader.firstOffset(of: $0, from: 0) != nil }
  }

  private static func isOfBase64(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }
}

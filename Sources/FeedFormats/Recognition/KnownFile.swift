/// Knows common files that are no feeds by their first bytes.
enum KnownFile {
  /// What a file is, as a noun with its article; nil when its first bytes tell nothing.
  static func description(of bytes: [UInt8]) -> String? {
    let span = bytes.span
    for file in files where span.begins(with: file.mark, at: file.place) {
      return file.description
    }
    return signatures.first { bytes.starts(with: $0.mark) }?.description
  }

  /// Marks of ASCII characters.
  private static let files: [(place: Int, mark: StaticString, description: String)] = [
    (0, "GIF8", "a GIF image"), (8, "WEBPVP8", "a WebP image"), (4, "ftypavif", "an AVIF image"),
    (4, "ftypheic", "a HEIC image"), (4, "ftyp", "a video"), (0, "%PDF", "a PDF document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive"), (0, "Rar!", "a RAR archive"),
    (0, "7z\u{BC}", "a 7-Zip archive"), (0, "OggS", "an audio file"), (0, "ID3", "an audio file"),
    (0, "fLaC", "an audio file"), (0, "SQLite format 3", "an SQLite database"),
    (0, "BEGIN:VCALENDAR", "a calendar"), (0, "BEGIN:VCARD", "an address card"),
    (0, "#EXTM3U", "a playlist"), (0, "%!PS", "a PostScript document"),
    (0, "{\\rtf", "an RTF document"),
  ]

  /// Marks of other bytes.
  private static let signatures: [(mark: [UInt8], description: String)] = [
    ([0xFF, 0xD8, 0xFF], "a JPEG image"), ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
    ([0x49, 0x49, 0x2A, 0x00], "a TIFF image"), ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image"),
    ([0x1F, 0x8B], "a gzip archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a video"), ([0x00, 0x00, 0x01, 0x00], "an icon"),
  ]
}

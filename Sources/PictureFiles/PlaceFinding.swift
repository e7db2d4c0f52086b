import Models

/// Whether a whole file in memory tells where a picture was taken.
///
/// A file is changed only for signs of a place: it may have parts that only other programs know. Then it becomes the
/// copy that `PlaceRemoval` makes.
package enum PlaceFinding: Sendable, Equatable {
  /// It has no sign of a place.
  case none
  /// It has signs of a place; the copy tells none, and has the same pixels and length. The digest is that of
  /// `PlaceRemoval`.
  case removable(copy: [UInt8], digest: UInt64)
  /// It has signs of a place, which cannot be removed, because it is not understood as a whole.
  case notRemovable

  package init(in file: [UInt8]) {
    // Most thumbnails are such files, and a search of all their bytes would take ten times as long as storing them.
    if Self.isPlain(ByteReader(file[...]), file.count) {
      self = .none
      return
    }
    do throws(PlaceRemoval.Refusal) {
      let removal = try PlaceRemoval(length: file.count) { offset, count in
        guard offset >= 0, count >= 0, count <= file.count - offset else { return nil }
        return Array(file[offset..<offset + count])
      }
      guard !removal.isEmpty else {
        self = .none
        return
      }
      var copy = file
      copy.withUnsafeMutableBytes { removal.apply(to: $0, at: 0) }
      let isPlace = Self.isPlace(in: file, removal, copy)
      self = isPlace ? .removable(copy: copy, digest: removal.digest) : .none
    } catch {
      let isPlace = Self.hasSigns(file[...]) || !Self.captions(of: file).isEmpty
      self = isPlace ? .notRemovable : .none
    }
  }

  /// Whether what a removal replaces has signs of a place.
  private static func isPlace(
    in file: [UInt8],
    _ removal: PlaceRemoval,
    _ copy: [UInt8]
  ) -> Bool {
    captions(of: file).contains { file[$0] != copy[$0] }
      || removal.patches.contains { patch in
        let part = file[patch.range]
        return hasSigns(part) || isText(part) && PlaceWords.areIn(part)
      }
  }

  // MARK: Files without metadata

  /// Whether a JPEG or PNG has nothing but what its pixels need, and its colour profile.
  private static func isPlain(_ bytes: ByteReader, _ count: Int) -> Bool {
    switch bytes.big(at: 0, count: 2) {
    case 0xFFD8: isPlainJPEG(bytes, count)
    case 0x8950: isPlainPNG(bytes, count)
    default: false
    }
  }

  /// Walks the segments up to the scan (ISO/IEC 10918-1, annex B): tables, frames, JFIF, ICC profiles, Adobe's
  /// colours.
  private static func isPlainJPEG(_ bytes: ByteReader, _ count: Int) -> Bool {
    guard bytes.big(at: max(0, count - 2), count: 2) == 0xFFD9 else { return false }
    var offset = 2
    while let marker = bytes.big(at: offset, count: 2),
      let length = bytes.big(at: offset + 2, count: 2)
    {
      switch marker {
      case 0xFFDA: return true
      case 0xFFC0...0xFFCF, 0xFFDB, 0xFFDD, 0xFFE0, 0xFFEE: break
      // "ICC_" of `ICC_PROFILE`.
      case 0xFFE2 where bytes.big(at: offset + 4, count: 4) == 0x4943_435F: break
      case 0xFFFE:
        // A comment; one that does not begin as a text has no words.
        let start = bytes.bytes(at: offset + 4, count: min(64, max(0, length - 2)))
        guard let start, !isText(start) else { return false }
      default: return false
      }
      guard length >= 2 else { return false }
      offset += 2 + length
    }
    return false
  }

  /// Walks the chunks up to the last one, which ends the file (PNG, third edition, section 5).
  private static func isPlainPNG(_ bytes: ByteReader, _ count: Int) -> Bool {
    var offset = 8
    while let length = bytes.big(at: offset, count: 4),
      let type = bytes.big(at: offset + 4, count: 4)
    {
      guard length <= count - offset - 12 else { return false }
      offset += 12 + length
      switch type {
      // IEND
      case 0x4945_4E44: return offset == count
      // IHDR, PLTE, IDAT, tRNS, gAMA, cHRM, sRGB, pHYs
      case 0x4948_4452, 0x504C_5445, 0x4944_4154, 0x7452_4E53, 0x6741_4D41, 0x6348_524D,
        0x7352_4742, 0x7048_5973:
        break
      default: return false
      }
    }
    return false
  }

  // MARK: Signs

  /// Fields that lead to the directory of GPS (EXIF 2.32, section 4.6.3): the tag 0x8825, a type, and one value.
  private static let directories: [[UInt8]] = [3, 4, 13].flatMap { type in
    [[0x25, 0x88, type, 0, 1, 0, 0, 0], [0x88, 0x25, 0, type, 0, 0, 0, 1]] as [[UInt8]]
  }
  /// Packed metadata of JPEG XL and of PNG, and the places of films.
  ///
  /// The names of two boxes count only with what follows them, because words such as `velocity` have them inside: the
  /// type of the packed box (ISO/IEC 18181-2), and the version and flags (3GPP TS 26.244, section 8).
  private static let others: [[UInt8]] =
    [
      "brobExif", "brobxml ", "brobjumb", "Raw profile type", "XML:com.adobe.xmp",
      "loci\0\0\0\0", "quicktime.location",
    ]
    .map { Array($0.utf8) } + [[0xA9] + Array("xyz".utf8)]
  /// A packet of XMP begins and ends with it (ISO 16684-1, section 7.4).
  private static let packet = Array("rdf:RDF".utf8)

  private static func hasSigns(_ part: ArraySlice<UInt8>) -> Bool {
    let reader = ByteReader(part)
    if (directories + others).contains(where: { reader.firstOffset(of: $0, from: 0) != nil }) {
      return true
    }
    guard let start = reader.firstOffset(of: packet, from: 0) else { return false }
    // One that has no end may go on to the end of the part.
    let end = reader.lastOffset(of: packet, notBefore: start + 1) ?? reader.end
    return reader.bytes(at: start, count: end - start).map { PlaceWords.areIn($0) } ?? false
  }

  /// A resource of Photoshop with IPTC-IIM.
  private static let captionsMark: [UInt8] = Array("8BIM".utf8) + [4, 4]

  /// Where a file has IPTC-IIM; its places are words that only their numbers tell apart.
  private static func captions(of file: [UInt8]) -> [Range<Int>] {
    let bytes = ByteReader(file[...])
    var (ranges, end): ([Range<Int>], Int) = ([], 0)
    while let mark = bytes.firstOffset(of: captionsMark, from: end) {
      // The name with its length has an even number of bytes.
      let field = mark + 6 + (Int(bytes.byte(at: mark + 6) ?? 0) + 2) / 2 * 2
      let start = min(field + 4, file.count)
      end = start + min(bytes.big(at: field, count: 4) ?? .max, file.count - start)
      ranges.append(start..<end)
    }
    return ranges
  }

  /// Whether almost all bytes are letters of ASCII, blanks, or zeros as in UTF-16; coded data would have any words.
  private static func isText(_ part: ArraySlice<UInt8>) -> Bool {
    let letters = part.count(where: { (0x20...0x7E).contains($0) || [0, 9, 10, 13].contains($0) })
    return letters * 10 >= part.count * 9
  }
}

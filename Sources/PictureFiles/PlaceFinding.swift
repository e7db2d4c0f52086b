import Models

/// Whether a whole file in memory tells where a picture was taken.
///
/// A file is changed only for signs of a place: it may have parts that nobody else knows. Then it becomes the copy that
/// `PlaceRemoval` makes.
package enum PlaceFinding: Sendable, Equatable {
  /// It has no sign of a place.
  case none
  /// It has signs of a place; the copy tells none, and has the same pixels and length. The digest is that of
  /// `PlaceRemoval`.
  case removable(copy: [UInt8], digest: UInt64)
  /// It has signs of a place, which cannot be removed, because it is not understood as a whole.
  case notRemovable

  package init(in file: [UInt8]) {
    do throws(PlaceRemoval.Refusal) {
      let removal = try PlaceRemoval(length: file.count) { offset, count in
        guard offset >= 0, count >= 0, count <= file.count - offset else { return nil }
        return Array(file[offset..<offset + count])
      }
      guard !removal.isEmpty, Self.isPlace(in: file, removal) else {
        self = .none
        return
      }
      var copy = file
      copy.withUnsafeMutableBytes { removal.apply(to: $0, at: 0) }
      self = .removable(copy: copy, digest: removal.digest)
    } catch {
      self = Self.hasSigns(file[...]) || Self.hasCaptions(file) ? .notRemovable : .none
    }
  }

  /// Whether what a removal replaces has signs of a place.
  private static func isPlace(in file: [UInt8], _ removal: PlaceRemoval) -> Bool {
    hasCaptions(file)
      || removal.patches.contains { patch in
        let part = file[patch.range]
        return hasSigns(part) || isText(part) && PlaceWords.areIn(part)
      }
  }

  // MARK: Signs

  /// Fields that lead to the directory of GPS (EXIF 2.32, section 4.6.3): the tag 0x8825, a type, and one value.
  private static let directories: [[UInt8]] = [3, 4, 13].flatMap { type in
    [[0x25, 0x88, type, 0, 1, 0, 0, 0], [0x88, 0x25, 0, type, 0, 0, 0, 1]] as [[UInt8]]
  }
  /// Packed metadata of JPEG XL and of PNG, and the places of films.
  private static let others: [[UInt8]] =
    ["brob", "Raw profile type", "XML:com.adobe.xmp", "loci", "quicktime.location"]
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

  /// Whether a file has IPTC-IIM in a resource of Photoshop; its places are words that only their numbers tell apart.
  private static func hasCaptions(_ file: [UInt8]) -> Bool {
    ByteReader(file[...]).firstOffset(of: Array("8BIM".utf8) + [4, 4], from: 0) != nil
  }

  /// Whether almost all bytes are letters of ASCII, blanks, or zeros as in UTF-16; coded data would have any words.
  private static func isText(_ part: ArraySlice<UInt8>) -> Bool {
    let letters = part.count(where: { (0x20...0x7E).contains($0) || [0, 9, 10, 13].contains($0) })
    return letters * 10 >= part.count * 9
  }
}

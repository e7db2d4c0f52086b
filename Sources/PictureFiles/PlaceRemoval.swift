package import Models

/// What replaces the bytes of a picture's file that may tell where it was taken; the file keeps its length.
///
/// The rule is strict. Of metadata, only what is known to tell no place stays, and everything else becomes zeros or
/// blanks: fields of EXIF by a list, texts without certain words, and no bytes to which nothing in the file refers. The
/// coded pixels stay as they are. A file that is not understood as a whole is refused.
package struct PlaceRemoval: Sendable, Equatable {
  /// Why a file cannot be sent without its place.
  package enum Refusal: Error, Equatable, Sendable {
    /// Its kind is not one of those that are understood; a noun with its article names the kind.
    case kind(String)
    /// A part of it is damaged, or of a form that is not known.
    case notUnderstood
  }

  /// The formats from which a place can be removed.
  package static let formats: Set<ImageFormat> = [.jpeg, .png, .webP, .avif, .heic]

  /// Bytes that replace those of a range.
  struct Patch: Sendable, Equatable {
    let range: Range<Int>
    /// As many as the range has, or one for all.
    let bytes: [UInt8]
  }

  /// In the order of their ranges, which do not overlap.
  private(set) var patches: [Patch] = []
  /// Tells this copy of the file from others, such as those of a later version of the program, which removes more.
  package private(set) var digest: UInt64 = 0

  /// Finds the places of a file.
  ///
  /// - Parameters:
  ///   - length: The length of the file in bytes.
  ///   - reading: Returns the bytes of a range of the file; nil when some are missing.
  /// - Throws: when the file cannot be sent.
  package init(
    length: Int,
    reading: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?
  ) throws(Refusal) {
    var search = PlaceSearch(length: length, reading: reading)
    let head = try search.bytes(0..<min(length, Self.headBytes))
    switch ImageHeader(head)?.format {
    case .jpeg: try search.searchJPEG()
    case .png: try search.searchPNG()
    case .webP: try search.searchWebP()
    case .avif, .heic: try search.searchISOMedia()
    default: throw .kind(ContentKind(head).noun)
    }
    patches = try search.orderedPatches()
    digest = Self.digest(of: patches)
  }

  /// FNV-1a of all ranges and what replaces them.
  private static func digest(of patches: [Patch]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }
    for patch in patches {
      add(UInt64(patch.range.lowerBound))
      add(UInt64(patch.range.upperBound))
      for byte in patch.bytes { add(UInt64(byte)) }
    }
    return digest
  }

  /// Whether the file tells no place, and stays as it is.
  package var isEmpty: Bool { patches.isEmpty }

  /// About the bytes that this takes in memory.
  package var size: Int { patches.reduce(64) { $0 + 64 + $1.bytes.count } }

  /// The first bytes that tell the kind of the file.
  private static let headBytes = 4_096

  /// Replaces what is to be replaced in bytes that were read at an offset.
  package func apply(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    let all = offset..<offset + bytes.count
    var (low, high) = (0, patches.count)
    while low < high {
      let middle = (low + high) / 2
      if patches[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    for patch in patches[low...] {
      guard patch.range.lowerBound < all.upperBound else { return }
      for index in patch.range.clamped(to: all) {
        let place = patch.bytes.count == 1 ? 0 : index - patch.range.lowerBound
        bytes[index - offset] = patch.bytes[place]
      }
    }
  }
}

/// The search through a file, of which bounded parts are read: a hostile file may have any lengths and offsets.
struct PlaceSearch {
  /// The length of the file in bytes.
  let length: Int
  let reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  private var patches: [PlaceRemoval.Patch] = []
  /// How many bytes of metadata may still be read.
  private var bytesLeft = 64 << 20
  /// How many segments of JPEG may still be read.
  var segmentsLeft = 20_000

  /// The most bytes of a part that is read at once, such as an XMP packet.
  static let partBytes = 16 << 20
  /// The most patches of a file.
  private static let patchLimit = 20_000
  /// The longest range that is compared with what would replace it.
  private static let comparedBytes = 64 << 10

  init(length: Int, reading: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
    (self.length, self.reading) = (length, reading)
  }

  /// The bytes of a range.
  mutating func bytes(_ range: Range<Int>) throws(PlaceRemoval.Refusal) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= length, range.count <= Self.partBytes,
      range.count <= bytesLeft, let bytes = reading(range.lowerBound, range.count)
    else { throw .notUnderstood }
    bytesLeft -= range.count
    return bytes
  }

  /// Replaces all bytes of a range by one.
  mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0) throws(PlaceRemoval.Refusal) {
    guard range.lowerBound >= 0, range.upperBound <= length else { throw .notUnderstood }
    if range.isEmpty { return }
    if range.count <= Self.comparedBytes, try bytes(range).allSatisfy({ $0 == byte }) { return }
    try add(range, [byte])
  }

  /// Replaces bytes by as many others, from the first that differs to the last.
  mutating func replace(
    _ old: [UInt8],
    with new: [UInt8],
    at offset: Int
  ) throws(PlaceRemoval.Refusal) {
    guard old.count == new.count else { throw .notUnderstood }
    guard let first = old.indices.first(where: { old[$0] != new[$0] }),
      let last = old.indices.last(where: { old[$0] != new[$0] })
    else { return }
    try add(offset + first..<offset + last + 1, Array(new[first...last]))
  }

  private mutating func add(
    _ range: Range<Int>,
    _ bytes: [UInt8]
  ) throws(PlaceRemoval.Refusal) {
    guard patches.count < Self.patchLimit else { throw .notUnderstood }
    patches.append(PlaceRemoval.Patch(range: range, bytes: bytes))
  }

  /// Tries a search; false, without its patches, when it does not understand the bytes.
  mutating func attempt(
    _ search: (inout PlaceSearch) throws(PlaceRemoval.Refusal) -> Void
  ) -> Bool {
    let known = patches.count
    do {
      try search(&self)
      return true
    } catch {
      patches.removeSubrange(known...)
      return false
    }
  }

  /// All patches; parts of a file that overlap are not understood.
  func orderedPatches() throws(PlaceRemoval.Refusal) -> [PlaceRemoval.Patch] {
    let ordered = patches.sorted { $0.range.lowerBound < $1.range.lowerBound }
    for (patch, next) in zip(ordered, ordered.dropFirst())
    where patch.range.upperBound > next.range.lowerBound {
      throw .notUnderstood
    }
    return ordered
  }

  /// Replaces EXIF, with or without the mark `Exif` before it, by what of it tells no place.
  mutating func searchEXIF(
    _ bytes: [UInt8],
    at offset: Int
  ) throws(PlaceRemoval.Refusal) {
    guard let new = EXIFWithoutPlace.bytes(of: bytes) else { throw .notUnderstood }
    try replace(bytes, with: new, at: offset)
  }

  /// Blanks a text that tells a place, as a whole: blanks are a valid packet of XMP.
  mutating func searchText(_ range: Range<Int>) throws(PlaceRemoval.Refusal) {
    if PlaceWords.areIn(try bytes(range)) { try fill(range, with: UInt8(ascii: " ")) }
  }
}

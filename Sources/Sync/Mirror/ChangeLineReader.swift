import FoundationEssentials
import Models
import Workers

/// Reads pages of another gallery's changes, and leaves of its tree, as they arrive (`Documentation/Changes.md`).
///
/// It skips types, operations and members that it does not know, because a newer gallery may have more. It also skips a
/// state that makes no sense, so that one bad image never stops a mirror.
struct ChangeLineReader {
  /// The lines of a leaf, or of a page of changes without its last line.
  struct Page: Equatable {
    var lines: [ChangeLine] = []
    /// The position of each line of a known type, even if the line is left out.
    var positions: [ChangePosition] = []
    /// The number of lines, whatever their type, and the bytes of the document.
    var lineCount = 0
    var bytes = 0
  }

  /// The last line of a page of changes.
  struct End: Decodable {
    var cursor: String
    var more: Bool
    /// The UUID of the gallery's library.
    var library: String
    /// The title of the gallery; nil when it tells none.
    var title: String?
    /// The key that has signed the page; nil for a page without a signature.
    var key: LibraryKey?

    private enum CodingKeys: CodingKey { case cursor, more, library, title }
  }

  private let decoder = JSONDecoder()
  private var read = Page()
  /// The last complete line, which may be the end of the page.
  private var last: [UInt8] = []
  /// The beginning of the next line.
  private var next: [UInt8] = []
  /// The hash of all lines before the last one; nil where signatures cannot be checked.
  private let hash: (any DocumentHash)?

  /// - Parameters:
  ///   - gallery: The gallery; without it, feeds and images whose addresses it does not tell are left out.
  ///   - hash: Takes all lines before the last one.
  init(of gallery: GalleryAddress? = nil, hash: (any DocumentHash)? = nil) {
    self.hash = hash
    decoder.dateDecodingStrategy = .iso8601
    if let gallery { decoder.take(gallery) }
  }

  /// Reads the next bytes.
  mutating func push(_ chunk: [UInt8]) throws(GalleryFault) {
    read.bytes += chunk.count
    let parts = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { try endLine() }
      guard next.count + part.count <= SyncLimits.galleryLineBytes else { throw .malformedPage }
      next += part
    }
  }

  /// Ends the document, and returns its signature with the hash of all bytes before it; nil without a signature.
  mutating func end() throws(GalleryFault) -> (signature: DocumentSignature, hash: String)? {
    try endLine()
    guard let hash, let (content, signature) = DocumentSignature.split(last) else { return nil }
    hash.update(content)
    return (signature, hash.digits)
  }

  /// The page of changes that was read, which ends with its cursor.
  consuming func page(signedBy key: LibraryKey? = nil) throws(GalleryFault) -> (Page, End) {
    try endLine()
    guard var end = try? decoder.decode(End.self, from: Data(last)),
      GalleryAddress.isCursor(end.cursor), end.library.utf8.count <= SyncLimits.libraryBytes
    else { throw .malformedPage }
    end.key = key
    return (read, end)
  }

  /// The leaf of the tree that was read.
  consuming func leaf() throws(GalleryFault) -> Page {
    try endLine()
    try takeLast()
    return read
  }

  private mutating func endLine() throws(GalleryFault) {
    if next.isEmpty { return }
    try takeLast()
    swap(&last, &next)
    next.removeAll(keepingCapacity: true)
  }

  private mutating func takeLast() throws(GalleryFault) {
    if last.isEmpty { return }
    hash?.update(last[...])
    hash?.update([UInt8(ascii: "\n")])
    guard let line = try? decoder.decode(Line.self, from: Data(last)) else { throw .malformedPage }
    read.lineCount += 1
    guard read.lineCount <= SyncLimits.linesPerGalleryPage else {
      throw .longPage(limit: SyncLimits.linesPerGalleryPage)
    }
    if let position = line.position { read.positions.append(position) }
    if let change = line.change { read.lines.append(change) }
  }
}

/// A line of changes.
struct Line: Decodable {
  /// Nil for a line of an unknown type, or with an invalid number.
  var position: ChangePosition?
  /// Nil for a line that is left out.
  var change: ChangeLine?

  private enum Key: String, CodingKey {
    case seq, op, type, id, data
  }

  init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: Key.self)
    let number = try line.decode(Int64.self, forKey: .seq)
    let id = try line.decode(Int64.self, forKey: .id)
    let (type, op) = try (
      line.decode(String.self, forKey: .type), line.decode(String.self, forKey: .op)
    )
    let kinds: [String: ChangedKind] = ["feed": .feed, "image": .image, "pin": .pin]
    guard let kind = kinds[type], id > 0, number >= 0 else { return }
    let position = ChangePosition(number: number, kind: kind, id: id)
    self.position = position
    let gallery = CodingUserInfoKey.gallery.flatMap { decoder.userInfo[$0] as? GalleryAddress }
    change = Self.state(op, position, line, of: gallery).map {
      ChangeLine(position: position, state: $0)
    }
  }

  private static func state(
    _ op: String,
    _ position: ChangePosition,
    _ line: KeyedDecodingContainer<Key>,
    of gallery: GalleryAddress?
  ) -> ChangeLine.State? {
    switch (op, position.kind) {
    case ("delete", _): .removed
    case ("put", .feed):
      (try? line.decode(FeedData.self, forKey: .data))?.feed(id: position.id, of: gallery)
        .map { .feed($0) }
    case ("put", .image):
      (try? line.decode(ImageData.self, forKey: .data))?.state(at: position, of: gallery)
        .map { .image($0) }
    case ("put", .pin):
      (try? line.decode(PinData.self, forKey: .data)).map { .pin($0.pinned) }
    default: nil
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let gallery = CodingUserInfoKey(rawValue: "gallery")
}

extension JSONDecoder {
  /// Decodes lines of this gallery, whose addresses stand in for those that the lines do not tell.
  func take(_ gallery: GalleryAddress) {
    if let key = CodingUserInfoKey.gallery { userInfo[key] = gallery }
  }
}

private struct PinData: Decodable { var pinned: Date }

private struct FeedData: Decodable {
  /// Nil for a file or a folder of the gallery's machine.
  var url: String?
  var title: String?
  var format: String?
  var images: Int?
  var whole: Bool?
  var paused: Bool?

  func feed(id: Int64, of gallery: GalleryAddress?) -> Feed? {
    let address = url.map { WebAddress($0) } ?? gallery?.feed(id, of: "")
    guard let address, address.isWeb || address.isFile || address.isPiped,
      max(address.text.utf8.count, title?.utf8.count ?? 0) <= SyncLimits.galleryTextBytes
    else { return nil }
    return Feed(
      id: id,
      address: address,
      title: title.map(ImageFields.storable),
      format: format.flatMap(FeedFormat.init(rawValue:)),
      imageCount: max(0, images ?? 0).bounded,
      isWhole: whole ?? false,
      isPaused: paused ?? false
    )
  }
}

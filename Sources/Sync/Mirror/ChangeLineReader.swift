import FoundationEssentials
import Models
import Workers

/// Reads pages of another gallery's changes, and leaves of its tree (`Documentation/Changes.md`).
///
/// It skips types, operations and members that it does not know, because a newer gallery may have more. It also skips a
/// state that makes no sense, so that one bad image never stops a mirror.
struct ChangeLineReader {
  /// The lines of a leaf, or of a page of changes without its last line.
  struct Page: Equatable {
    var lines: [ChangeLine] = []
    /// The position of each line of a known type, even if the line is left out.
    var positions: [ChangePosition] = []
  }

  /// The last line of a page of changes.
  struct End: Decodable {
    var cursor: String
    var more: Bool
    /// The UUID of the gallery's library.
    var library: String
  }

  private let decoder = JSONDecoder()

  init() { decoder.dateDecodingStrategy = .iso8601 }

  /// Reads a page of changes, which ends with its cursor.
  func page(_ bytes: [UInt8]) throws(GalleryFault) -> (Page, End) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let last = lines.popLast(), let end = try? decoder.decode(End.self, from: Data(last))
    else { throw .malformedPage }
    return (try read(lines), end)
  }

  /// Reads a leaf of the tree.
  func leaf(_ bytes: [UInt8]) throws(GalleryFault) -> Page {
    try read(bytes.split(separator: UInt8(ascii: "\n")))
  }

  private func read(_ lines: [ArraySlice<UInt8>]) throws(GalleryFault) -> Page {
    var page = Page()
    page.lines.reserveCapacity(lines.count)
    page.positions.reserveCapacity(lines.count)
    for bytes in lines {
      guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else {
        throw .malformedPage
      }
      if let position = line.position { page.positions.append(position) }
      if let change = line.change { page.lines.append(change) }
    }
    return page
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
    change = Self.state(op, position, line).map { ChangeLine(position: position, state: $0) }
  }

  private static func state(
    _ op: String,
    _ position: ChangePosition,
    _ line: KeyedDecodingContainer<Key>
  ) -> ChangeLine.State? {
    switch (op, position.kind) {
    case ("delete", _): .removed
    case ("put", .feed):
      (try? line.decode(FeedData.self, forKey: .data))?.feed(id: position.id).map { .feed($0) }
    case ("put", .image):
      (try? line.decode(ImageData.self, forKey: .data))?.state(at: position).map { .image($0) }
    case ("put", .pin):
      (try? line.decode(PinData.self, forKey: .data)).map { .pin($0.pinned) }
    default: nil
    }
  }
}

private struct PinData: Decodable { var pinned: Date }

private struct FeedData: Decodable {
  var url: String
  var title: String?
  var format: String?
  var images: Int?
  var whole: Bool?
  var paused: Bool?

  func feed(id: Int64) -> Feed? {
    guard let address = WebAddress(url), address.isWeb || address.isFile || address.isPiped else {
      return nil
    }
    return Feed(
      id: id,
      address: address,
      title: title.map(ImageFields.storable),
      format: format.flatMap(FeedFormat.init(rawValue:)),
      imageCount: max(0, images ?? 0),
      isWhole: whole ?? false,
      isPaused: paused ?? false
    )
  }
}

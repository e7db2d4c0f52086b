internal import Models
internal import Workers

/// A page of the changes of a library, for programs that keep a copy of it.
///
/// Only the last change of each feed, image and pin is told; what it is now, the library itself tells.
public struct LibraryChanges: Sendable, Equatable {
  /// A change of a feed, an image or a pin.
  public struct Change: Sendable, Hashable {
    /// What has changed.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A feed, such as its title or its address, not its images.
      case feed
      /// An image, with its thumbnail and whether its original is stored.
      case image
      /// A pin, with the id of its image.
      case pin
    }

    /// What has changed.
    public var kind: Kind
    /// The id of the feed or of the image.
    public var id: Int64
    /// Whether it is gone, or hidden because its feed is.
    public var isRemoval: Bool
  }

  /// The changes, the earliest first.
  public var changes: [Change]
  /// The end of this page, as an opaque text, from which the next request goes on; it may be kept for months.
  public var cursor: String
  /// Whether more changes follow at once.
  public var hasMore: Bool

  init(_ page: ChangePage, _ cursor: ChangeCursor) {
    changes = page.lines.map { Change($0) }
    self.cursor = cursor.text
    hasMore = page.next != nil
  }
}

extension LibraryChanges.Change {
  init(_ line: ChangeLine) {
    kind =
      switch line.position.kind {
      case .feed: .feed
      case .image: .image
      case .pin: .pin
      }
    id = line.position.id
    isRemoval = line.state == .removed
  }
}

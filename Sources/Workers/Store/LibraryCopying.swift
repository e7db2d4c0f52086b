/// A library that can be copied to a store of another kind, and be such a copy.
///
/// Both have the same rows of `CopiedTable.all`, with the same ids and numbers of changes. Each store builds its own
/// indexes, checksums and packs. The methods block: call them on a thread that may wait.
package protocol LibraryCopying: Sendable {
  /// Gives one state of the library for as long as `body` takes; others may read and write meanwhile.
  func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError)

  /// Makes this library the copy of another one, or takes up a copy that was not ended.
  ///
  /// Until it is ended, nothing else can open the library.
  ///
  /// - Throws: `.occupied` for a library that is no copy of the other one, and `.changedSince` for a copy that has
  ///   changed by itself.
  func beginCopy(of header: LibraryHeader) throws(StoreError)

  /// The copy as it is by now.
  func withCopy(_ body: (any LibraryState) throws(StoreError) -> Void) throws(StoreError)

  /// Changes rows of the copy, in one transaction.
  func changeCopy(_ change: CopyChange) throws(StoreError)

  /// Makes the copy a library: it goes on with the ids and numbers of the other one, as another epoch of it.
  ///
  /// - Throws: when rows refer to others that are not there; then it stays a copy.
  func endCopy(of header: LibraryHeader) throws(StoreError)
}

/// One state of a library, for copying.
package protocol LibraryState {
  func header() throws(StoreError) -> LibraryHeader

  /// Rows of a table behind a key and up to another one, in the order of their keys.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - after: The key of the last row before; nil for the beginning.
  ///   - last: The key of the last row that may come; nil for all.
  ///   - limit: How many at most.
  /// - Returns: The rows.
  /// - Throws: when they cannot be read.
  func rows(
    of table: CopiedTable,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) throws(StoreError) -> [CopiedRow]

  /// The bytes of stored thumbnails by their images; those that are damaged are left out.
  func thumbnails(of imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]]
}

/// What a library is known by, and how far its numbers have come.
package struct LibraryHeader: Sendable, Equatable {
  /// Its UUID.
  package var library: String
  package var epoch: Int64
  /// The number of its last change.
  package var number: Int64
  /// The highest number of a tombstone that was deleted for its age.
  package var prunedNumber: Int64
  /// The highest ids that were ever given, by `CopiedTable.numbered`.
  package var lastIDs: [String: Int64]

  package init(
    library: String,
    epoch: Int64,
    number: Int64,
    prunedNumber: Int64,
    lastIDs: [String: Int64]
  ) {
    self.library = library
    self.epoch = epoch
    self.number = number
    self.prunedNumber = prunedNumber
    self.lastIDs = lastIDs
  }
}

/// What is at the place of a copy before the copy is begun.
package struct CopyPlace {
  private let name: String
  private let library: String
  private let feeds: Int
  private let isUnfinished: Bool
  private let hasChanged: Bool

  /// - Parameters:
  ///   - name: What the place is called in messages.
  ///   - library: The UUID of the library there.
  ///   - feeds: How many feeds that has.
  ///   - isUnfinished: Whether it is a copy that was not ended.
  ///   - number: The number of its last change.
  ///   - copied: The number that it had at the end of the last copy, as its settings have it; nil before.
  package init(
    _ name: String,
    library: String,
    feeds: Int,
    isUnfinished: Bool,
    number: Int64,
    copied: String?
  ) {
    self.name = name
    self.library = library
    self.feeds = feeds
    self.isUnfinished = isUnfinished
    hasChanged = copied != "\(number)"
  }

  /// - Throws: `.occupied` and `.changedSince`, as `LibraryCopying.beginCopy` says.
  package func check(for header: LibraryHeader) throws(StoreError) {
    if feeds == 0 { return }
    guard library == header.library else {
      let message = feeds == 1 ? "1 feed" : "\(feeds) feeds"
      throw StoreError(reason: .occupied, path: name, message: message)
    }
    if !isUnfinished, hasChanged {
      throw StoreError(reason: .changedSince, path: name, message: "")
    }
  }
}

/// What is to be changed in a table of a copy.
package struct CopyChange: Sendable {
  package var table: CopiedTable
  /// The keys of rows that go.
  package var removed: [[CopiedValue]]
  /// Rows that come after that.
  package var added: [CopiedRow]
  /// The bytes of the thumbnails that are added, in their order; none for other tables.
  package var thumbnails: [[UInt8]]

  package init(
    _ table: CopiedTable,
    removed: [[CopiedValue]] = [],
    added: [CopiedRow] = [],
    thumbnails: [[UInt8]] = []
  ) {
    self.table = table
    self.removed = removed
    self.added = added
    self.thumbnails = thumbnails
  }
}

package typealias CopiedRow = [CopiedValue]

package enum CopiedValue: Sendable, Hashable {
  case null
  /// Also for what is true or false: 1 or 0.
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// A table as all stores have it: its columns, of which the first ones tell its rows apart and order them.
package struct CopiedTable: Sendable, Equatable {
  package let name: String
  package let columns: [String]
  private let keyLength: Int

  private init(_ name: String, _ key: String, _ rest: String = "") {
    let keys = key.split(separator: " ").map(String.init)
    self.name = name
    keyLength = keys.count
    columns = keys + rest.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The columns of the key.
  package var key: [String] { Array(columns.prefix(keyLength)) }

  package func key(of row: CopiedRow) -> [CopiedValue] { Array(row.prefix(keyLength)) }

  /// A row's value of a column; NULL when the table has no such column.
  package func value(_ column: String, of row: CopiedRow) -> CopiedValue {
    columns.firstIndex(of: column).map { row[$0] } ?? .null
  }

  /// The SQL for `LibraryState.rows`, and the values of its parameters.
  ///
  /// - Parameters:
  ///   - source: Where the columns come from.
  ///   - after: The key of the last row before; nil for the beginning.
  ///   - last: The key of the last row that may come; nil for all.
  ///   - limit: How many rows at most.
  ///   - sign: What stands before the number of a parameter.
  /// - Returns: The statement and the values.
  package func selection(
    from source: String,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int,
    sign: Character
  ) -> (sql: String, values: [CopiedValue]) {
    let key = key.joined(separator: ", ")
    var (conditions, values): ([String], [CopiedValue]) = ([], [])
    for (bound, operation) in [(after, ">"), (last, "<=")] {
      guard let bound else { continue }
      let parameters = bound.indices.map { "\(sign)\(values.count + $0 + 1)" }
      conditions.append("(\(key)) \(operation) (\(parameters.joined(separator: ", ")))")
      values += bound
    }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM \(source)
      \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
      ORDER BY \(key) LIMIT \(limit)
      """
    return (sql, values)
  }

  /// Rows of a step: so many are in memory together, with their thumbnails' bytes.
  package var rowsPerStep: Int { self == Self.thumbnail ? 200 : 1_000 }

  /// The tables whose ids go on where they were.
  package static let numbered = ["feed", "image", "original"]

  /// Tables that others refer to come before those.
  ///
  /// - Parameter withObjects: Whether the copy has the same object store, and so what is known of it.
  /// - Returns: The tables in the order in which they are copied.
  package static func all(withObjects: Bool) -> [CopiedTable] {
    let original = Self("original", "id", "sha256 format bytes width height stored_at")
    return [
      feed, alias, listedFeed, member, image, memberImage, thumbnail,
      withObjects ? Self.original : original, imageOriginal, pin, tombstone, host, damage, failure,
      subscription, mirror, mirrorFeed, mirrorImage, mirrorThumbnail, folder,
    ] + (withObjects ? [setting] : [])
  }

  package static let feed = Self(
    "feed",
    "id",
    """
    address identity title given_title format etag last_modified added_at synced_at status problem image_count
    document_image_count is_whole is_removed moved_to is_paused next_sync_at excess_count reach private_host
    list_depth change_seq hub topic given_interval due_at failures changes least_interval skipped_hours
    skipped_days kept_images kept_originals
    """
  )
  private static let alias = Self("feed_alias", "identity", "address feed_id")
  private static let listedFeed = Self(
    "listed_feed",
    "list_id identity",
    "address position is_declined leads_to"
  )
  package static let member = Self(
    "member",
    "id",
    "feed_id position address etag last_modified label page_address attribution rights details"
  )
  private static let memberImage = Self("member_image", "member_id image_id")
  package static let image = Self(
    "image",
    "id",
    """
    feed_id position date published_at first_seen_at entry_hash original_hash thumbnail_hash thumbnail_check_at
    original_check_at declared_bytes change_seq width height thumbnail_bytes thumbnail_width thumbnail_height
    is_hidden thumbnail_state original_state shape is_gone is_entry_ambiguous thumbnail_format thumbnail_sha256
    colours entry_id original_address thumbnail_address page_address title title_key author licence caption
    """
  )
  /// `bytes` are how many.
  package static let thumbnail = Self(
    "thumbnail",
    "image_id",
    "address etag last_modified fetched_at source_sha256 bytes"
  )
  /// `put_at` is when the object store got it; NULL when it has not.
  package static let original = Self(
    "original",
    "id",
    "sha256 format bytes width height stored_at put_at"
  )
  package static let imageOriginal = Self(
    "image_original",
    "image_id",
    "original_id address etag last_modified stored_at"
  )
  private static let pin = Self("pin", "image_id", "pinned_at change_seq")
  private static let tombstone = Self("tombstone", "type id", "change_seq removed_at")
  private static let host = Self("host", "name", "paused_until")
  private static let damage = Self("damage", "image_id kind")
  private static let failure = Self(
    "picture_failure",
    "image_id kind",
    "address class reason tries failed_at retry_at"
  )
  private static let subscription = Self(
    "subscription",
    "path",
    "feed_id hub topic callback secret reach private_host is_ending lease_until next_at tries"
  )
  private static let mirror = Self("mirror", "feed_id", "library cursor is_static")
  private static let mirrorFeed = Self(
    "mirror_feed",
    "mirror_id origin_id",
    "origin_seq feed_id is_gone"
  )
  private static let mirrorImage = Self(
    "mirror_image",
    "image_id",
    "mirror_id origin_id origin_seq is_pinned original_sha256"
  )
  private static let mirrorThumbnail = Self(
    "mirror_thumbnail",
    "image_id",
    "mirror_id sha256 bytes pack_sha256 pack_offset"
  )
  /// Those of this machine.
  package static let folder = Self(
    "followed_folder",
    "path",
    "feed_id list_id manifest_id search template sidecars is_missing"
  )
  /// But for what is of one folder alone.
  package static let setting = Self("setting", "name", "value")
}

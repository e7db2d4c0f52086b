package typealias CopiedRow = [CopiedValue]

package enum CopiedValue: Sendable, Hashable {
  case null
  /// An integer, or a Boolean as 1 or 0.
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// A table that every store has; its first columns are its key, by which rows are ordered.
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

  /// The value of a column in a row; NULL when the table does not have that column.
  package func value(_ column: String, of row: CopiedRow) -> CopiedValue {
    columns.firstIndex(of: column).map { row[$0] } ?? .null
  }

  /// The rows of one step, which are held in memory together with their thumbnails' bytes.
  package var rowsPerStep: Int {
    self == Self.thumbnail || self == Self.successor ? 200 : 1_000
  }

  /// Whether other columns than the key are unique, too: a row may then have the values that a row of a later step had.
  package var hasOtherKeys: Bool { [Self.feed, .member, .mirrorFeed].contains(self) }

  /// The tables whose numbering continues in the copy.
  package static let numbered = ["feed", "image", "original"]

  /// All tables, ordered so that a table precedes the tables that refer to it.
  ///
  /// - Parameter withObjects: Whether the copy uses the same object store, so that its records are copied.
  /// - Returns: The tables in the order in which they are copied.
  package static func all(withObjects: Bool) -> [CopiedTable] {
    let original = Self("original", "id", "sha256 format bytes width height stored_at")
    return [
      feed, alias, listedFeed, feedPictures, member, image, memberImage, rendition, thumbnail,
      withObjects ? Self.original : original, imageOriginal, pin, tombstone, host, damage, failure,
      subscription, mirror, mirrorKey, mirrorFeed, mirrorImage, mirrorThumbnail, folder,
      folderOriginal, details,
    ] + ofSuccessors + (withObjects ? [setting] : [])
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
  package static let feedPictures = Self("feed_pictures", "feed_id", "takes_front repeated referer")
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
  /// `bytes` is the length of the thumbnail.
  package static let thumbnail = Self(
    "thumbnail",
    "image_id",
    "address etag last_modified fetched_at source_sha256 bytes"
  )
  /// `put_at` is the date of the upload to the object store; NULL if it was not uploaded.
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
  package static let rendition = Self("rendition", "image_id", "addresses")
  private static let successor = Self(
    "successor",
    "image_id kind",
    """
    address etag last_modified arrived_at doubts sha256 format bytes width height source_sha256 original_id
    picture
    """
  )
  private static let replacedOriginal = Self(
    "replaced_original",
    "image_id original_id",
    "stored_at replaced_at"
  )
  private static let redirect = Self("picture_redirect", "image_id kind")
  /// The tables about pictures that came in the place of stored ones.
  package static let ofSuccessors = [successor, replacedOriginal, redirect]
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
  package static let mirrorKey = Self("mirror_key", "feed_id", "public_key")
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
  /// The folders of this machine.
  package static let folder = Self(
    "followed_folder",
    "path",
    "feed_id list_id manifest_id search template sidecars is_missing"
  )
  package static let folderOriginal = Self(
    "folder_original",
    "image_id",
    "version sha256 format bytes width height"
  )
  package static let details = Self(
    "picture_details",
    "sha256",
    """
    camera lens exposure aperture sensitivity focal_length taken_clock taken_offset latitude longitude
    """
  )
  /// All settings except those that belong to one folder.
  package static let setting = Self("setting", "name", "value")
}

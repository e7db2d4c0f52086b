package import Models

/// The full state of an image that a copy of the library keeps, in the form in which it is stored.
package struct ImageState: Sendable, Equatable {
  /// The stored thumbnail.
  package struct Thumbnail: Sendable, Equatable {
    package var info: PictureInfo
    /// Whether it was made from the original.
    package var isMade: Bool
    /// Whether the feed names another thumbnail now.
    package var isStale: Bool
    /// The place of its bytes in a sealed pack; nil when they are not in one.
    package var pack: PackReference?
    /// The bytes of its `ColourGrid`; nil when they are not known yet.
    package var colours: [UInt8]?

    package init(
      info: PictureInfo,
      isMade: Bool,
      isStale: Bool,
      pack: PackReference? = nil,
      colours: [UInt8]? = nil
    ) {
      self.info = info
      self.isMade = isMade
      self.isStale = isStale
      self.pack = pack
      self.colours = colours
    }
  }

  /// The place of a thumbnail in a sealed pack.
  package struct PackReference: Sendable, Equatable {
    /// The hash of the whole pack.
    package var hash: SHA256Digest
    /// The offset of the first byte.
    package var offset: Int

    package init(hash: SHA256Digest, offset: Int) {
      self.hash = hash
      self.offset = offset
    }
  }

  /// The stored original.
  package struct Original: Sendable, Equatable {
    package var info: PictureInfo
    /// Whether the feed names another original now.
    package var isStale: Bool

    package init(info: PictureInfo, isStale: Bool) {
      self.info = info
      self.isStale = isStale
    }
  }

  package var id: Int64
  /// The change number of the image.
  package var number: Int64
  package var feedID: Int64
  /// Its position in the feed's document.
  package var position: Int64
  /// The date by which `newest` sorts, in seconds since 1970.
  package var date: Int64
  /// The date on which a sync first saw it, in seconds since 1970.
  package var firstSeen: Int64
  package var fields: ImageFields
  /// The id of its entry; nil when the entry does not have one.
  package var entryID: String?
  /// Whether its document has used its entry's id twice.
  package var isEntryAmbiguous: Bool
  /// Whether it is missing in a feed which lists all of its images.
  package var isGone: Bool
  /// Nil when it is not stored, or is damaged.
  package var thumbnail: Thumbnail?
  /// Nil when it is not stored, or is damaged.
  package var original: Original?
  /// The manifest that contains it.
  package var manifest: Manifest?

  package init(
    id: Int64,
    number: Int64,
    feedID: Int64,
    position: Int64,
    date: Int64,
    firstSeen: Int64,
    fields: ImageFields,
    entryID: String?,
    isEntryAmbiguous: Bool,
    isGone: Bool,
    thumbnail: Thumbnail? = nil,
    original: Original? = nil
  ) {
    self.id = id
    self.number = number
    self.feedID = feedID
    self.position = position
    self.date = date
    self.firstSeen = firstSeen
    self.fields = fields
    self.entryID = entryID
    self.isEntryAmbiguous = isEntryAmbiguous
    self.isGone = isGone
    self.thumbnail = thumbnail
    self.original = original
  }

  /// The approximate size of its texts in bytes.
  package var textBytes: Int { fields.textBytes + (entryID?.utf8.count ?? 0) }
}

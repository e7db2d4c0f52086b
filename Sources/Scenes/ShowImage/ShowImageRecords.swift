/// A stored thumbnail, for scripts.
package struct ThumbnailRecord: Equatable, Sendable {
  package var id: Int64
  package var title: String?
  package var type: String
  package var bytes: Int
  package var width: Int?
  package var height: Int?
}

/// How much of an original has arrived, for scripts.
package struct ProgressRecord: Equatable, Sendable {
  package var received: Int
  package var total: Int?
}

/// A stored original, for scripts.
package struct OriginalRecord: Equatable, Sendable {
  package var file: String
  package var bytes: Int
  package var sha256: String
  package var type: String
  package var width: Int?
  package var height: Int?
  package var downloaded: Bool
  package var resumedFrom: Int
  package var damaged = false
}

/// Why there is no original, for scripts.
package struct UnavailableRecord: Equatable, Sendable {
  package var reason: String
  /// The words of the library that reported it.
  package var detail: String?
}

/// All that is known of an image, for scripts.
package struct DescriptionRecord: Equatable, Sendable {
  package var id: Int64
  package var feed: ImageRecord.Feed
  package var title: String?
  package var caption: String?
  package var author: String?
  package var licence: String?
  package var published: String?
  package var pageURL: String?
  package var thumbnailURL: String?
  package var originalURL: String
  package var width: Int?
  package var height: Int?
  package var thumbnailStored: Bool
  package var originalStored: Bool
  package var thumbnailDamaged = false
  package var originalDamaged = false
  package var gone: Bool
  package var failures: [FailureRecord] = []
  package var feedURL: String
  package var firstSeen: String
  package var thumbnail: Picture?
  package var original: Original?

  /// A thumbnail that is stored.
  package struct Picture: Equatable, Sendable {
    package var bytes: Int
    package var type: String
    package var width: Int?
    package var height: Int?
  }

  /// An original that is on this disk.
  package struct Original: Equatable, Sendable {
    package var file: String
    package var sha256: String
    package var picture: Picture
    /// Whether its feed has named another one since.
    package var stale: Bool
  }
  /// Null for an image that is from no manifest of IIIF.
  package var manifest: ManifestRecord?
}

/// What a manifest says of the object that it shows, for scripts.
package struct ManifestRecord: Equatable, Sendable {
  package struct Detail: Equatable, Sendable {
    package var label: String
    package var value: String
  }

  package var title: String?
  package var pageURL: String?
  package var attribution: String?
  package var rights: String?
  package var metadata: [Detail]
}

/// One line of what is known of an image, for people.
package struct DescriptionField: Equatable, Sendable {
  package var name: String
  package var value: String
}

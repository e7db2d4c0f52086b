package import Models

/// The documents and feeds that a feed names.
package struct FeedContents: Sendable, Equatable {
  /// The members of a IIIF collection, in its order; empty for every other feed.
  package var members: [FeedMember]
  /// The feeds of a list; empty for every other feed.
  package var listed: ListedFeeds

  package init(members: [FeedMember], listed: ListedFeeds) {
    self.members = members
    self.listed = listed
  }
}

/// The feeds of a list, and the differences from its state after the last read.
package struct ListedFeeds: Sendable, Equatable {
  /// The feeds to follow, in order: all except those that the user has removed.
  package var followed: [WebAddress]
  /// The number of feeds in the list.
  package var total: Int
  /// The number of feeds that were added to the list.
  package var new: Int
  /// Followed feeds that are no longer in the list; they are still followed.
  package var lost: [WebAddress]

  package init(followed: [WebAddress], total: Int, new: Int = 0, lost: [WebAddress] = []) {
    self.followed = followed
    self.total = total
    self.new = new
    self.lost = lost
  }
}

/// A document of a collection, with the validators for its next request.
package struct FeedMember: Sendable, Equatable {
  package var address: WebAddress
  /// Empty when the document must be read again, even if it has not changed.
  package var validators: Validators
  /// The description of its object; nil if it does not have one, or is only requested again.
  package var manifest: Manifest?

  package init(address: WebAddress, validators: Validators, manifest: Manifest? = nil) {
    self.address = address
    self.validators = validators
    self.manifest = manifest
  }
}

extension FeedMember {
  /// The position of the manifest of a feed that is itself a manifest.
  package static let ownPosition = -1
}

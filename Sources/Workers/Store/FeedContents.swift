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

/// The feeds of a list, and how they differ from what it had when it was last read.
package struct ListedFeeds: Sendable, Equatable {
  /// Those that are to be followed, in order: all but those that the user has removed since.
  package var followed: [WebAddress]
  /// How many it has.
  package var total: Int
  /// How many it did not have before.
  package var new: Int
  /// Those that are followed, and that it has no longer: they stay.
  package var lost: [WebAddress]

  package init(followed: [WebAddress], total: Int, new: Int = 0, lost: [WebAddress] = []) {
    self.followed = followed
    self.total = total
    self.new = new
    self.lost = lost
  }
}

/// A document of a collection, with what to ask its server with.
package struct FeedMember: Sendable, Equatable {
  package var address: WebAddress
  /// Empty when the document must be read again whatever the server says.
  package var validators: Validators
  /// What it says of the object that it shows; nil if it shows none, or is only asked for again.
  package var manifest: Manifest?

  package init(address: WebAddress, validators: Validators, manifest: Manifest? = nil) {
    self.address = address
    self.validators = validators
    self.manifest = manifest
  }
}

extension FeedMember {
  /// The position of the manifest that a feed is itself.
  package static let ownPosition = -1
}

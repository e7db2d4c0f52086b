package import Models

/// A document of a collection, with what to ask its server with.
package struct FeedMember: Sendable, Equatable {
  package var address: WebAddress
  /// Empty when the document must be read again whatever the server says.
  package var validators: Validators
  /// What it says of the object that it shows; nil when it is none, and of one that is only asked for again.
  package var manifest: Manifest?

  package init(address: WebAddress, validators: Validators, manifest: Manifest? = nil) {
    self.address = address
    self.validators = validators
    self.manifest = manifest
  }
}

/// A manifest of a feed in a list.
package struct FeedManifest: Sendable, Equatable {
  /// The store's number for it.
  package var id: Int64
  package var feedID: Int64
  package var address: WebAddress
  package var label: String?
  package var imageCount: Int

  package init(id: Int64, feedID: Int64, address: WebAddress, label: String?, imageCount: Int) {
    self.id = id
    self.feedID = feedID
    self.address = address
    self.label = label
    self.imageCount = imageCount
  }
}

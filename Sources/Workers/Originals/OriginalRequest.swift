package import FoundationEssentials
package import Models

/// Which original is to be fetched, and how.
package struct OriginalRequest: Sendable, Equatable {
  package var imageID: Int64
  package var address: WebAddress
  /// To which addresses its transfers may connect.
  package var reach: NetworkReach
  /// The folder below which the file of a `file:` address must lie; nil refuses such addresses.
  package var fileFolder: String?
  /// What the bytes that are fetched are taken from; nil for as many as there are.
  package var budget: TransferBudget?
  /// Whether it leaves free what a sync leaves to others of the disk.
  package var keepsRoom: Bool
  /// As in `NetworkRequest`.
  package var feedKey: Int
  /// Whether the server is asked whether it has changed, even when a right one is stored.
  package var isCheck: Bool
  /// Since when the picture is likely to be what it is; nil when that is not known.
  package var since: Date?

  package init(
    imageID: Int64,
    address: WebAddress,
    reach: NetworkReach,
    fileFolder: String? = nil,
    budget: TransferBudget? = nil,
    keepsRoom: Bool = false,
    feedKey: Int = 0,
    isCheck: Bool = false,
    since: Date? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.reach = reach
    self.fileFolder = fileFolder
    self.budget = budget
    self.keepsRoom = keepsRoom
    self.feedKey = feedKey
    self.isCheck = isCheck
    self.since = since
  }

  /// The original of an image, with what its feed may refer to.
  package init(_ image: WebImage, isCheck: Bool = false) {
    self.init(
      imageID: image.id,
      address: image.originalAddress,
      reach: NetworkReach(image.feed.reach),
      fileFolder: image.feed.address.fileFolder,
      isCheck: isCheck,
      since: image.published ?? image.firstSeen
    )
  }
}

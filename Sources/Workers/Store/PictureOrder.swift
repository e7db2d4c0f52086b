package import FoundationEssentials
package import Models

/// A thumbnail or an original that is to be asked for.
package struct PictureOrder: Sendable, Equatable {
  /// A place in the order of fetching, within one feed: newest first.
  package struct Rank: Sendable, Equatable {
    package var date: Int64
    package var place: Int64

    package init(date: Int64, place: Int64) {
      self.date = date
      self.place = place
    }
  }

  package var imageID: Int64
  package var address: WebAddress
  package var rank: Rank
  /// Since when the picture is likely to be what it is: when the stored one came, else when the image
  /// was published or first seen.
  package var since: Date
  /// What the stored picture of this address is asked about with, empty to have it sent in any case;
  /// nil when none is stored.
  package var held: Validators?

  package init(
    imageID: Int64,
    address: WebAddress,
    rank: Rank,
    since: Date,
    held: Validators? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.rank = rank
    self.since = since
    self.held = held
  }
}

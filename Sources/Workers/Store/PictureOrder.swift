package import Models

/// A thumbnail or an original that is to be fetched.
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

  package init(imageID: Int64, address: WebAddress, rank: Rank) {
    self.imageID = imageID
    self.address = address
    self.rank = rank
  }
}

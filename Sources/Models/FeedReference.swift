/// A feed as its images refer to it.
package struct FeedReference: Sendable, Equatable {
  package var id: Int64
  package var address: WebAddress
  package var title: String?
  /// How far its content may lead; nil while that is not known.
  package var reach: FeedReach?

  package init(id: Int64, address: WebAddress, title: String?, reach: FeedReach? = nil) {
    self.id = id
    self.address = address
    self.title = title
    self.reach = reach
  }
}

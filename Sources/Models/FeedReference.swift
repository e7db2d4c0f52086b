/// A feed as its images refer to it.
package struct FeedReference: Sendable, Equatable {
  package var id: Int64
  package var address: WebAddress
  package var title: String?

  package init(id: Int64, address: WebAddress, title: String?) {
    self.id = id
    self.address = address
    self.title = title
  }
}

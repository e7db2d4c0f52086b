package import Models

/// Where a document came from, and what its server says of it.
package struct FeedSource: Sendable, Equatable {
  /// What relative addresses are resolved against.
  package var address: WebAddress
  /// The `charset` of the response's media type; nil when it has none.
  package var charset: String?

  package init(address: WebAddress, charset: String? = nil) {
    self.address = address
    self.charset = charset
  }
}

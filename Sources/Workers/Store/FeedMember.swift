package import Models

/// A document of a collection, with what to ask its server with.
package struct FeedMember: Sendable, Equatable {
  package var address: WebAddress
  /// Empty when the document must be read again whatever the server says.
  package var validators: Validators

  package init(address: WebAddress, validators: Validators) {
    self.address = address
    self.validators = validators
  }
}

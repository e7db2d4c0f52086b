package import Models

/// Certificate authorities that the user trusts for one feed, beside those of all transfers.
///
/// They count for requests to the scheme, host and port of the feed's address, and for all other requests of the feed,
/// such as those for pictures on other hosts.
package struct FeedAuthorities: Sendable, Equatable {
  /// The reason why the user's file has no certificates.
  package struct Problem: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  /// The address of the feed.
  package let address: WebAddress
  /// Their certificates in PEM (RFC 7468); without them, requests of the feed fail.
  package let certificates: Result<[UInt8], Problem>
  private let identity: String

  package init(for address: WebAddress, _ certificates: Result<[UInt8], Problem>) {
    self.address = address
    self.certificates = certificates
    identity = address.escaped.identity
  }

  /// Whether the address of a feed is this one, in any spelling.
  package func isFor(feedAt address: WebAddress) -> Bool { address.escaped.identity == identity }
}

/// How far a feed's content may lead the network: its pictures, further pages and what it points to.
///
/// Private addresses are those that do not lead through the open Internet: of this machine, of the
/// network around it, and whatever else is reserved (RFC 6890).
package enum FeedReach: Sendable, Equatable {
  /// To public addresses alone.
  case publicOnly
  /// Besides, to private addresses under one host name: that of the address which the user has typed,
  /// and which led to a private address itself.
  case host(String)
  /// Besides, to private addresses under any name, as the user wished.
  case anywhere
}

/// What became of the addresses that the host of one hop has: the first place asked, or where a
/// redirect leads.
struct HopSockets {
  /// How many redirects came before.
  private var redirects = 0
  private var isOpened = false
  private var refused: HostRefusal?

  /// Why no connection was made, if it was for nothing but that none was allowed.
  ///
  /// Where some address was, what failed is the connection to that one.
  var refusal: HostRefusal? { isOpened ? nil : refused }

  /// Notes that a connection to one address is tried, or why it is not.
  mutating func note(_ refusal: HostRefusal?, afterRedirects redirects: Int) {
    if redirects != self.redirects { self = HopSockets(redirects: redirects) }
    if let refusal { refused = refusal } else { isOpened = true }
  }

  init(redirects: Int = 0) { self.redirects = redirects }
}

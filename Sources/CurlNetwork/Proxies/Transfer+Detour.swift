import Models
import Workers

extension Transfer {
  /// Where a try begins.
  var start: WebAddress { detour?.place ?? request.address }

  /// How many redirects came before the try at work.
  var redirectsBefore: Int { detour?.redirects ?? 0 }

  /// Ends the try before libcurl follows a redirect for which its way would be the wrong one: it would
  /// even look the host's name up, which behind a proxy may be in vain.
  ///
  /// One beyond the limit is left to libcurl, which says so.
  func leaveForDetour(to target: WebAddress) {
    guard !rules.proxies.isEmpty, let easy, let hop = HopURL(target.asSent),
      rules.proxies.route(to: hop) != easy.route
    else { return }
    let redirects = redirectsBefore + easy.redirectCount + 1
    guard redirects <= TransferLimits.redirects else { return }
    current.detour = Detour(
      place: target,
      redirects: redirects,
      permanentPlace: current.permanentPlace,
      isPermanent: current.isPermanent
    )
  }
}

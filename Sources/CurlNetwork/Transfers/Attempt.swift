import FoundationEssentials
import Models
import Workers

/// One attempt of a transfer: the response so far, and the decisions about it.
///
/// It is a class, because copying it is expensive.
final class Attempt {
  /// A decision to make the request again.
  struct Repetition {
    /// When to begin.
    var time: MonotonicInstant
    var cause: String
    /// Whether the attempt counts; one that ended before it reached its host does not.
    var isCounted = true

    /// The continuation of a redirect by another route.
    static func detour(at time: MonotonicInstant) -> Repetition {
      Repetition(time: time, cause: "a redirect to where the way differs", isCounted: false)
    }
  }

  let begun: MonotonicInstant
  var header = ResponseHeaderReader()
  /// The address of the next response: the request's, or the target of a redirect.
  var address: WebAddress
  /// The last target for which all redirects were permanent; nil if it is missing.
  var permanentTarget: WebAddress?
  /// Whether all redirects so far were permanent.
  var isPermanent = true
  /// The end of the pause that the response asks for.
  var retryAfter: Date?
  var body: [UInt8] = []
  var bodyCount = 0
  /// The reason why a callback ended the transfer; libcurl reports only that one did.
  var refusal: HostRefusal?
  /// Whether the peer closed a new connection before the request, so that its address is unknown
  /// (getpeername(2), ENOTCONN).
  var isPeerGone = false
  /// The outcome for the addresses of the current host.
  var sockets = HopSockets()
  /// The redirect that the next attempt follows.
  var detour: Detour?
  /// The decision to make the request again; the rest of the response is then skipped.
  var repetition: Repetition?

  /// Begins at an address, or at the target of an earlier attempt's detour.
  init(begun: MonotonicInstant, address: WebAddress, after detour: Detour? = nil) {
    self.begun = begun
    self.address = detour?.address ?? address
    guard let detour else { return }
    header = ResponseHeaderReader(isRedirected: true)
    permanentTarget = detour.permanentTarget
    isPermanent = detour.isPermanent
  }

  /// Moves on to the target of a redirect.
  func follow(_ target: WebAddress) {
    address = target
    isPermanent = isPermanent && (header.status == 301 || header.status == 308)
    if isPermanent { permanentTarget = target }
  }
}

/// A redirect that needs an attempt of its own, because only one of the two hosts is behind a proxy, or
/// because the user's fields may not go along.
///
/// The new attempt has no login: the origin may differ.
struct Detour {
  let address: WebAddress
  /// The number of redirects, including this one.
  let redirects: Int
  let permanentTarget: WebAddress?
  let isPermanent: Bool
  /// Whether the way here has been at another origin than the request's.
  let hasLeftOrigin: Bool
}

extension Transfer {
  /// The address at which the current attempt begins.
  var start: WebAddress { detour?.address ?? request.address }

  /// The number of redirects before the current attempt.
  var redirectsBefore: Int { detour?.redirects ?? 0 }

  /// Ends the attempt if the target of a redirect needs another route, or if libcurl does not follow it.
  ///
  /// libcurl would even look up the target's name, which may fail behind a proxy. A redirect beyond the
  /// limit is left to libcurl, which reports it.
  func leaveForDetour(to target: WebAddress) {
    let hasContent = request.content != nil
    guard let easy, hasOwnFields || hasContent || needsRoute(to: target, easy) else { return }
    if hasContent, !keepsContent(onWayTo: target) {
      current.refusal = HostRefusal(
        reason: .refused,
        message: "it redirects what was sent to where that may not go"
      )
      return
    }
    let redirects = redirectsBefore + easy.redirectCount + 1
    guard redirects <= TransferLimits.redirects else {
      if hasOwnFields || hasContent {
        let message = "it redirects more than \(TransferLimits.redirects) times"
        current.refusal = HostRefusal(
          reason: .tooManyRedirects(limit: TransferLimits.redirects),
          cause: .redirectsWithoutEnd,
          message: message
        )
      }
      return
    }
    current.detour = Detour(
      address: target,
      redirects: redirects,
      permanentTarget: current.permanentTarget,
      isPermanent: current.isPermanent,
      hasLeftOrigin: detour?.hasLeftOrigin == true || !target.isSameOrigin(as: request.address)
    )
  }

  /// Whether a redirect keeps the method (RFC 9110, sections 15.4.8 and 15.4.9), and the encryption.
  private func keepsContent(onWayTo target: WebAddress) -> Bool {
    let status = current.header.status
    return request.content?.method == .post && (status == 307 || status == 308) && target.isWeb
      && (target.scheme == "https" || start.scheme == "http")
  }

  private func needsRoute(to target: WebAddress, _ easy: EasyHandle) -> Bool {
    guard !rules.proxies.isEmpty, let hop = HopURL(target.asSent) else { return false }
    return rules.proxies.route(to: hop) != easy.route
  }
}

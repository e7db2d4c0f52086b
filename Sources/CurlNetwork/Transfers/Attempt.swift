import FoundationEssentials
import Models
import Workers

/// One attempt of a transfer: the response so far, and the decisions about it.
///
/// It is a class, because copying it is expensive.
final class Attempt {
  /// A decision to make the request again.
  struct Repetition {
    /// The time at which to begin.
    var time: MonotonicInstant
    var cause: String
    /// The status of the answer, or the cause of the failure, because of which it is made again.
    var status: Int?
    var failure: NetworkError.Cause?
    /// Whether the attempt counts; an attempt that ended before it reached its host does not.
    var isCounted = true

    /// Continues a redirect by another route.
    static func detour(at time: MonotonicInstant) -> Repetition {
      Repetition(time: time, cause: "a redirect to where the way differs", isCounted: false)
    }
  }

  let begun: MonotonicInstant
  var header = ResponseHeaderReader()
  /// The address of the next response: the request's, or the target of a redirect.
  var address: WebAddress
  /// The last target that only permanent redirects have led to; nil without such a redirect.
  var permanentTarget: WebAddress?
  /// Whether all redirects so far were permanent.
  var isPermanent = true
  /// The end of the pause that the response asks for.
  var retryAfter: Date?
  var body: [UInt8] = []
  var bodyCount = 0
  /// The reason why a callback ended the transfer; libcurl reports only that a callback ended it.
  var refusal: HostRefusal?
  /// Whether the peer closed a new connection before the request, so that its address is unknown (getpeername(2),
  /// ENOTCONN).
  var isPeerGone = false
  /// The decisions about the addresses of the current host.
  var sockets = HopSockets()
  /// The redirect that the next attempt follows.
  var detour: Detour?
  /// The decision to repeat the request; the rest of the response is then skipped.
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

  /// Continues with the target of a redirect.
  func follow(_ target: WebAddress) {
    address = target
    isPermanent = isPermanent && (header.status == 301 || header.status == 308)
    if isPermanent { permanentTarget = target }
  }
}

/// A redirect that needs a separate attempt.
///
/// It needs another route, its host has to be converted to ASCII, or the request must not be repeated to the target as
/// it is, because of its content, its `Referer` or the user's fields. The new attempt has no login, because the origin
/// may differ.
struct Detour {
  let address: WebAddress
  /// The number of redirects, including this one.
  let redirects: Int
  let permanentTarget: WebAddress?
  let isPermanent: Bool
  /// Whether the redirects so far have left the origin of the request.
  let hasLeftOrigin: Bool
  /// The cookies that the redirects so far have set.
  let cookies: [String]
}

extension Transfer {
  /// The address at which the current attempt starts.
  var start: WebAddress { detour?.address ?? request.address }

  /// The number of redirects before the current attempt.
  var redirectsBefore: Int { detour?.redirects ?? 0 }

  /// The `Referer` field of the current attempt; nil for none, as on the way from https to http.
  var refererField: String? {
    guard let origin = referer.flatMap({ posted.request.origin(for: $0) }),
      start.isSecure || !origin.hasPrefix("https:")
    else { return nil }
    return origin
  }

  /// Ends the attempt if the target of a redirect needs another route, or if libcurl does not follow redirects for this
  /// request.
  ///
  /// libcurl would even look up the target's name, which may fail behind a proxy. libcurl itself reports a redirect
  /// beyond the limit, if it follows redirects.
  func leaveForDetour(to target: WebAddress) {
    let hasContent = request.content != nil
    // libcurl does not follow redirects then.
    let isAlone = hasOwnFields || hasContent || refererField != nil
    guard let easy, isAlone || target.hasForeignHost || needsRoute(to: target, easy) else { return }
    if hasContent, !keepsContent(onWayTo: target) {
      current.refusal = HostRefusal(
        reason: .refused,
        message: "it redirects what was sent to where that may not go"
      )
      return
    }
    let redirects = redirectsBefore + easy.redirectCount + 1
    guard redirects <= TransferLimits.redirects else {
      if isAlone {
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
      hasLeftOrigin: detour?.hasLeftOrigin == true || !target.isSameOrigin(as: request.address),
      cookies: easy.cookies
    )
  }

  /// Whether the redirect keeps the method (RFC 9110, sections 15.4.8 and 15.4.9) and does not drop the encryption.
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

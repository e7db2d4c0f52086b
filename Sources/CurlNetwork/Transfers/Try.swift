import FoundationEssentials
import Models
import Workers

/// One try of a transfer: what has come so far, and what it has decided.
///
/// An object, because it has many parts to copy.
final class Try {
  /// Why the same request is to be made again, and when.
  struct Repetition {
    var time: MonotonicInstant
    var cause: String
    /// Whether it counts as a try: one that was stopped before it reached its host does not.
    var isCounted = true

    /// Going on where a redirect leads.
    static func detour(at time: MonotonicInstant) -> Repetition {
      Repetition(time: time, cause: "a redirect to where the way differs", isCounted: false)
    }
  }

  let begun: MonotonicInstant
  var header = ResponseHeaderReader()
  /// Where the next response comes from.
  var place: WebAddress
  /// How far the redirects were for good.
  var permanentPlace: WebAddress?
  /// Whether all redirects so far were.
  var isPermanent = true
  /// When the pause that the response asks for ends.
  var retryAfter: Date?
  var body: [UInt8] = []
  var bodyCount = 0
  /// Why we ended it ourselves, of which libcurl only knows that a callback refused.
  var refusal: HostRefusal?
  /// Whether the peer of a new connection had hung up before the request: nobody knows who it was then
  /// (getpeername(2), ENOTCONN).
  var isPeerGone = false
  /// What became of the addresses that it was to connect to.
  var sockets = HopSockets()
  /// Where it goes on with a try of its own.
  var detour: Detour?
  /// Once it is decided, the rest of the response is passed over.
  var repetition: Repetition?

  /// Begins at a place, or where an earlier try was redirected to.
  init(begun: MonotonicInstant, place: WebAddress, after detour: Detour? = nil) {
    self.begun = begun
    self.place = detour?.place ?? place
    guard let detour else { return }
    header = ResponseHeaderReader(isRedirected: true)
    permanentPlace = detour.permanentPlace
    isPermanent = detour.isPermanent
  }

  /// Goes on to where a redirect leads.
  func follow(_ target: WebAddress) {
    place = target
    isPermanent = isPermanent && (header.status == 301 || header.status == 308)
    if isPermanent { permanentPlace = target }
  }
}

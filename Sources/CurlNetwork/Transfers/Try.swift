import FoundationEssentials
import Models
import Workers

/// One try of a transfer: what has come so far, and what it has decided.
struct Try {
  /// Why the same request is to be made again, and when.
  struct Repetition {
    var time: ContinuousClock.Instant
    var cause: String
    /// Whether it counts as a try: one that was stopped before it reached its host does not.
    var isCounted = true
  }

  let begun: ContinuousClock.Instant
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
  /// Once it is decided, the rest of the response is passed over.
  var repetition: Repetition?

  init(begun: ContinuousClock.Instant, place: WebAddress) {
    self.begun = begun
    self.place = place
  }

  /// Goes on to where a redirect leads.
  mutating func follow(_ target: WebAddress) {
    place = target
    isPermanent = isPermanent && (header.status == 301 || header.status == 308)
    if isPermanent { permanentPlace = target }
  }
}

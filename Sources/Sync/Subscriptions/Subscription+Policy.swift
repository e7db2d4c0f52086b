package import FoundationEssentials
import Models
package import Workers

/// The times at which a hub is asked, and the answers to its requests (WebSub, section 5).
///
/// The caller gives the current time.
extension Subscription {
  /// The lease that is requested from a hub, in seconds; the hub may choose another one.
  static let leaseSeconds = 10 * 86_400
  /// The range of leases that a hub may choose, in seconds.
  private static let leases = 1.0...366 * 86_400.0
  /// The fraction of a lease after which it is renewed.
  private static let renewal = 0.8
  /// The fewest seconds between two renewals.
  private static let leastRenewal = 60.0
  /// The seconds until the second try, which double with each further try, and their maximum.
  private static let firstPause = 300.0
  private static let longestPause = 86_400.0
  /// The number of requests to end a subscription; if the hub ignores them, its lease ends the subscription.
  private static let triesToEnd = 3
  /// The most bytes of a challenge.
  private static let challengeBytes = 2_048

  /// Whether its hub has never been asked.
  var isNew: Bool { tries == 0 && leaseEnd == nil && !isEnding }

  /// Notes that the hub is about to be asked, which counts as a failure until the hub confirms.
  mutating func noteTry(at now: Date) {
    tries += 1
    let doublings = min(tries - 1, 20)
    let pause = min(Self.firstPause * Double(1 << doublings), Self.longestPause)
    nextTry = now.addingTimeInterval(pause)
  }

  /// Begins to end the subscription: the hub is asked at once.
  mutating func end(at now: Date) { (isEnding, tries, nextTry) = (true, 0, now) }

  /// Whether an ending subscription can be forgotten: it was never confirmed, its lease has ended, or the hub does not
  /// answer.
  func isOver(at now: Date) -> Bool {
    guard isEnding else { return false }
    guard let leaseEnd, leaseEnd > now else { return true }
    return tries >= Self.triesToEnd && nextTry <= now
  }

  /// Takes a request of the hub to its callback.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - subscription: The callback's subscription; nil if there is no such subscription, and after its end.
  ///   - now: The time.
  /// - Returns: The answer to the hub.
  package static func take(
    _ request: HubRequest,
    for subscription: inout Subscription?,
    at now: Date
  ) -> HubAnswer {
    guard var known = subscription, request.topic == known.topic.text else { return .refused }
    switch request.mode {
    case .denied:
      known.deny(at: now)
      subscription = known.isEnding ? nil : known
      return .noted
    case .subscribe(let challenge, let seconds):
      guard !known.isEnding, isUsable(challenge) else { return .refused }
      known.begin(Double(seconds ?? leaseSeconds), at: now)
      subscription = known
      return .confirmed(challenge)
    case .unsubscribe(let challenge):
      guard known.isEnding, isUsable(challenge) else { return .refused }
      subscription = nil
      return .confirmed(challenge)
    }
  }

  private static func isUsable(_ challenge: String) -> Bool {
    !challenge.isEmpty && challenge.utf8.count <= challengeBytes
  }

  private mutating func begin(_ seconds: Double, at now: Date) {
    let lease = min(max(seconds, Self.leases.lowerBound), Self.leases.upperBound)
    leaseEnd = now.addingTimeInterval(lease)
    nextTry = now.addingTimeInterval(max((lease * Self.renewal).rounded(), Self.leastRenewal))
    tries = 0
  }

  private mutating func deny(at now: Date) {
    leaseEnd = nil
    nextTry = now.addingTimeInterval(Self.longestPause)
    tries += 1
  }
}

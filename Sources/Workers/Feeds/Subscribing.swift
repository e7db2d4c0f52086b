package import FoundationEssentials

/// Subscribes to feeds at the hubs that their documents name (WebSub), and answers these hubs.
package protocol Subscribing: Sendable {
  /// Makes, renews and ends subscriptions until its task is cancelled.
  func run() async

  /// Handles a hub's request to the callback with this path.
  func answer(_ request: HubRequest, atPath path: String) async throws(StoreError) -> HubAnswer

  /// The subscription whose callback has this path; nil once it has ended.
  func subscription(atPath path: String) async throws(StoreError) -> Subscription?
}

/// A request of a hub to a callback (WebSub, sections 5.2 and 5.3).
package struct HubRequest: Sendable, Equatable {
  package enum Mode: Sendable, Equatable {
    /// Asks whether a subscription is wanted; the lease is nil when its length is unknown.
    case subscribe(challenge: String, leaseSeconds: Int?)
    /// Asks whether the end of the subscription is wanted.
    case unsubscribe(challenge: String)
    /// The hub refuses the subscription, or has ended it.
    case denied
  }

  package var mode: Mode
  package var topic: String

  /// Reads the parameters of the query; returns nil for any other request.
  package init?(_ parameters: [String: String]) {
    guard let topic = parameters["hub.topic"] else { return nil }
    self.topic = topic
    switch (parameters["hub.mode"], parameters["hub.challenge"]) {
    case ("subscribe", let challenge?):
      let seconds = parameters["hub.lease_seconds"].flatMap { Int($0) }
      mode = .subscribe(challenge: challenge, leaseSeconds: seconds)
    case ("unsubscribe", let challenge?): mode = .unsubscribe(challenge: challenge)
    case ("denied", _): mode = .denied
    default: return nil
    }
  }
}

/// The answer to a hub's request.
package enum HubAnswer: Sendable, Equatable {
  /// The request is confirmed, with its challenge.
  case confirmed(String)
  case noted
  /// The hub asks for something that is not wanted.
  case refused
}

/// Checks the signature of a message while the message arrives.
package protocol SignatureChecking: AnyObject {
  /// Takes the next bytes of the message.
  func update(_ bytes: UnsafeRawBufferPointer)

  /// Whether the signature matches all bytes so far; no further bytes may follow.
  func isRight() -> Bool
}

/// The feeds whose hubs have announced changes and that were not asked since; several deliveries cause one request.
package struct DeliveryQueue {
  /// The fewest seconds between two requests for one feed that its hub causes.
  package static let leastPause = 60.0

  private var waiting: Set<Int64> = []
  private var asked: [Int64: Date] = [:]

  package init() {}

  /// Records a delivery for a feed.
  package mutating func note(_ feedID: Int64) { waiting.insert(feedID) }

  /// The feeds to ask now; they are recorded as asked.
  package mutating func take(at now: Date) -> [Int64] {
    asked = asked.filter { abs(now.timeIntervalSince($0.value)) < Self.leastPause }
    let due = waiting.filter { asked[$0] == nil }.sorted()
    waiting.subtract(due)
    for id in due { asked[id] = now }
    return due
  }

  /// The seconds until the next waiting feed may be asked; nil when no feed is waiting.
  package func pause(at now: Date) -> Double? {
    waiting.map { id in
      let rest = asked[id].map { Self.leastPause - now.timeIntervalSince($0) } ?? 0
      // A clock that was set back does not lengthen the pause.
      return min(max(rest, 0), Self.leastPause)
    }.min()
  }
}

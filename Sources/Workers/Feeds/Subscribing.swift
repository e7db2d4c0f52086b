package import FoundationEssentials

/// Subscribes feeds at the hubs that their documents name (WebSub), and answers these hubs.
package protocol Subscribing: Sendable {
  /// Subscribes, renews and ends until its task is cancelled.
  func run() async

  /// Takes a request of a hub to the callback with a path.
  func answer(_ request: HubRequest, atPath path: String) async throws(StoreError) -> HubAnswer

  /// The subscription for which a hub delivers to a path; nil after its end.
  func subscription(atPath path: String) async throws(StoreError) -> Subscription?
}

/// A request of a hub to a callback (WebSub, sections 5.2 and 5.3).
package struct HubRequest: Sendable, Equatable {
  package enum Mode: Sendable, Equatable {
    /// Whether a subscription is wanted; nil for a lease of unknown length.
    case subscribe(challenge: String, leaseSeconds: Int?)
    /// Whether its end is wanted.
    case unsubscribe(challenge: String)
    /// The hub does not deliver, or not any more.
    case denied
  }

  package var mode: Mode
  package var topic: String

  /// Reads the parameters of its query; nil for another request.
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

/// What a hub is answered.
package enum HubAnswer: Sendable, Equatable {
  /// Yes, with its challenge.
  case confirmed(String)
  case noted
  /// It asks for something that is not wanted.
  case refused
}

/// Checks the signature of a message while the message arrives.
package protocol SignatureChecking: AnyObject {
  /// Takes the next bytes of the message.
  func update(_ bytes: UnsafeRawBufferPointer)

  /// Whether the signature is that of all bytes; none may follow.
  func isRight() -> Bool
}

/// The feeds whose hubs have delivered, until they are asked: once for all deliveries meanwhile.
package struct DeliveryQueue {
  /// The fewest seconds between two times at which one feed is asked because of its hub.
  package static let leastPause = 60.0

  private var waiting: Set<Int64> = []
  private var asked: [Int64: Date] = [:]

  package init() {}

  /// Takes a delivery for a feed.
  package mutating func note(_ feedID: Int64) { waiting.insert(feedID) }

  /// The feeds to ask now, which count as asked.
  package mutating func take(at now: Date) -> [Int64] {
    asked = asked.filter { abs(now.timeIntervalSince($0.value)) < Self.leastPause }
    let due = waiting.filter { asked[$0] == nil }.sorted()
    waiting.subtract(due)
    for id in due { asked[id] = now }
    return due
  }

  /// How many seconds until the next of those that wait may be asked; nil when none waits.
  package func pause(at now: Date) -> Double? {
    waiting.map { id in
      let rest = asked[id].map { Self.leastPause - now.timeIntervalSince($0) } ?? 0
      // A clock that was set back makes no pause longer.
      return min(max(rest, 0), Self.leastPause)
    }.min()
  }
}

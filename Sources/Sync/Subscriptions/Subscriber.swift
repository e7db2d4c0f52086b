package import FoundationEssentials
package import Models
package import Workers

/// Subscribes feeds at the hubs that their documents name, renews that, and ends it (WebSub).
///
/// Each try is stored before the hub is asked: the hub confirms by a request of its own, often before it answers.
/// See Documentation/Serve.md, "Feeds that tell of changes".
package struct Subscriber: Subscribing {
  /// The most bytes of an answer that libcurl may read before it is let go.
  private static let answerBytes = 64 << 10
  /// How long a hub may take to answer.
  private static let answerTime = Duration.seconds(30)
  /// The seconds between two looks at which feeds name a hub.
  private static let pause = Duration.seconds(60)

  private let store: any FeedStoring & LibraryReading
  private let network: any Networking
  /// The address before the paths of all callbacks.
  private let callbacks: WebAddress
  /// Makes an unguessable text of 64 hexadecimal digits.
  private let secrets: @Sendable () -> String
  private let now: @Sendable () -> Date
  /// Takes a line for the log of details.
  private let log: @Sendable (String) -> Void

  package init(
    store: any FeedStoring & LibraryReading,
    network: any Networking,
    callbacks: WebAddress,
    secrets: @escaping @Sendable () -> String,
    now: @escaping @Sendable () -> Date,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.network = network
    self.callbacks = callbacks
    self.secrets = secrets
    self.now = now
    self.log = log
  }

  /// Goes on until its task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      await renew()
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Asks each hub that is to be asked now; a library that cannot be read now is looked at again.
  package func renew() async {
    guard let feeds = try? await store.feeds(),
      let subscriptions = try? await store.subscriptions()
    else { return }
    let plan = SubscriptionPlan(
      feeds: feeds,
      subscriptions: subscriptions,
      now: now().wholeSeconds,
      callbacks: callbacks,
      secrets: secrets
    )
    for subscription in plan.over { await forget(subscription) }
    await withTaskGroup(of: Void.self) { group in
      for subscription in plan.due { group.addTask { await ask(subscription) } }
    }
  }

  /// Forgets all subscriptions and tells no hub: the hubs do not reach this program any more.
  package static func forgetAll(in store: any FeedStoring) async {
    for subscription in (try? await store.subscriptions()) ?? [] {
      _ = try? await store.changeSubscription(atPath: subscription.path) { $0 = nil }
    }
  }

  /// Takes a request of a hub to a callback, and answers it.
  package func answer(
    _ request: HubRequest,
    atPath path: String
  ) async throws(StoreError) -> HubAnswer {
    let (answer, now) = (Locked(HubAnswer.refused), now().wholeSeconds)
    try await store.changeSubscription(atPath: path) { subscription in
      answer.withLock { $0 = Subscription.take(request, for: &subscription, at: now) }
    }
    return answer.withLock { $0 }
  }

  /// The subscription for which a hub delivers to a path; nil after its end.
  package func subscription(atPath path: String) async throws(StoreError) -> Subscription? {
    let subscription = try await store.subscription(atPath: path)
    return subscription?.isEnding == false ? subscription : nil
  }

  private func forget(_ subscription: Subscription) async {
    _ = try? await store.changeSubscription(atPath: subscription.path) { $0 = nil }
  }

  private func ask(_ planned: Subscription) async {
    let now = now().wholeSeconds
    let subscription = try? await store.changeSubscription(atPath: planned.path) { stored in
      // A hub may have changed it since.
      if planned.isNew { stored = planned }
      if planned.isEnding, stored?.isEnding == false { stored?.end(at: now) }
      stored?.noteTry(at: now)
    }
    guard let subscription else { return }
    do throws(NetworkError) {
      // Its body is let go with it.
      let header = try await network.open(request(for: subscription)).header
      log("\(subscription.hub): status \(header.status) to \(mode(of: subscription))")
      if let pause = header.retryAfter { await postpone(subscription, until: pause) }
    } catch {
      log("\(subscription.hub): no \(mode(of: subscription)): \(error.message)")
      if case .paused(let end) = error.reason { await postpone(subscription, until: end) }
    }
  }

  private func postpone(_ subscription: Subscription, until date: Date) async {
    _ = try? await store.changeSubscription(atPath: subscription.path) { stored in
      // One that the hub has confirmed meanwhile has another time.
      guard let next = stored?.nextTry, next == subscription.nextTry else { return }
      stored?.nextTry = max(next, date.wholeSeconds)
    }
  }

  private func mode(of subscription: Subscription) -> String {
    subscription.isEnding ? "unsubscribe" : "subscribe"
  }

  /// The request of WebSub, section 5.1.
  private func request(for subscription: Subscription) -> NetworkRequest {
    var fields = [
      (name: "hub.mode", value: mode(of: subscription)),
      (name: "hub.topic", value: subscription.topic.text),
      (name: "hub.callback", value: subscription.callback.text),
    ]
    if !subscription.isEnding {
      fields.append((name: "hub.lease_seconds", value: String(Subscription.leaseSeconds)))
      fields.append((name: "hub.secret", value: subscription.secret))
    }
    return NetworkRequest(
      address: subscription.hub,
      reach: NetworkReach(subscription.reach),
      byteLimit: Self.answerBytes,
      timeLimit: Self.answerTime,
      content: .form(fields)
    )
  }
}

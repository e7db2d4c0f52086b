package import FoundationEssentials
package import Models
package import Workers

/// Subscribes to feeds at the hubs that their documents name, renews the subscriptions, and ends them (WebSub).
///
/// Each request to a hub is stored before it is sent, because the hub confirms it by a separate request, often before
/// it responds. See Documentation/Serve.md, "Feeds that tell of changes".
package struct Subscriber: Subscribing {
  /// The most bytes of a response that libcurl may read before the response is dropped.
  private static let answerBytes = 64 << 10
  /// The time that a hub may take to respond.
  private static let answerTime = Duration.seconds(30)
  /// The time between two checks of the subscriptions.
  private static let pause = Duration.seconds(60)

  private let store: any FeedStoring & LibraryReading
  private let network: any Networking
  /// The common beginning of the addresses of all callbacks.
  private let callbacks: WebAddress
  /// Makes an unguessable text of 64 hexadecimal digits.
  private let secrets: @Sendable () -> String
  private let now: @Sendable () -> Date
  /// Takes a line for the logger.
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

  /// Renews subscriptions until its task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      await renew()
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Sends each hub the requests that are due; if the library cannot be read now, the next pass tries again.
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

  /// Forgets all subscriptions without telling the hubs, which do not reach this program any more.
  package static func forgetAll(in store: any FeedStoring) async {
    for subscription in (try? await store.subscriptions()) ?? [] {
      _ = try? await store.changeSubscription(atPath: subscription.path) { $0 = nil }
    }
  }

  /// Answers a request that a hub sends to a callback.
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

  /// The subscription for which a hub delivers to a path; nil once it is ending.
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
      // A hub may have changed the subscription since it was read.
      if planned.isNew { stored = planned }
      if planned.isEnding, stored?.isEnding == false { stored?.end(at: now) }
      stored?.noteTry(at: now)
    }
    guard let subscription else { return }
    do throws(NetworkError) {
      // The body is dropped with the response.
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
      // A subscription that the hub has confirmed in the meantime has another time.
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

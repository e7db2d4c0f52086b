import FoundationEssentials
import Logging
import Workers

/// The health of all hosts; only the loop's thread uses it.
///
/// Pauses that hosts ask for are also written to the store and read from it, so that other processes and later runs
/// respect them. If the store fails, the process uses the pauses that it knows itself.
final class HostRegistry {
  /// How long the result of a read from the store is valid.
  private static let lookHolds = Duration.seconds(1)
  /// By how many seconds the stored end of a pause may be later than the end that was asked for.
  private static let rounding = 3.0

  let policy: RetryPolicy
  private let store: (any HostPausing)?
  private let clock: HostClock
  /// Adds up times and counts; nil to measure nothing.
  let stopwatch: Stopwatch?
  private let logger: Logger?
  private var hosts: [String: HostHealth] = [:]
  private var looks: [String: MonotonicInstant] = [:]
  /// The ends of the pauses that the user has ended early; the store still has them.
  private var endedEarly: [String: Date] = [:]
  /// The host of the last query: most consecutive queries are about the same host.
  private var lastLook: (host: String, time: MonotonicInstant)?
  private var changed: Set<String> = []
  /// The limits on speed that the user has set.
  var pace: Pace
  /// The hosts that have failed to connect since any host last responded.
  private var silent: Set<String> = []
  /// The `Referer` fields that hosts have accepted after refusing a request without one.
  private var acceptedReferers: [String: Referer] = [:]
  /// How many pictures each host has refused with every `Referer` field.
  private var refusedReferers: [String: Int] = [:]

  init(
    policy: RetryPolicy,
    store: (any HostPausing)?,
    logger: Logger?,
    stopwatch: Stopwatch? = nil,
    pace: Pace = Pace(),
    clock: HostClock = .system
  ) {
    self.policy = policy
    self.store = store
    self.logger = logger
    self.stopwatch = stopwatch
    self.pace = pace
    self.clock = clock
  }

  var instant: MonotonicInstant { clock.instant() }
  var date: Date { clock.date() }

  /// A random number from 0 up to 1.
  var chance: Double { .random(in: 0..<1) }

  /// The hosts whose verdict may have changed since the last call.
  func takeChanged() -> Set<String> {
    defer { changed = [] }
    return changed
  }

  func verdict(on host: String) -> HostVerdict {
    if store != nil { lookUp(host) }
    if hosts.isEmpty { return .open }
    return hosts[host]?.verdict(at: instant) ?? .open
  }

  /// Whether the next transfer of a host may start now.
  func turn(on host: String) -> HostVerdict {
    let verdict = verdict(on: host)
    guard verdict == .open, let next = pace.nextRequest(to: host), next > instant else {
      return verdict
    }
    return .wait(until: next)
  }

  /// The `Referer` fields to send for a picture, one after another while the host refuses it with 403.
  ///
  /// A host that has refused some pictures with each of them does not depend on the field.
  func referers(for host: String) -> [Referer] {
    if let accepted = acceptedReferers[host] {
      return [accepted] + Referer.allCases.filter { $0 != accepted }
    }
    return refusedReferers[host, default: 0] < TransferLimits.picturesRefusedWithReferers
      ? Referer.allCases : [.none]
  }

  func note(_ referer: Referer, isAcceptedBy host: String) {
    if referer != .none { acceptedReferers[host] = referer }
  }

  func noteEveryRefererIsRefused(by host: String) { refusedReferers[host, default: 0] += 1 }

  /// Ends the pause of a host early, for a request that the user wants even so; only this process asks then.
  func endPause(of host: String) {
    _ = verdict(on: host)
    guard let end = hosts[host]?.pauseEnd(at: clock.moment) else { return }
    log("\(host) is asked during its pause")
    endedEarly[host] = end
    update(host) { $0.endPause() }
  }

  func mayRetry(_ host: String) -> Bool { hosts[host]?.mayRetry ?? true }

  func started(on host: String, at instant: MonotonicInstant) {
    stopwatch?.add { $0.counts.requests += 1 }
    pace.asked(host, at: instant)
    guard isKnown(host) else { return }
    hosts[host]?.started(at: instant)
  }

  func ended(on host: String, begun: MonotonicInstant) {
    guard isKnown(host) else { return }
    update(host) { $0.ended(begun: begun) }
  }

  func gaveUp(on host: String) { update(host) { $0.gaveUp() } }

  /// Records a response; a normal response matters only for a host that has had trouble.
  func answered(_ answer: HostAnswer, from host: String, begun: MonotonicInstant) {
    stopwatch?.add { timings in
      timings.counts.responses += 1
      timings.counts.unchanged += answer.status == 304 ? 1 : 0
    }
    if !silent.isEmpty { silent = [] }
    guard answer.isRetryable || isKnown(host) else { return }
    let now = clock.moment
    let before = hosts[host]?.pauseEnd(at: now)
    update(host) { $0.answered(answer, begun: begun, at: now, random: chance) }
    guard answer.pausesHost, let end = hosts[host]?.pauseEnd(at: now), end != before else { return }
    // A reader of the line can rely on it that other processes wait, too.
    if answer.retryAfter != nil { note(end, of: host) }
    log("\(host) is not asked for \(Self.text(end.timeIntervalSince(now.date))) s")
  }

  func failedToConnect(
    to host: String,
    _ refusal: HostRefusal,
    begun: MonotonicInstant
  ) {
    let now = clock.moment
    let before = hosts[host]?.verdict(at: now.instant)
    silent.insert(host)
    let isOneOfMany = silent.count > policy.hostsUntilNoRetry
    update(host) {
      $0.failedToConnect(
        refusal,
        isOneOfMany: isOneOfMany,
        begun: begun,
        at: now,
        random: chance
      )
    }
    if case .closed = hosts[host]?.verdict(at: now.instant), before != .closed(refusal) {
      log("\(host) counts as down: \(refusal.message)")
      // When many hosts do not respond, the network of this machine may be at fault.
      if !isOneOfMany { noteSilence(of: host, until: now.advanced(by: policy.downTime).date) }
    }
  }

  /// Whether a host has ever had trouble.
  private func isKnown(_ host: String) -> Bool { !hosts.isEmpty && hosts[host] != nil }

  private func update(_ host: String, _ change: (inout HostHealth) -> Void) {
    change(&hosts[host, default: HostHealth(policy: policy)])
    changed.insert(host)
  }

  /// Adopts a pause that another process has stored.
  ///
  /// A pause that this process stored comes back in whole seconds and is skipped. A date after the end of the longest
  /// allowed pause comes from a wrong clock.
  private func lookUp(_ host: String) {
    let instant = instant
    if let lastLook, lastLook.host == host, instant - lastLook.time < Self.lookHolds { return }
    if let last = looks[host], instant - last < Self.lookHolds {
      lastLook = (host, last)
      return
    }
    looks[host] = instant
    lastLook = (host, instant)
    let now = clock.moment
    do {
      guard let end = try store?.pause(of: host), end > now.date,
        end.timeIntervalSince(now.date) <= policy.longestPause.seconds + 1,
        end.timeIntervalSince(hosts[host]?.pauseEnd(at: now) ?? .distantPast) >= 1,
        end.timeIntervalSince(endedEarly[host] ?? .distantPast) >= Self.rounding
      else { return }
      log("\(host) has asked for a pause of \(Self.text(end.timeIntervalSince(now.date))) s more")
      update(host) { $0.pause(until: end, at: now) }
    } catch {
      log("the pause of \(host) cannot be looked up: \(error.message)")
    }
  }

  private func note(_ end: Date, of host: String) {
    do {
      try store?.notePause(of: host, until: end)
    } catch {
      log("the pause of \(host) cannot be noted: \(error.message)")
    }
  }

  private func noteSilence(of host: String, until end: Date) {
    do {
      try store?.noteSilence(of: host, until: end)
    } catch {
      log("the silence of \(host) cannot be noted: \(error.message)")
    }
  }

  private func log(_ message: @autoclosure () -> String) { logger?.debug("\(message())") }

  /// Seconds with one decimal.
  static func text(_ seconds: TimeInterval) -> String {
    "\((max(0, seconds) * 10).rounded() / 10)"
  }
}

/// The part of a response that affects its host's health.
struct HostAnswer {
  let status: Int
  /// The end of the pause that the host asks for.
  let retryAfter: Date?

  /// Whether the same request may soon get another response.
  var isRetryable: Bool {
    switch status {
    case 408, 429, 500, 502, 503, 504: true
    default: false
    }
  }

  /// Whether all transfers of the host have to wait.
  var pausesHost: Bool { status == 429 || (status == 503 && retryAfter != nil) }
}

internal import CCurl
import Workers

/// Whether a try is repeated.
extension Transfer {
  /// Decides before anything of the response is handed over.
  func repetition(after answer: HostAnswer) -> Try.Repetition? {
    guard answer.isRetryable, mayTryAgain else { return nil }
    let cause = "status \(answer.status)"
    return answer.pausesHost ? onceHostIsOpen(because: cause) : afterDelay(because: cause)
  }

  /// Decides after a failure, which it notes if it is the host's.
  func repetition(after failure: CurlFailure) -> Try.Repetition? {
    let isUnconnected = isUnconnected(failure)
    if isUnconnected {
      hosts.failedToConnect(to: askedHost, refusal(after: failure), begun: current.begun)
    }
    let isReaders = isStreamed && isHeaderDelivered
    guard failure.isRetryable, !isReaders, mayTryAgain else { return nil }
    let cause = failure.message
    return isUnconnected ? onceHostIsOpen(because: cause) : afterDelay(because: cause)
  }

  /// libcurl's words about a failure, without the secrets of the addresses that they may quote.
  func words(for code: CURLcode) -> String {
    let words = easy?.message(for: code) ?? ""
    return CurlFailure.masked(
      CurlFailure.masked(words, about: request.address),
      about: current.place
    )
  }

  /// How the transfer ends after a failure.
  ///
  /// Without a connection nothing says that the address is wrong, however long it took.
  func refusal(after failure: CurlFailure) -> HostRefusal {
    let isSlow = failure.reason == .timedOut && isUnconnected(failure)
    return HostRefusal(
      reason: isSlow ? .unreachable : failure.reason,
      cause: isSlow ? .slowConnection : failure.cause,
      message: failure.message
    )
  }

  /// A transfer that has used up its tries counts against its host.
  private var mayTryAgain: Bool {
    if tries <= hosts.policy.retries { return hosts.mayRetry(askedHost) }
    hosts.gaveUp(on: askedHost)
    return false
  }

  /// Behind a redirect libcurl does not say how far it came.
  private func isUnconnected(_ failure: CurlFailure) -> Bool {
    if failure.isUnconnected { return true }
    guard failure.reason == .timedOut, !current.header.isRedirected else { return false }
    return easy?.hasConnected == false
  }

  private func onceHostIsOpen(because cause: String) -> Try.Repetition? {
    switch hosts.verdict(on: askedHost) {
    case .open, .busy: inTime(hosts.instant, because: cause)
    case .wait(let end): inTime(end, because: cause)
    case .closed: nil
    }
  }

  private func afterDelay(because cause: String) -> Try.Repetition? {
    let delay = hosts.policy.delay(beforeRetry: tries, random: hosts.chance)
    return inTime(hosts.instant + delay, because: cause)
  }

  private func inTime(
    _ time: MonotonicInstant,
    because cause: String
  ) -> Try.Repetition? {
    guard let deadline, time <= deadline else { return nil }
    return Try.Repetition(time: time, cause: cause)
  }
}

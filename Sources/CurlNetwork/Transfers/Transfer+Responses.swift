internal import CCurl
import FoundationEssentials
import Models
import Workers

extension Transfer {
  /// The header of the final response, for the caller.
  ///
  /// A 304 replaces the validators that it contains; the request's other validators remain (RFC 9111, section 4.3.4).
  var finalHeader: NetworkHeader {
    let header = current.header
    var (validators, modified) = (header.validators, header.modified)
    if header.status == 304 {
      validators.entityTag = validators.entityTag ?? request.validators.entityTag
      validators.lastModified = validators.lastModified ?? request.validators.lastModified
      modified = validators.lastModified.flatMap { FieldDate.date($0) }
    }
    var final = NetworkHeader(
      status: header.status,
      address: finalAddress,
      validators: validators,
      mediaType: header.mediaType,
      charset: header.charset,
      contentLength: header.contentLength,
      nextPage: header.nextPage.flatMap(finalAddress.resolving),
      contentRange: header.contentRange,
      isEncoded: header.coding == .packed,
      freshSeconds: header.caching.freshSeconds(madeAt: header.date ?? hosts.date),
      date: header.date,
      modified: modified,
      permanentAddress: current.permanentTarget,
      retryAfter: current.retryAfter,
      firstPeer: firstPeer
    )
    if !header.hubs.isEmpty || header.topic != nil {
      final.push = PushLinks(
        hubs: header.hubs.compactMap(finalAddress.resolving),
        topic: header.topic.flatMap(finalAddress.resolving)
      )
    }
    return final
  }

  func completeHeader() {
    if current.header.status == 206, request.range == nil {
      // A caller would store the part as if it were the whole picture.
      return refuse(.other, "the server answers with a part that was not asked for")
    }
    current.retryAfter = current.header.retryAfter?.end(
      now: hosts.date,
      serverDate: current.header.date,
      longest: hosts.policy.longestPause
    )
    let answer = HostAnswer(status: current.header.status, retryAfter: current.retryAfter)
    hosts.answered(answer, from: askedHost, begun: current.begun)
    current.repetition =
      repetition(after: answer) ?? repetitionWithReferer()
      ?? (current.header.coding == .unknown
        ? repetitionWithoutUnpacking(because: "an unknown encoding") : nil)
    guard current.repetition == nil else { return }
    if isDeclaredTooLarge { return refuseSize() }
    // The header of a compressed body waits for its first bytes: before these, the request can be repeated.
    if current.header.coding != .packed { deliverHeader() }
  }

  private func repetitionWithoutUnpacking(because cause: String) -> Attempt.Repetition? {
    guard unpacks, mayBeRepeated else { return nil }
    unpacks = false
    return Attempt.Repetition(time: hosts.instant, cause: cause, isCounted: false)
  }

  /// Repeats the request for a picture that is refused with 403, because some servers want to know the page of each
  /// picture; the registry notes the result, so that the next requests to the host begin with the right field.
  private func repetitionWithReferer() -> Attempt.Repetition? {
    guard let referer else { return nil }
    guard current.header.status == 403 else {
      // A request that begins with a field shows nothing about requests without one.
      if (200..<400).contains(current.header.status), request.referer == nil {
        hosts.note(referer, isAcceptedBy: host)
      }
      return nil
    }
    // Other pictures may have shown by now that the host does not depend on the field.
    if hosts.referers(for: host).count < 2 { return nil }
    let sent = request.origin(for: referer)
    while let next = referers.first {
      referers.removeFirst()
      guard next == .none || request.origin(for: next) != nil, request.origin(for: next) != sent
      else { continue }
      self.referer = next
      return Attempt.Repetition(time: hosts.instant, cause: "status 403", isCounted: false)
    }
    hosts.noteEveryRefererIsRefused(by: host)
    return nil
  }

  /// Checks a redirect before libcurl follows it.
  ///
  /// The attempt ends instead if the target's host is paused or closed, or if the redirect needs a detour.
  func followRedirect() {
    guard let target = current.header.location.flatMap(current.address.resolving) else { return }
    let answer = HostAnswer(status: current.header.status, retryAfter: nil)
    hosts.answered(answer, from: askedHost, begun: current.begun)
    current.follow(target)
    if request.ignoresPause { hosts.endPause(of: target.hostKey) }
    switch hosts.verdict(on: target.hostKey) {
    case .open, .busy: leaveForDetour(to: target)
    case .wait(let end):
      current.repetition = Attempt.Repetition(
        time: end,
        cause: "\(target.hostKey) is not to be asked yet",
        isCounted: false
      )
    case .closed(let refusal): current.refusal = refusal
    }
  }

  /// The host that sends the current response.
  var askedHost: String { current.address == request.address ? host : current.address.hostKey }

  private var finalAddress: WebAddress {
    guard current.header.isRedirected, let url = easy?.effectiveURL else { return request.address }
    return WebAddress(url) ?? request.address
  }

  /// Whether the declared length exceeds the limit.
  ///
  /// The length of a compressed body says nothing about its size, and a 304 has no body.
  private var isDeclaredTooLarge: Bool {
    let header = current.header
    guard let length = header.contentLength, header.coding != .packed, header.status != 304 else {
      return false
    }
    return length > request.byteLimit
  }
}

/// The decisions to repeat an attempt.
extension Transfer {
  /// Decides after the header of a response, before the header is delivered.
  func repetition(after answer: HostAnswer) -> Attempt.Repetition? {
    if request.isAwaited, ![429, 503].contains(answer.status) { return nil }
    guard answer.isRetryable, mayTryAgain else { return nil }
    let cause = "status \(answer.status)"
    var repetition = answer.pausesHost ? onceHostIsOpen(because: cause) : afterDelay(because: cause)
    repetition?.status = answer.status
    return repetition
  }

  /// Decides after a failure; records the failure if the host could not be reached.
  func repetition(after failure: CurlFailure) -> Attempt.Repetition? {
    let isUnconnected = isUnconnected(failure)
    if isUnconnected {
      hosts.failedToConnect(to: askedHost, refusal(after: failure), begun: current.begun)
    }
    let isReaders = isStreamed && isHeaderDelivered
    if request.isAwaited, !current.header.isComplete { return nil }
    if failure.cause == .badEncoding, !isReaders {
      return repetitionWithoutUnpacking(because: failure.message)
    }
    guard failure.isRetryable, !isReaders, mayTryAgain else { return nil }
    let cause = failure.message
    var repetition = isUnconnected ? onceHostIsOpen(because: cause) : afterDelay(because: cause)
    repetition?.failure = failure.cause
    return repetition
  }

  /// libcurl's message about a failure, with secrets of the addresses masked.
  func words(for code: CURLcode) -> String {
    let words = easy?.message(for: code) ?? ""
    return CurlFailure.masked(
      CurlFailure.masked(words, about: request.address),
      about: current.address
    )
  }

  /// The refusal with which the transfer ends after a failure.
  ///
  /// A time-out without a connection means that the host is unreachable.
  func refusal(after failure: CurlFailure) -> HostRefusal {
    let isSlow = failure.reason == .timedOut && isUnconnected(failure)
    return HostRefusal(
      reason: isSlow ? .unreachable : failure.reason,
      cause: isSlow ? .slowConnection : failure.cause,
      message: failure.message
    )
  }

  /// Whether another attempt is allowed.
  ///
  /// A transfer without attempts left counts against its host, unless its method must not be repeated.
  private var mayTryAgain: Bool {
    if !mayBeRepeated { return false }
    if attempts <= hosts.policy.retries { return hosts.mayRetry(askedHost) }
    hosts.gaveUp(on: askedHost)
    return false
  }

  /// Whether the server may receive the request again.
  private var mayBeRepeated: Bool { request.content?.method.isIdempotent != false }

  /// Whether there was no connection; for the target of a redirect, libcurl does not report that.
  private func isUnconnected(_ failure: CurlFailure) -> Bool {
    if failure.isUnconnected { return true }
    guard failure.reason == .timedOut, !current.header.isRedirected else { return false }
    return easy?.hasConnected == false
  }

  private func onceHostIsOpen(because cause: String) -> Attempt.Repetition? {
    switch hosts.verdict(on: askedHost) {
    case .open, .busy: inTime(hosts.instant, because: cause)
    case .wait(let end): inTime(end, because: cause)
    case .closed: nil
    }
  }

  private func afterDelay(because cause: String) -> Attempt.Repetition? {
    let delay = hosts.policy.delay(beforeRetry: attempts, random: hosts.chance)
    return inTime(hosts.instant + delay, because: cause)
  }

  private func inTime(
    _ time: MonotonicInstant,
    because cause: String
  ) -> Attempt.Repetition? {
    guard let deadline, time <= deadline else { return nil }
    return Attempt.Repetition(time: time, cause: cause)
  }
}

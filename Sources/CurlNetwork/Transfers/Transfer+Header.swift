import FoundationEssentials
import Models
import Workers

extension Transfer {
  /// What the caller is told of the final response.
  ///
  /// A 304 renews the validators it names; the others hold on (RFC 9111, section 4.3.4).
  var finalHeader: NetworkHeader {
    let header = current.header
    var (validators, modified) = (header.validators, header.modified)
    if header.status == 304 {
      validators.entityTag = validators.entityTag ?? request.validators.entityTag
      validators.lastModified = validators.lastModified ?? request.validators.lastModified
      modified = validators.lastModified.flatMap { FieldDate.date($0) }
    }
    return NetworkHeader(
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
      permanentAddress: current.permanentPlace,
      retryAfter: current.retryAfter,
      firstPeer: firstPeer
    )
  }

  func completeHeader() {
    if current.header.status == 206, request.range == nil {
      // A part taken for the whole would be a picture that ends too early.
      return refuse(.other, "the server answers with a part that was not asked for")
    }
    current.retryAfter = current.header.retryAfter?.end(
      now: hosts.date,
      serverDate: current.header.date,
      longest: hosts.policy.longestPause
    )
    let answer = HostAnswer(status: current.header.status, retryAfter: current.retryAfter)
    hosts.answered(answer, from: askedHost, begun: current.begun)
    current.repetition = repetition(after: answer) ?? repetitionWithoutUnpacking()
    guard current.repetition == nil else { return }
    if isDeclaredTooLarge { refuseSize() } else { deliverHeader() }
  }

  private func repetitionWithoutUnpacking() -> Try.Repetition? {
    guard current.header.coding == .unknown, unpacks else { return nil }
    unpacks = false
    let now = hosts.instant
    return Try.Repetition(time: now, cause: "an encoding that is none", isCounted: false)
  }

  /// libcurl follows redirects itself, unless they lead to a host that is not to be asked, or another
  /// way than the one that it was set up for.
  func followRedirect() {
    guard let target = current.header.location.flatMap(current.place.resolving) else { return }
    let answer = HostAnswer(status: current.header.status, retryAfter: nil)
    hosts.answered(answer, from: askedHost, begun: current.begun)
    current.follow(target)
    switch hosts.verdict(on: target.hostKey) {
    case .open, .busy: leaveForDetour(to: target)
    case .wait(let end):
      current.repetition = Try.Repetition(
        time: end,
        cause: "\(target.hostKey) is not to be asked yet",
        isCounted: false
      )
    case .closed(let refusal): current.refusal = refusal
    }
  }

  /// Whose answer is awaited or has come.
  var askedHost: String { current.place == request.address ? host : current.place.hostKey }

  private var finalAddress: WebAddress {
    guard current.header.isRedirected, let url = easy?.effectiveURL else { return request.address }
    return WebAddress(url) ?? request.address
  }

  /// What is sent compressed may have any size unpacked; a 304 declares what it does not send.
  private var isDeclaredTooLarge: Bool {
    let header = current.header
    guard let length = header.contentLength, header.coding != .packed, header.status != 304 else {
      return false
    }
    return length > request.byteLimit
  }
}

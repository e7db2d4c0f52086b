internal import CCurl
import Models
import Workers

/// One transfer from its start to its end; only the loop's thread uses it.
///
/// It consists of attempts. An attempt with a temporary failure is repeated, unless a part of its body has been
/// delivered. The caller gets the result of the last attempt.
final class Transfer {
  /// The result of offering a piece of the body.
  enum Reception {
    case taken
    case refused
    /// The buffer is full: libcurl has to pause and offer the piece again.
    case later
  }

  /// The result of the end of an attempt.
  enum Ending {
    case answered
    case repeated(Attempt.Repetition)
  }

  let posted: PostedTransfer
  let hosts: HostRegistry
  let rules: ReachRules
  /// The libcurl handle; nil while the transfer waits for its turn.
  var easy: EasyHandle?
  /// The current attempt.
  var current: Attempt
  /// Whether libcurl decompresses the body.
  var unpacks: Bool
  /// The `Referer` fields that were not sent yet, the next one first; the current attempt has the one before.
  var referers: [Referer] = []
  /// The `Referer` field of the current attempt; nil for a request that is never repeated with such a field.
  var referer: Referer?
  /// The number of attempts that have begun.
  private(set) var attempts = 0
  /// The time after which no further attempt may begin; nil before the first attempt.
  private(set) var deadline: MonotonicInstant?
  private(set) var isHeaderDelivered = false
  /// The peer of the first connection of all attempts; nil before that connection.
  var firstPeer: NetworkPeer?
  /// The redirect at which the current attempt began; nil when it began at the request's address.
  private(set) var detour: Detour?
  /// Whether a limit on bytes holds the transfer.
  var isHeld = false
  /// Whether the current attempt has request fields of the user.
  var hasOwnFields = false
  /// The bytes received by earlier attempts.
  private var spentBytes = 0

  init(_ posted: PostedTransfer, hosts: HostRegistry, rules: ReachRules) {
    self.posted = posted
    self.hosts = hosts
    self.rules = rules
    unpacks = posted.request.decompresses
    current = Attempt(begun: hosts.instant, address: posted.request.address)
    if posted.request.page != nil {
      referers = hosts.referers(for: posted.host)
      if let first = posted.request.referer.map({ Referer($0) }) {
        referers = [first] + referers.filter { $0 != first }
      }
      referer = referers.removeFirst()
    }
  }

  var id: TransferID { posted.id }
  var request: NetworkRequest { posted.request }
  var host: String { posted.host }
  private var receiver: TransferReceiver { posted.receiver }
  var isStreamed: Bool { posted.isStreamed }

  func belongs(to group: TransferGroup) -> Bool {
    if case .numbered(_, let own) = receiver { own === group } else { false }
  }

  /// Begins an attempt, at the previous attempt's detour if it has one.
  func begin(with easy: EasyHandle) {
    let now = hosts.instant
    self.easy = easy
    isHeld = false
    detour = current.detour
    current = Attempt(begun: now, address: request.address, after: detour)
    deadline = deadline ?? now + hosts.policy.budget
    if attempts > 0 { request.waits?.note(nil) }
    attempts += 1
    hosts.started(on: host, at: now)
  }

  /// Reads a header line; false ends the attempt.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    let current = current
    switch current.header.read(line) {
    // The header is not complete, so there is nothing to decide.
    case .incomplete: return true
    case .tooLarge: refuseHeader()
    case .redirected: followRedirect()
    case .complete: completeHeader()
    }
    if current.detour != nil { return false }
    return current.refusal == nil && (current.repetition == nil || current.header.isComplete)
  }

  func receiveBody(_ piece: UnsafeRawBufferPointer) -> Reception {
    if current.repetition != nil { return passOver(piece) }
    if mustWait { return .later }
    if !isHeaderDelivered { deliverHeader() }
    guard piece.count <= request.byteLimit - current.bodyCount else {
      refuseSize()
      return .refused
    }
    if isStreamed {
      if case .stream(_, let buffer) = receiver, !buffer.append(piece) { return .later }
    } else {
      current.body.append(contentsOf: piece)
    }
    current.bodyCount += piece.count
    hosts.pace.received(piece.count, from: host, at: hosts.instant)
    return .taken
  }

  /// Whether the time that the rate allows for earlier pieces is not over yet; holds the transfer if so.
  private var mustWait: Bool {
    guard let next = hosts.pace.nextPiece(from: host), next > hosts.instant else { return false }
    if !isHeld { hosts.pace.hold(id, from: host) }
    isHeld = true
    return true
  }

  /// Delivers the received bytes of a streamed body to its reader.
  ///
  /// - Returns: Whether the transfer was paused and can continue.
  func flush() -> Bool {
    guard isStreamed, case .stream(_, let buffer) = receiver, easy != nil else { return false }
    return buffer.flush(wireBytes: wireBytes)
  }

  /// Ends an attempt with libcurl's result, and answers the transfer unless the attempt is repeated.
  func finish(_ code: CURLcode) -> Ending {
    _ = flush()
    if let repetition = current.repetition { return leave(for: repetition) }
    if current.detour != nil { return leave(for: .detour(at: hosts.instant)) }
    if isLineTooLong(code) { refuseHeader() }
    if let refusal = current.refusal ?? (code == CURLE_OK ? nil : current.sockets.refusal) {
      fail(refusal)
    } else if let limit = limitPassed(code) {
      let message = "it took longer than \(Int(limit.seconds)) s"
      fail(HostRefusal(reason: .tooSlow(limit: limit), message: message))
    } else if let failure = failure(code) {
      if let repetition = repetition(after: failure) { return leave(for: repetition) }
      fail(refusal(after: failure))
    } else {
      succeed()
    }
    return .answered
  }

  /// Whether a collected transfer is complete, so that its reply needs no further decision.
  func hasComeWhole(_ code: CURLcode) -> Bool {
    code == CURLE_OK && !isStreamed && current.header.isComplete && current.repetition == nil
      && current.detour == nil && current.refusal == nil
  }

  /// The time limit of the request, if the attempt has exceeded it; such an attempt is not repeated.
  private func limitPassed(_ code: CURLcode) -> Duration? {
    guard code == CURLE_OPERATION_TIMEDOUT, let limit = request.timeLimit else { return nil }
    // libcurl counts milliseconds, from an instant that it may have read before the attempt began.
    return hosts.instant - current.begun >= limit - .milliseconds(10) ? limit : nil
  }

  /// The failure of an attempt; nil for a complete response.
  private func failure(_ code: CURLcode) -> CurlFailure? {
    if current.isPeerGone, code == CURLE_ABORTED_BY_CALLBACK {
      return CurlFailure(code: CURLE_SEND_ERROR, message: "the connection ended before the request")
    }
    guard code == CURLE_OK else {
      return CurlFailure(
        code: code,
        message: words(for: code),
        proxyStatus: easy?.proxyStatus ?? 0,
        systemError: Int32(truncatingIfNeeded: easy?.systemError ?? 0)
      )
    }
    // libcurl accepts a closed connection as the end of a header.
    if current.header.isComplete { return nil }
    return CurlFailure(code: CURLE_RECV_ERROR, message: "the connection ended in the header")
  }

  /// Ends the transfer without a complete response.
  func fail(_ refusal: HostRefusal) {
    let error = NetworkError(
      reason: refusal.reason,
      address: request.address,
      cause: refusal.cause,
      message: refusal.message
    )
    if isHeaderDelivered, case .stream(_, let buffer) = receiver {
      buffer.finish(.failure(error))
    } else {
      receiver.fail(error)
    }
  }

  func refuse(_ reason: NetworkError.Reason, _ message: String) {
    current.refusal = HostRefusal(reason: reason, message: message)
  }

  private func refuseHeader() {
    refuse(.other, "the header is larger than \(TransferLimits.headerBytes) bytes")
  }

  func refuseSize() {
    let limit = request.byteLimit
    refuse(.tooLarge(limit: limit), "the body is larger than \(limit) bytes")
  }

  func deliverHeader() {
    isHeaderDelivered = true
    switch receiver {
    case .reply, .numbered:
      let declared = current.header.contentLength ?? 0
      let promised = min(declared, request.byteLimit, TransferLimits.reservation)
      current.body.reserveCapacity(promised)
    case .stream(let continuation, _):
      continuation.resume(returning: .success(finalHeader))
    }
  }

  /// Whether a header line exceeded libcurl's own limit.
  ///
  /// libcurl reports such a line as CURLE_OUT_OF_MEMORY, and since 8.6 as CURLE_TOO_LARGE.
  private func isLineTooLong(_ code: CURLcode) -> Bool {
    (code == CURLE_OUT_OF_MEMORY || code.rawValue == 100) && !current.header.isComplete
      && easy?.hasConnected == true
  }

  private func succeed() {
    switch receiver {
    case .reply(let continuation):
      continuation.resume(returning: .success(reply))
    case .numbered(let number, let group):
      group.pass(number, .success(reply))
    case .stream(_, let buffer):
      if !isHeaderDelivered { deliverHeader() }
      buffer.finish(.success(()))
    }
  }

  private var reply: NetworkReply {
    NetworkReply(header: finalHeader, body: current.body, wireBytes: wireBytes)
  }

  private func leave(for repetition: Attempt.Repetition) -> Ending {
    spentBytes = wireBytes
    isHeaderDelivered = false
    if !repetition.isCounted { attempts -= 1 }
    return .repeated(repetition)
  }

  /// Skips a piece of a body that is not needed; ends the connection if the body is large.
  private func passOver(_ piece: UnsafeRawBufferPointer) -> Reception {
    current.bodyCount += piece.count
    return current.bodyCount <= TransferLimits.passedOver ? .taken : .refused
  }

  private var wireBytes: Int { spentBytes + (easy?.wireBytes ?? 0) }
}

internal import CCurl
import Models
import Workers

/// One transfer from its start to its end, known to the loop's thread alone.
///
/// It is made of tries. A try whose response or failure may be another one soon is repeated, as long
/// as nobody has been given anything of it; the last one counts, however it comes out.
final class Transfer {
  /// What becomes of a piece of the body.
  enum Reception {
    case taken
    case refused
    /// There is no room now; libcurl is to pause and offer the piece again.
    case later
  }

  /// What becomes of a transfer when a try has ended.
  enum Ending {
    case answered
    case repeated(Try.Repetition)
  }

  let order: TransferOrder
  let hosts: HostBook
  let rules: ReachRules
  /// The handle at work for it; nil while it waits for its turn.
  var easy: EasyHandle?
  var current: Try
  /// Whether libcurl is to unpack what comes packed.
  var unpacks = true
  /// How many tries have begun.
  private(set) var tries = 0
  /// When no further try is begun any more; nil before the first.
  private(set) var deadline: MonotonicInstant?
  private(set) var isHeaderDelivered = false
  /// Where the first connection of all tries led; nil before it.
  var firstPeer: NetworkPeer?
  /// Where the try at work began, when that is not the request's address.
  private(set) var detour: Detour?
  /// What the tries before this one have cost.
  private var spentBytes = 0

  init(_ order: TransferOrder, hosts: HostBook, rules: ReachRules) {
    self.order = order
    self.hosts = hosts
    self.rules = rules
    current = Try(begun: hosts.instant, place: order.request.address)
  }

  var id: TransferID { order.id }
  var request: NetworkRequest { order.request }
  var host: String { order.host }
  private var receiver: TransferReceiver { order.receiver }
  var isStreamed: Bool { order.isStreamed }

  func belongs(to group: TransferGroup) -> Bool {
    if case .numbered(_, let own) = receiver { own === group } else { false }
  }

  /// Begins a try: where the one before is to go on, else anew.
  func begin(with easy: EasyHandle) {
    let now = hosts.instant
    self.easy = easy
    detour = current.detour
    current = Try(begun: now, place: request.address, after: detour)
    deadline = deadline ?? now + hosts.policy.budget
    tries += 1
    hosts.started(on: host, at: now)
  }

  /// Takes a header line; false ends the try.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    let current = current
    switch current.header.read(line) {
    // Nothing has been decided by it.
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
    return .taken
  }

  /// Lets the reader of a streamed body have what has come.
  ///
  /// - Returns: whether the transfer was paused and can go on.
  func flush() -> Bool {
    guard isStreamed, case .stream(_, let buffer) = receiver, easy != nil else { return false }
    return buffer.flush(wireBytes: wireBytes)
  }

  /// Ends a try as libcurl reports it, and with it the transfer unless the try is repeated.
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

  /// Whether nothing is left to decide of a transfer that is collected: it ends with its reply.
  func hasComeWhole(_ code: CURLcode) -> Bool {
    code == CURLE_OK && !isStreamed && current.header.isComplete && current.repetition == nil
      && current.detour == nil && current.refusal == nil
  }

  /// How long the response might have taken, when it has taken longer; that is no reason to try again.
  private func limitPassed(_ code: CURLcode) -> Duration? {
    guard code == CURLE_OPERATION_TIMEDOUT, let limit = request.timeLimit else { return nil }
    return hosts.instant - current.begun >= limit ? limit : nil
  }

  /// What was wrong; nil for a whole response.
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
    // libcurl takes the end of a connection for the end of the header.
    if current.header.isComplete { return nil }
    return CurlFailure(code: CURLE_RECV_ERROR, message: "the connection ended in the header")
  }

  /// Ends the transfer without a whole response.
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

  /// libcurl gathers a header line up to a limit of its own, and then says that memory is out, or
  /// from 8.6 on with a code of its own (CURLE_TOO_LARGE) that something is too large.
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

  private func leave(for repetition: Try.Repetition) -> Ending {
    spentBytes = wireBytes
    isHeaderDelivered = false
    if !repetition.isCounted { tries -= 1 }
    return .repeated(repetition)
  }

  /// A large body that nobody wants is cut off, and the connection with it.
  private func passOver(_ piece: UnsafeRawBufferPointer) -> Reception {
    current.bodyCount += piece.count
    return current.bodyCount <= TransferLimits.passedOver ? .taken : .refused
  }

  private var wireBytes: Int { spentBytes + (easy?.wireBytes ?? 0) }
}

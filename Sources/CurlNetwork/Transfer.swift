internal import CCurl
import Models
import Workers

/// One transfer from its start to its end, known to the loop's thread alone.
final class Transfer {
  /// What becomes of a piece of the body.
  enum Reception {
    case taken
    case refused
    /// There is no room now; libcurl is to pause and offer the piece again.
    case later
  }

  let id: TransferID
  let request: NetworkRequest
  let host: String
  /// The handle at work for it; nil while it waits for its turn.
  var easy: EasyHandle?
  private(set) var header = ResponseHeaderReader()
  private let receiver: TransferReceiver
  private var body: [UInt8] = []
  private var bodyCount = 0
  private var isHeaderDelivered = false
  /// Why we ended it ourselves, of which libcurl only knows that a callback refused.
  private var refusal: (reason: NetworkError.Reason, message: String)?

  init(_ order: TransferOrder) {
    id = order.id
    request = order.request
    receiver = order.receiver
    host = order.request.address.hostAndPort
  }

  var isStreamed: Bool {
    if case .stream = receiver { true } else { false }
  }

  /// Takes a header line; false ends the transfer.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    switch header.read(line) {
    case .incomplete: return true
    case .tooLarge:
      refuse(.other, "the header is larger than \(TransferLimits.headerBytes) bytes")
      return false
    case .complete:
      if isDeclaredTooLarge { refuseSize() } else { deliverHeader() }
      return refusal == nil
    }
  }

  func receiveBody(_ piece: UnsafeRawBufferPointer) -> Reception {
    guard piece.count <= request.byteLimit - bodyCount else {
      refuseSize()
      return .refused
    }
    switch receiver {
    case .reply: body.append(contentsOf: piece)
    case .stream(_, let buffer): if !buffer.append(piece) { return .later }
    }
    bodyCount += piece.count
    return .taken
  }

  /// Lets the reader of a streamed body have what has come.
  ///
  /// - Returns: whether the transfer was paused and can go on.
  func flush() -> Bool {
    guard case .stream(_, let buffer) = receiver, let easy else { return false }
    return buffer.flush(wireBytes: easy.wireBytes)
  }

  /// Ends the transfer as libcurl reports it.
  func finish(_ code: CURLcode) {
    _ = flush()
    if let refusal {
      fail(refusal.reason, message: refusal.message)
    } else if code == CURLE_OK {
      succeed()
    } else {
      let failure = CurlFailure(code: code, message: easy?.message(for: code) ?? "")
      fail(failure.reason, message: failure.message(about: request.address))
    }
  }

  /// Ends the transfer without a whole response.
  func fail(_ reason: NetworkError.Reason, message: String) {
    let error = NetworkError(reason: reason, address: request.address, message: message)
    if isHeaderDelivered, case .stream(_, let buffer) = receiver {
      buffer.finish(.failure(error))
    } else {
      receiver.fail(error)
    }
  }

  private func succeed() {
    switch receiver {
    case .reply(let continuation):
      let wireBytes = easy?.wireBytes ?? 0
      let reply = NetworkReply(header: finalHeader, body: body, wireBytes: wireBytes)
      continuation.resume(returning: .success(reply))
    case .stream(_, let buffer):
      if !isHeaderDelivered { deliverHeader() }
      buffer.finish(.success(()))
    }
  }

  private func deliverHeader() {
    isHeaderDelivered = true
    switch receiver {
    case .reply:
      let promised = min(header.contentLength ?? 0, request.byteLimit, TransferLimits.reservation)
      body.reserveCapacity(promised)
    case .stream(let continuation, _):
      continuation.resume(returning: .success(finalHeader))
    }
  }

  /// A 304 renews the validators it names; the others hold on (RFC 9111, section 4.3.4).
  private var finalHeader: NetworkHeader {
    var validators = header.validators
    if header.status == 304 {
      validators.entityTag = validators.entityTag ?? request.validators.entityTag
      validators.lastModified = validators.lastModified ?? request.validators.lastModified
    }
    return NetworkHeader(
      status: header.status,
      address: finalAddress,
      validators: validators,
      mediaType: header.mediaType,
      charset: header.charset,
      contentLength: header.contentLength,
      nextPage: header.nextPage.flatMap(finalAddress.resolving)
    )
  }

  private var finalAddress: WebAddress {
    guard header.isRedirected, let url = easy?.effectiveURL else { return request.address }
    return WebAddress(url) ?? request.address
  }

  /// What is sent compressed may have any size unpacked; a 304 declares what it does not send.
  private var isDeclaredTooLarge: Bool {
    guard let length = header.contentLength, !header.isEncoded, header.status != 304 else {
      return false
    }
    return length > request.byteLimit
  }

  private func refuseSize() {
    let limit = request.byteLimit
    refuse(.tooLarge(limit: limit), "the body is larger than \(limit) bytes")
  }

  private func refuse(_ reason: NetworkError.Reason, _ message: String) {
    refusal = (reason, message)
  }
}

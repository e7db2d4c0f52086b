/// Answers the requests of one connection, one after another.
struct LoopbackConnection {
  private let socket: LoopbackSocket
  private let log: LoopbackLog
  private let ways: LoopbackWays
  private let handler: LoopbackServer.Handler

  init(
    _ socket: LoopbackSocket,
    log: LoopbackLog,
    ways: LoopbackWays,
    handler: @escaping LoopbackServer.Handler
  ) {
    self.socket = socket
    self.log = log
    self.ways = ways
    self.handler = handler
  }

  func serve() {
    if carryOut(ways.welcome, over: socket) {
      if let security = ways.security {
        security.accept(socket).map(serve)
      } else {
        answer(over: socket)
      }
    }
    log.disconnected(socket)
  }

  private func serve(_ stream: TLSStream) {
    if stream.speaksHTTP2 {
      HTTP2Connection(stream, socket: socket, log: log, answers: ways.streams).serve()
    } else {
      answer(over: stream)
    }
  }

  private func answer(over stream: some LoopbackStream) {
    var received: [UInt8] = []
    while let request = nextRequest(&received, from: stream) {
      log.arrived(request)
      guard carryOut(handler(request), over: stream) else { return }
    }
    socket.shutDown()
  }

  private func nextRequest(
    _ received: inout [UInt8],
    from stream: some LoopbackStream
  ) -> LoopbackRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = received.firstRange(of: end) {
        let header = received[..<range.lowerBound]
        received.removeSubrange(..<range.upperBound)
        guard var request = LoopbackRequest(header: Self.text(header)) else { return nil }
        while received.count < request.bodyLength {
          let more = stream.read()
          if more.isEmpty { return nil }
          received += more
        }
        request.body = Array(received.prefix(request.bodyLength))
        received.removeFirst(request.bodyLength)
        return request
      }
      let more = stream.read()
      if more.isEmpty { return nil }
      received += more
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// Executes the steps of a response; returns false if the connection is over.
  private func carryOut(_ response: LoopbackResponse, over stream: some LoopbackStream) -> Bool {
    guard response.steps.allSatisfy({ carryOut($0, over: stream) }) else {
      log.brokenSends.add()
      socket.shutDown()
      return false
    }
    switch response.ending {
    case .open: return true
    case .close: socket.shutDown()
    case .reset: socket.resetOnClosing()
    }
    return false
  }

  /// Executes a step of a response; returns false if the client has hung up.
  private func carryOut(
    _ step: LoopbackResponse.Step,
    over stream: some LoopbackStream
  ) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, over: stream)
    case .wait(let gate):
      gate.waitUntilOpen()
      return true
    case .sendForever(let bytes):
      while send(bytes, over: stream) {}
      return false
    case .trickle(let bytes):
      return bytes.allSatisfy { socket.wait(.seconds(1)) && send([$0], over: stream) }
    case .read: return !stream.read().isEmpty
    case .stall:
      while socket.wait(.seconds(60)) {}
      return false
    }
  }

  private func send(_ bytes: [UInt8], over stream: some LoopbackStream) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = stream.send(rest) else { return false }
      if count == 0 { log.blockedSends.add() }
      log.sentBytes.add(count)
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Answers the requests of one connection, one after another.
struct LoopbackConnection {
  private let socket: LoopbackSocket
  private let log: LoopbackLog
  private let handler: LoopbackServer.Handler

  init(_ socket: LoopbackSocket, log: LoopbackLog, handler: @escaping LoopbackServer.Handler) {
    self.socket = socket
    self.log = log
    self.handler = handler
  }

  func serve() {
    var received: [UInt8] = []
    while let request = nextRequest(&received) {
      log.arrived(request)
      let response = handler(request)
      guard response.steps.allSatisfy(carryOut) else {
        log.brokenSends.add()
        break
      }
      if response.closes { break }
    }
    socket.shutDown()
    log.disconnected(socket)
  }

  private func nextRequest(_ received: inout [UInt8]) -> LoopbackRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = received.firstRange(of: end) {
        let header = received[..<range.lowerBound]
        received.removeSubrange(..<range.upperBound)
        return LoopbackRequest(header: Self.text(header))
      }
      let more = socket.read()
      if more.isEmpty { return nil }
      received += more
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// Does a step of a response; false when the client has hung up.
  private func carryOut(_ step: LoopbackResponse.Step) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes)
    case .wait(let gate):
      gate.waitUntilOpen()
      return true
    case .sendForever(let bytes):
      while send(bytes) {}
      return false
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = socket.send(rest) else { return false }
      if count == 0 { log.blockedSends.add() }
      log.sentBytes.add(count)
      rest = rest.dropFirst(count)
    }
    return true
  }
}

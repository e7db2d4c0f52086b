/// Serves one connection of HTTP/2, with as much of the protocol as misbehaviour needs.
///
/// It does not read requests: its behaviour depends only on the number of the stream.
struct HTTP2Connection {
  private let stream: TLSStream
  private let socket: LoopbackSocket
  private let log: LoopbackLog
  private let answers: @Sendable (_ number: Int) -> [HTTP2Step]

  init(
    _ stream: TLSStream,
    socket: LoopbackSocket,
    log: LoopbackLog,
    answers: @escaping @Sendable (_ number: Int) -> [HTTP2Step]
  ) {
    self.stream = stream
    self.socket = socket
    self.log = log
    self.answers = answers
  }

  /// The first bytes that a client sends (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  func serve() {
    var received: [UInt8] = []
    while received.count < Self.preface.count {
      guard read(into: &received) else { return }
    }
    received.removeFirst(Self.preface.count)
    guard send(HTTP2Frame(.settings)) else { return }
    while let frame = nextFrame(&received) {
      guard answer(frame) else { break }
    }
    socket.shutDown()
  }

  private func read(into received: inout [UInt8]) -> Bool {
    let more = stream.read()
    received += more
    return !more.isEmpty
  }

  private func nextFrame(_ received: inout [UInt8]) -> HTTP2Frame? {
    while true {
      if let frame = HTTP2Frame(taking: &received) { return frame }
      guard read(into: &received) else { return nil }
    }
  }

  /// Answers a frame; returns false if the connection is over.
  private func answer(_ frame: HTTP2Frame) -> Bool {
    let isAcknowledgement = frame.flags & HTTP2Frame.first != 0
    switch HTTP2Frame.Kind(rawValue: frame.kind) {
    case .settings where !isAcknowledgement:
      return send(HTTP2Frame(.settings, flags: HTTP2Frame.first))
    case .ping where !isAcknowledgement:
      return send(HTTP2Frame(.ping, flags: HTTP2Frame.first, frame.payload))
    case .headers:
      let number = log.arrived(.stream)
      return answers(number).allSatisfy { carryOut($0, on: frame.stream) }
    case .goAway: return false
    default: return true
    }
  }

  private func carryOut(_ step: HTTP2Step, on number: UInt32) -> Bool {
    switch step {
    case .header(let status, let length):
      var fields = [(name: ":status", value: String(status))]
      length.map { fields.append((name: "content-length", value: String($0))) }
      return send(.header(fields, stream: number))
    case .data(let bytes, let endsStream):
      let flags = endsStream ? HTTP2Frame.first : 0
      return send(HTTP2Frame(.data, flags: flags, stream: number, bytes))
    case .resetStream(let code): return send(.resetStream(code, stream: number))
    case .goAway(let code, let answersThisStream):
      return send(.goAway(code, lastStream: answersThisStream ? number : 0))
    case .hangUp: return false
    }
  }

  private func send(_ frame: HTTP2Frame) -> Bool {
    let bytes = frame.bytes
    log.sentBytes.add(bytes.count)
    return stream.send(bytes[...]) == bytes.count
  }
}

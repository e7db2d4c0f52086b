/// The steps with which the loopback server answers a request, well-behaved or not.
package struct LoopbackResponse: Sendable {
  package enum Step: Sendable {
    case send([UInt8])
    /// Waits for a test to open the gate.
    case wait(Gate)
    /// Sends the same bytes repeatedly until the client hangs up.
    case sendForever([UInt8])
    /// Sends one byte per second.
    case trickle([UInt8])
    /// Waits for bytes from the client, and ignores them.
    case read
    /// Does nothing until the client hangs up.
    case stall
  }

  /// The state of the connection after the last step.
  package enum Ending: Sendable {
    case open
    case close
    /// Closed with a reset (RFC 9293, section 3.10.7), which may reach the client before it has read the
    /// sent bytes.
    case reset
  }

  package var steps: [Step]
  package var ending: Ending

  package init(_ steps: [Step], ending: Ending) {
    self.steps = steps
    self.ending = ending
  }

  package init(_ steps: [Step], closes: Bool = false) {
    self.init(steps, ending: closes ? .close : .open)
  }

  /// Waits for the gate before the first step.
  package func held(by gate: Gate) -> LoopbackResponse {
    LoopbackResponse([.wait(gate)] + steps, ending: ending)
  }
}

extension LoopbackResponse {
  /// Closes the connection without a response.
  package static var hangUp: LoopbackResponse { LoopbackResponse([], closes: true) }

  /// A body of declared length.
  package static func whole(
    _ body: [UInt8] = [],
    status: Int = 200,
    fields: [String] = []
  ) -> LoopbackResponse {
    let length = status == 304 ? [] : ["Content-Length: \(body.count)"]
    return LoopbackResponse([.send(header(status, fields + length) + body)])
  }

  /// A body in the chunked coding, with a chunk for each piece.
  package static func chunked(_ pieces: [[UInt8]], fields: [String] = []) -> LoopbackResponse {
    let header = header(200, fields + ["Transfer-Encoding: chunked"])
    let chunks = pieces.map { piece in
      Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return LoopbackResponse([.send(header + chunks.joined() + Array("0\r\n\r\n".utf8))])
  }

  /// A body that ends before its declared length.
  package static func truncated(_ body: [UInt8], declaring length: Int) -> LoopbackResponse {
    LoopbackResponse([.send(header(200, ["Content-Length: \(length)"]) + body)], closes: true)
  }

  /// The first part of a body, and the second part once the gate is open.
  package static func halted(
    _ first: [UInt8],
    _ second: [UInt8] = [],
    by gate: Gate
  ) -> LoopbackResponse {
    let header = header(200, ["Content-Length: \(first.count + second.count)"])
    return LoopbackResponse([.send(header + first), .wait(gate), .send(second)])
  }

  /// A body that never ends.
  package static func endless() -> LoopbackResponse {
    let piece = [UInt8](repeating: 0x61, count: 65_536)
    return LoopbackResponse([.send(header(200, [])), .sendForever(piece)], closes: true)
  }

  /// The requested rest of a body if the request's validator matches (RFC 9110, section 13.1.5),
  /// else the whole body.
  package static func resumable(
    _ body: [UInt8],
    tag: String,
    to request: LoopbackRequest
  ) -> LoopbackResponse {
    let bytes = request["Range"]?.wholeMatch(of: /bytes=(\d+)-/).flatMap { Int($0.1) }
    guard let first = bytes, request["If-Range"] == tag, !tag.hasPrefix("W/") else {
      return whole(body, fields: ["ETag: \(tag)"])
    }
    guard first < body.count else {
      return whole(status: 416, fields: ["Content-Range: bytes */\(body.count)"])
    }
    let range = "Content-Range: bytes \(first)-\(body.count - 1)/\(body.count)"
    return whole(Array(body[first...]), status: 206, fields: ["ETag: \(tag)", range])
  }

  package static func redirect(to address: String, status: Int = 302) -> LoopbackResponse {
    whole(status: status, fields: ["Location: \(address)"])
  }

  /// A status line and fields; each scalar is sent as one byte (ISO 8859-1).
  package static func header(_ status: Int, _ fields: [String]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) Status"] + fields + ["", ""]
    return lines.joined(separator: "\r\n").unicodeScalars.map {
      UInt8(truncatingIfNeeded: $0.value)
    }
  }
}

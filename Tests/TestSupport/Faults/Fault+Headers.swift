/// Headers that are too large or invalid.
extension Fault {
  static let headers = [
    Fault("endless-header", "sends header lines that never end", .largeHeader) { _, _ in
      LoopbackResponse([.send(status), .sendForever(line(of: 1_000))], closes: true)
    },
    Fault("many-fields", "sends a header of very many fields", .largeHeader) { _, picture in
      let lines = Array([[UInt8]](repeating: line(of: 20), count: 9_000).joined())
      let end = Array("Content-Length: \(picture.count)\r\n\r\n".utf8)
      return LoopbackResponse([.send(status + lines + end + picture)])
    },
    Fault("long-line", "sends a header line of 200,000 bytes", .largeHeader) { _, picture in
      let end = Array("Content-Length: \(picture.count)\r\n\r\n".utf8)
      return LoopbackResponse([.send(status + line(of: 200_000) + end + picture)])
    },
    Fault("endless-line", "sends a header line that never ends", .largeHeader) { _, _ in
      LoopbackResponse([.send(status + Array("X: ".utf8)), .sendForever(letters(9_999))])
    },
    Fault("endless-interim", "sends interim responses that never end", .largeHeader) { _, _ in
      let interim = Array("HTTP/1.1 103 Early Hints\r\n".utf8) + line(of: 1_000)
      return LoopbackResponse([.sendForever(interim + Array("\r\n".utf8))], closes: true)
    },
    Fault(
      "no-status-line",
      "sends the picture without a header",
      .refused("not valid HTTP", requests: 1)
    ) {
      _,
      picture in
      LoopbackResponse([.send(picture)], closes: true)
    },
    statusLine("garbled-status", "says hello instead of a status", "HELLO THERE", "not valid HTTP"),
    statusLine("unknown-version", "claims to speak HTTP/7", "HTTP/7.0 200 OK", "not valid HTTP"),
    statusLine(
      "status-of-letters",
      "gives a status that is not a number",
      "HTTP/1.1 ABC OK",
      "not valid HTTP"
    ),
    statusLine(
      "status-of-999",
      "gives a status that there is not",
      "HTTP/1.1 999 Odd",
      "the server answered 999"
    ),
    Fault(
      "field-without-colon",
      "sends a header line that is not a field",
      .refused("not valid HTTP", requests: 1)
    ) {
      _,
      picture in
      .whole(picture, fields: ["what is this"])
    },
    Fault(
      "zero-byte-in-header",
      "sends a zero byte in a field",
      .refused("not valid HTTP", requests: 1)
    ) {
      _,
      picture in
      .whole(picture, fields: ["X-Odd: a\0b"])
    },
  ]

  private static let status = Array("HTTP/1.1 200 OK\r\n".utf8)

  private static func letters(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

  private static func line(of count: Int) -> [UInt8] {
    Array("X-Again: ".utf8) + letters(count) + Array("\r\n".utf8)
  }

  private static func statusLine(
    _ name: String,
    _ summary: String,
    _ line: String,
    _ reason: String
  ) -> Fault {
    Fault(name, summary, .refused(reason, requests: 1)) { _, picture in
      let header = Array("\(line)\r\nContent-Length: \(picture.count)\r\n\r\n".utf8)
      return LoopbackResponse([.send(header + picture)], closes: true)
    }
  }
}

extension FaultOutcome {
  static let largeHeader = FaultOutcome.refused("the header is larger than", requests: 1)
}

/// Errors in the chunked coding (RFC 9112, section 7.1).
extension Fault {
  static let chunks = [
    chunked(
      "bad-chunk-size",
      "sends a chunk size that is not a number",
      .refused("chunks that are not valid", requests: 5)
    ) { picture in
      Array("size\r\n".utf8) + picture
    },
    chunked(
      "negative-chunk-size",
      "sends a negative chunk size",
      .refused("chunks that are not valid", requests: 5)
    ) {
      picture in
      Array("-5\r\n".utf8) + picture
    },
    chunked(
      "huge-chunk-size",
      "sends a chunk size beyond all numbers",
      .refused("chunks that are not valid", requests: 5)
    ) { picture in
      Array("ffffffffffffffffffff\r\n".utf8) + picture
    },
    chunked(
      "large-chunk-size",
      "sends a chunk that never ends",
      .refused("before the whole response had arrived", requests: 5)
    ) { picture in
      Array("7fffffffffffffff\r\n".utf8) + picture
    },
    chunked(
      "missing-last-chunk",
      "ends without the last chunk",
      .refused("before the whole response had arrived", requests: 5)
    ) { picture in
      chunk(picture)
    },
    chunked(
      "missing-chunk-end",
      "sends more than a chunk's size",
      .refused("chunks that are not valid", requests: 5)
    ) {
      picture in
      Array("5\r\n".utf8) + picture + Array("\r\n0\r\n\r\n".utf8)
    },
    chunked(
      "cut-chunk",
      "ends in the middle of a chunk",
      .refused("before the whole response had arrived", requests: 5)
    ) {
      picture in
      chunk(picture).dropLast(picture.count / 2)
    },
    chunked(
      "cut-trailer",
      "ends in the middle of the trailer",
      .refused("before the whole response had arrived", requests: 5)
    ) { picture in
      chunk(picture) + Array("0\r\nX-Odd: 1".utf8)
    },
    chunked(
      "odd-trailer",
      "sends a trailer that is not a field",
      .refused("not valid HTTP", requests: 1)
    ) {
      picture in
      chunk(picture) + Array("0\r\nwhat is this\r\n\r\n".utf8)
    },
    Fault("endless-trailer", "sends a trailer that never ends", .largeHeader) { _, picture in
      let line = Array("X-Again: \(String(repeating: "a", count: 1_000))\r\n".utf8)
      let body = chunk(picture) + Array("0\r\n".utf8)
      return LoopbackResponse([.send(header + body), .sendForever(line)], closes: true)
    },
    Fault("endless-chunks", "sends chunks that never end", .tooLarge) { _, picture in
      let chunks = Array([[UInt8]](repeating: chunk(picture), count: 50).joined())
      return LoopbackResponse([.send(header), .sendForever(chunks)], closes: true)
    },
    Fault("chunked-and-declared", "declares a length beside chunks", .stored(requests: 1)) {
      _,
      picture in
      .chunked([picture], fields: ["Content-Length: 3"])
    },
  ]

  private static let header = LoopbackResponse.header(200, ["Transfer-Encoding: chunked"])

  private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  private static func chunked(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    body: @escaping @Sendable (_ picture: [UInt8]) -> [UInt8]
  ) -> Fault {
    Fault(name, summary, outcome) { _, picture in
      LoopbackResponse([.send(header + body(picture))], closes: true)
    }
  }
}

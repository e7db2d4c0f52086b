/// Streams of HTTP/2 that are cut (RFC 9113, sections 5.4, 6.4 and 6.8).
extension Fault {
  static let streams = [
    reset(
      "refused-stream",
      "refuses each stream",
      .refusedStream,
      "HTTP/2 stream|the connection broke|without an answer",
      upTo: 30
    ),
    reset(
      "broken-stream",
      "resets each stream for an error of its own",
      .internalError,
      "HTTP/2 stream"
    ),
    reset(
      "wrong-stream",
      "resets each stream for an error of ours",
      .protocolError,
      "HTTP/2 stream"
    ),
    reset("cancelled-stream", "cancels each stream", .cancel, "HTTP/2 stream"),
    reset("calmed-stream", "tells each stream to be calm", .enhanceYourCalm, "HTTP/2 stream"),
    reset("pointless-reset", "resets each stream without an error", .noError, "HTTP/2 stream"),
    stream(
      "reset-in-stream",
      "resets each stream in its body",
      .refused("HTTP/2 stream", requests: 5)
    ) { picture in
      half(picture) + [.resetStream(.internalError)]
    },
    stream(
      "reset-without-error",
      "resets each stream in its body without an error",
      .refused("the JPEG picture ends too early", requests: 1)
    ) {
      picture in
      Array(half(picture, declaring: false)) + [.resetStream(.noError)]
    },
    stream(
      "short-stream",
      "ends each stream before its declared length",
      .refused("HTTP/2 stream", requests: 5)
    ) { picture in
      [
        .header(status: 200, contentLength: picture.count),
        .data(Array(picture.prefix(picture.count / 2))),
      ]
    },
    stream(
      "cut-stream",
      "ends the connection in a stream",
      .refused("HTTP/2 stream|the connection broke", requests: 5)
    ) { picture in
      half(picture) + [.hangUp]
    },
    stream(
      "going-away",
      "goes away before each answer",
      .refused("HTTP/2 stream|the connection broke|without an answer", requests: 5, upTo: 30)
    ) { _ in
      [.goAway(.noError, answersThisStream: false)]
    },
    stream(
      "going-away-calmly",
      "goes away, and tells us to be calm",
      .refused("HTTP/2 stream|the connection broke|without an answer", requests: 5, upTo: 30)
    ) { _ in
      [.goAway(.enhanceYourCalm, answersThisStream: false), .hangUp]
    },
    stream("gone-away", "answers, and then goes away", .stored(requests: 1)) { picture in
      [.goAway(.noError, answersThisStream: true)] + whole(picture) + [.hangUp]
    },
    stream(
      "HTTP-1.1-required",
      "wants HTTP/1.1 after it has agreed on HTTP/2",
      .stored(requests: 2)
    ) { _ in
      [.resetStream(.http11Required)]
    },
  ]

  private static func whole(_ picture: [UInt8]) -> [HTTP2Step] {
    [.header(status: 200, contentLength: picture.count), .data(picture)]
  }

  private static func half(_ picture: [UInt8], declaring: Bool = true) -> [HTTP2Step] {
    [
      .header(status: 200, contentLength: declaring ? picture.count : nil),
      .data(Array(picture.prefix(picture.count / 2)), endsStream: false),
    ]
  }

  private static func reset(
    _ name: String,
    _ summary: String,
    _ code: HTTP2Code,
    _ reason: String,
    upTo most: Int? = nil
  ) -> Fault {
    stream(name, summary, .refused(reason, requests: 5, upTo: most)) { _ in [.resetStream(code)] }
  }

  private static func stream(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    steps: @escaping @Sendable (_ picture: [UInt8]) -> [HTTP2Step]
  ) -> Fault {
    Fault(name, summary, outcome) { picture throws(LoopbackError) in
      let security = try LoopbackSecurity(.valid, offersHTTP2: true)
      let steps = steps(picture)
      let ways = LoopbackWays(security: security) { _ in steps }
      return FaultHost(try LoopbackServer(ways) { _ in .whole(picture) })
    }
  }
}

/// TLS that is not trustworthy, or that breaks.
extension Fault {
  static let secureConnections = [
    certificate(
      "expired-certificate",
      "shows a certificate that has expired",
      .expired,
      "certificate has expired"
    ),
    certificate(
      "self-signed-certificate",
      "shows a certificate without a signer",
      .selfSigned,
      "it is self-signed"
    ),
    certificate(
      "wrong-host",
      "shows the certificate of another host",
      .ofAnotherHost,
      "certificate is for another host"
    ),
    handshake(
      "no-TLS",
      "answers https in plain text",
      .send(Array("HTTP/1.1 400 Odd\r\n\r\n".utf8)),
      .close,
      .refused("agree on TLS", requests: 1)
    ),
    handshake(
      "cut-handshake",
      "ends connections before TLS is agreed on",
      nil,
      .close,
      .refused("the connection broke", requests: 5)
    ),
    handshake(
      "reset-handshake",
      "resets connections before TLS is agreed on",
      nil,
      .reset,
      .refused("reset the connection", requests: 5)
    ),
    // If OpenSSL is set to ignore the cut, libcurl reports a normal end; the picture's missing end reveals it.
    cut(
      "cut-TLS",
      "ends a TLS connection in the body without saying so",
      .refused("ends too early|the connection broke", requests: 1, upTo: 5),
      .close
    ),
    cut(
      "reset-TLS",
      "resets a TLS connection in the body",
      .refused("reset the connection", requests: 5),
      .reset
    ),
  ]

  private static func certificate(
    _ name: String,
    _ summary: String,
    _ certificate: LoopbackCertificate,
    _ reason: String
  ) -> Fault {
    Fault(name, summary, .refused(reason, requests: 1)) { picture throws(LoopbackError) in
      let ways = LoopbackWays(security: try LoopbackSecurity(certificate))
      return FaultHost(connectionsTo: try LoopbackServer(ways) { _ in .whole(picture) })
    }
  }

  /// Reads the client's first message, and then executes a step.
  private static func handshake(
    _ name: String,
    _ summary: String,
    _ step: LoopbackResponse.Step?,
    _ ending: LoopbackResponse.Ending,
    _ outcome: FaultOutcome
  ) -> Fault {
    Fault(name, summary, outcome) { _ throws(LoopbackError) in
      let steps = [.read] + (step.map { [$0] } ?? [])
      let ways = LoopbackWays(welcome: LoopbackResponse(steps, ending: ending))
      let server = try LoopbackServer(ways) { _ in .hangUp }
      return FaultHost(connectionsTo: server, scheme: "https")
    }
  }

  private static func cut(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    _ ending: LoopbackResponse.Ending
  ) -> Fault {
    Fault(name, summary, outcome) { picture throws(LoopbackError) in
      let ways = LoopbackWays(security: try LoopbackSecurity(.valid))
      let part = LoopbackResponse.header(200, []) + picture.prefix(picture.count / 2)
      return FaultHost(
        try LoopbackServer(ways) { _ in LoopbackResponse([.send(part)], ending: ending) }
      )
    }
  }
}

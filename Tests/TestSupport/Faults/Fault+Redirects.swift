/// Redirects (RFC 9110, section 15.4) without an end, or to forbidden targets.
extension Fault {
  static let redirects = [
    Fault("redirect-loop", "redirects to the same address", .tooManyRedirects) { request, _ in
      .redirect(to: request.target)
    },
    Fault("redirect-chain", "redirects to another address each time", .tooManyRedirects) {
      request,
      _ in
      .redirect(to: request.target + "/on")
    },
    redirect("redirect-to-file", "file:///etc/hostname", "neither https nor http"),
    redirect("redirect-to-ftp", "ftp://127.0.0.1/picture.jpg", "neither https nor http"),
    redirect("redirect-to-gopher", "gopher://127.0.0.1/picture.jpg", "neither https nor http"),
    redirect("redirect-to-dict", "dict://127.0.0.1/d:picture", "neither https nor http"),
    redirect(
      "redirect-to-data",
      "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
      "neither https nor http"
    ),
    redirect("redirect-to-javascript", "javascript:alert(1)", "neither https nor http"),
    redirect("redirect-to-rubbish", "http://[::1/picture.jpg", "an address that is not valid"),
    response(
      "redirect-without-place",
      "redirects without saying where",
      .refused("the server answered 302", requests: 1),
      .whole(status: 302)
    ),
    Fault(
      "redirect-to-dead-host",
      "redirects to a host that is down",
      .refused("refuses connections", requests: 3)
    ) {
      _ throws(LoopbackError) in
      let socket = try LoopbackSocket.bound(.ipv4, port: 0)
      let place = "http://127.0.0.1:\(try socket.port())/"
      return FaultHost(
        try LoopbackServer { _ in
          // The closure keeps the socket's port for as long as the server runs.
          withExtendedLifetime(socket) { .redirect(to: place) }
        }
      )
    },
  ]

  private static func redirect(_ name: String, _ place: String, _ reason: String) -> Fault {
    let outcome = FaultOutcome.refused(reason, requests: 1)
    return response(name, "redirects to \(place)", outcome, .redirect(to: place))
  }
}

extension FaultOutcome {
  static let tooManyRedirects = FaultOutcome.refused("more than 10 redirects", requests: 11)
}

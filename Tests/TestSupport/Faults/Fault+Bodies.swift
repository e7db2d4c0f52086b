/// Bodies with a wrong length.
extension Fault {
  static let bodies = [
    Fault(
      "longer-than-declared",
      "declares half the length of what it sends",
      .refused("ends too early", requests: 1)
    ) { _, picture in
      let half = "Content-Length: \(picture.count / 2)"
      return LoopbackResponse([.send(LoopbackResponse.header(200, [half]) + picture)], closes: true)
    },
    declaring("negative-length", "declares a negative length", ["-1"], .badLength),
    declaring("no-number-length", "declares a length that is not a number", ["many"], .badLength),
    declaring(
      "huge-length",
      "declares a length beyond all numbers",
      ["99999999999999999999"],
      .stored(requests: 1)
    ),
    declaring(
      "two-lengths",
      "declares two lengths",
      ["7", "10000"],
      .refused("before the whole response had arrived", requests: 5)
    ),
    Fault("large-length", "declares more than a picture may have", .tooLarge) { _, picture in
      let header = LoopbackResponse.header(200, ["Content-Length: 99999999999"])
      return LoopbackResponse([.send(header + picture)], closes: true)
    },
    response("endless-body", "sends a body that never ends", .tooLarge, .endless()),
    response(
      "empty-body",
      "sends an empty body",
      .refused("the data is not a picture but an empty", requests: 1),
      .whole()
    ),
    Fault(
      "cut-picture",
      "has only half of the picture itself",
      .refused("the JPEG picture ends too early|damaged beyond decoding", requests: 1)
    ) { _, picture in
      .whole(Array(picture.prefix(picture.count / 2)))
    },
    Fault(
      "undeclared-cut",
      "does not declare the length, and ends in the middle",
      .refused("the JPEG picture ends too early", requests: 1)
    ) { _, picture in
      let half = picture.prefix(picture.count / 2)
      return LoopbackResponse([.send(LoopbackResponse.header(200, []) + half)], closes: true)
    },
  ]

  private static func declaring(
    _ name: String,
    _ summary: String,
    _ lengths: [String],
    _ outcome: FaultOutcome
  ) -> Fault {
    Fault(name, summary, outcome) { _, picture in
      let header = LoopbackResponse.header(200, lengths.map { "Content-Length: \($0)" })
      return LoopbackResponse([.send(header + picture)], closes: true)
    }
  }
}

extension FaultOutcome {
  fileprivate static let badLength = FaultOutcome.refused("a length that is not valid", requests: 1)
  /// The program requests a large picture twice, the second time with a higher limit.
  static let tooLarge = FaultOutcome.refused("larger than the limit of", requests: 2)
}

/// Bodies that do not match their content type.
extension Fault {
  static let contents = [
    content("html-page", "has an HTML page under the address", "text/html", page, "an HTML page"),
    content("html-as-picture", "calls an HTML page a picture", "image/jpeg", page, "an HTML page"),
    content("text-as-picture", "calls text a picture", "image/jpeg", "not today", "text"),
    content(
      "json-as-picture",
      "calls JSON a picture",
      "image/png",
      #"{"error":1}"#,
      "a JSON document"
    ),
    typed("picture-as-page", "calls the picture an HTML page", ["text/html"]),
    typed("picture-as-bytes", "calls the picture bytes", ["application/octet-stream"]),
    typed("garbled-type", "gives a type that is none", [";;=,/"]),
    typed("no-type", "gives no type", []),
  ]

  private static let page =
    "<!DOCTYPE html><html><body><p>Sign in to use this network</body></html>"

  private static func content(
    _ name: String,
    _ summary: String,
    _ type: String,
    _ text: String,
    _ noun: String
  ) -> Fault {
    let outcome = FaultOutcome.refused("the data is not a picture but \(noun)", requests: 1)
    return response(
      name,
      summary,
      outcome,
      .whole(Array(text.utf8), fields: ["Content-Type: \(type)"])
    )
  }

  private static func typed(_ name: String, _ summary: String, _ types: [String]) -> Fault {
    Fault(name, summary, .stored(requests: 1)) { _, picture in
      .whole(picture, fields: types.map { "Content-Type: \($0)" })
    }
  }
}

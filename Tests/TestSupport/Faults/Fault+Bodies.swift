/// Bodies whose length is not what it should be.
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
    declaring("no-number-length", "declares a length that is no number", ["many"], .badLength),
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
      .refused("before all had come", requests: 5)
    ),
    Fault("large-length", "declares more than a picture may have", .tooLarge) { _, picture in
      let header = LoopbackResponse.header(200, ["Content-Length: 99999999999"])
      return LoopbackResponse([.send(header + picture)], closes: true)
    },
    response("endless-body", "sends a body that never ends", .tooLarge, .endless()),
    response(
      "empty-body",
      "sends an empty body",
      .refused("what came is no picture but an empty", requests: 1),
      .whole()
    ),
    Fault(
      "cut-picture",
      "has only half of the picture itself",
      .refused("the JPEG picture ends too early", requests: 1)
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
  /// A picture is asked for twice when it turns out to be a large one: then with a higher limit.
  static let tooLarge = FaultOutcome.refused("larger than the limit of", requests: 2)
}

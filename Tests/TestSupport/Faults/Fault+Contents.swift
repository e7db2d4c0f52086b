/// Bodies that are not what they are called.
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
    let outcome = FaultOutcome.refused("what came is no picture but \(noun)", requests: 1)
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

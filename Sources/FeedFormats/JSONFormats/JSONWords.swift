import FoundationEssentials

/// Reads texts in the shapes JSON lists wrap them in.
enum JSONWords {
  /// A text as plain text, also from `{"rendered": "…"}` and the like.
  static func text(_ value: JSONValue?, limit: Int) -> String? {
    unwrapped(
      value?.elements.first ?? value,
      keys: ["rendered", "_content", "value", "en", "title"]
    )
    .flatMap { PlainText.line(of: $0, limit: limit) }
  }

  private static let nameKeys = [
    "name", "display_name", "full_name", "creator", "title", "username", "copyright", "value",
    "url",
  ]

  /// A person's or licence's name, also from an object or a list of them; a number is an id.
  static func name(_ value: JSONValue?) -> String? {
    let value = value?.elements.first ?? value
    if let value, case .number = value { return nil }
    return unwrapped(value, keys: nameKeys)
      .flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  /// A date as text or as seconds since 1970.
  static func date(_ value: JSONValue?) -> Date? {
    guard let text = unwrapped(value, keys: ["value"]) else { return nil }
    let isNumber = text.utf8.count >= 9 && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
    return isNumber ? Double(text).flatMap { FeedDate.read(number: $0) } : FeedDate.read(text)
  }

  /// A web page's address.
  static func address(_ value: JSONValue?) -> String? {
    unwrapped(value, keys: ["html", "href", "url"]).flatMap {
      JSONAddress.isAddress($0) ? $0 : nil
    }
  }

  private static func unwrapped(_ value: JSONValue?, keys: [String]) -> String? {
    if let text = value?.scalar { return text }
    for key in keys {
      if let text = value?[key]?.scalar { return text }
    }
    return nil
  }
}

import Models

/// Makes the address of a list's next page out of what the list says of it.
enum PageAddress {
  /// Parameters that number pages, as some lists have them.
  private static let numbers = ["page", "p", "_page", "pg", "paged"]

  /// The address that a reference to a page means; nil when it is no address.
  static func resolve(_ text: String, in document: WebAddress) -> WebAddress? {
    let isReference =
      JSONAddress.isAbsolute(text) || text.hasPrefix("/") || text.hasPrefix("?")
      || text.hasPrefix("./")
    guard isReference, let address = document.resolvingEscaped(text), address.isWeb else {
      return nil
    }
    return address
  }

  /// The document's address, asking for the page of that number.
  static func page(_ number: Int, of document: WebAddress) -> WebAddress? {
    let known = numbers.first { document.parameter($0) != nil }
    return document.asking(for: [(known ?? "page", String(number))])
  }

  /// The number of the page that an address asks for.
  static func number(in address: WebAddress) -> Int? {
    numbers.lazy.compactMap { address.parameter($0).flatMap { Int($0) } }.first
  }
}

extension WebAddress {
  /// The value of a parameter of the query, as it is written; nil when there is none.
  func parameter(_ name: String) -> String? {
    for parameter in (query ?? "").split(separator: "&") {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == name { return parts.count > 1 ? String(parts[1]) : "" }
    }
    return nil
  }

  /// The address with these parameters in place of those of the same names; nil when it is not on
  /// the web, where alone there is someone to ask.
  func asking(for parameters: [(name: String, value: String)]) -> WebAddress? {
    guard isWeb else { return nil }
    let names = Set(parameters.map(\.name))
    let kept = (query ?? "").split(separator: "&").filter { parameter in
      !names.contains(String(parameter.prefix { $0 != "=" }))
    }
    let added = parameters.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return WebAddress(path + "?" + (kept.map(String.init) + added).joined(separator: "&"))
  }

  /// A text with everything escaped that RFC 3986, section 2.3, does not list as unreserved.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let isPlain = byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return result
  }
}

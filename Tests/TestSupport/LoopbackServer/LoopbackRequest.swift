import Foundation

/// A request as the loopback server read it; fields are decoded one Unicode scalar a byte.
package struct LoopbackRequest: Sendable, Equatable {
  package var method: String
  /// Path and query.
  package var target: String
  package var fields: [Field]
  /// What was sent with it, if its length was declared.
  package var body: [UInt8] = []

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  /// The value of a field, found without case; nil when it was not sent.
  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// What a stream of HTTP/2 asks for is not read.
  static let stream = LoopbackRequest(method: "", target: "", fields: [])

  private init(method: String, target: String, fields: [Field]) {
    self.method = method
    self.target = target
    self.fields = fields
  }

  /// Takes the header of a request, without the empty line at its end.
  init?(header: String) {
    let lines = header.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    method = String(words[0])
    target = String(words[1])
    fields = lines.dropFirst().compactMap(Self.field)
  }

  /// The declared length of its body.
  var bodyLength: Int { self["Content-Length"].flatMap { Int($0) } ?? 0 }

  /// The fields of a form that was sent with it (application/x-www-form-urlencoded).
  package var form: [String: String] {
    let pairs = String(decoding: body, as: UTF8.self).split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).removingPercentEncoding ?? "" }
    }
    return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  private static func field(_ line: Substring) -> Field? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    return Field(name: String(line[..<colon]), value: String(value))
  }
}

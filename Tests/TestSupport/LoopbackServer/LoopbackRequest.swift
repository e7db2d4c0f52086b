import Foundation

/// A request as the loopback server read it; each byte of a field becomes one Unicode scalar.
package struct LoopbackRequest: Sendable, Equatable {
  package var method: String
  /// The path and query.
  package var target: String
  package var fields: [Field]
  /// The body of the request, if its length was declared.
  package var body: [UInt8] = []

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  /// The value of a field, whose name is found without regard to case; nil if the field is missing.
  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// A request on a stream of HTTP/2, which the server does not read.
  static let stream = LoopbackRequest(method: "", target: "", fields: [])

  private init(method: String, target: String, fields: [Field]) {
    self.method = method
    self.target = target
    self.fields = fields
  }

  /// Parses the header of a request, without the empty line at its end.
  init?(header: String) {
    let lines = header.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    method = String(words[0])
    target = String(words[1])
    fields = lines.dropFirst().compactMap(Self.field)
  }

  /// The declared length of the body.
  var bodyLength: Int { self["Content-Length"].flatMap { Int($0) } ?? 0 }

  /// The fields of a form in the body (application/x-www-form-urlencoded).
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

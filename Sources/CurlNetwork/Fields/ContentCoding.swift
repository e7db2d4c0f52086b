/// How a body is sent, by its `Content-Encoding` field (RFC 9110, section 8.4).
enum ContentCoding {
  /// As it is.
  case plain
  /// In a way that libcurl unpacks.
  case packed
  /// By a word that names no coding of a body, such as the `aws-chunked` that some stores repeat from
  /// an upload; libcurl fails on it, browsers take the body as it is.
  case unknown

  init(_ value: FieldLine.Bytes) {
    let codings = value.split(separator: UInt8(ascii: ",")).map { FieldLine.trimmed($0) }
    if codings.allSatisfy({ Self.isOne(of: ["identity"], $0) }) {
      self = .plain
    } else {
      let known: [StaticString] = ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"]
      self = codings.allSatisfy { Self.isOne(of: known, $0) } ? .packed : .unknown
    }
  }

  private static func isOne(of names: [StaticString], _ coding: FieldLine.Bytes) -> Bool {
    names.contains { $0.utf8CodeUnitCount == coding.count && FieldLine.begins(coding, with: $0) }
  }
}

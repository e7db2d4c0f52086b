import Models

/// The public half of a library's key pair (Ed25519, RFC 8032), as 64 lower-case hexadecimal digits.
package struct LibraryKey: Sendable, Hashable {
  package let text: String

  /// Nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 64, HexadecimalBytes.decoded(text) != nil else { return nil }
    self.text = text
  }
}

/// The key pair of a library, which signs what the library tells other galleries.
package protocol LibrarySigning: Sendable {
  var key: LibraryKey { get }

  /// The private half, 32 bytes.
  var secret: [UInt8] { get }

  /// The signature of a message, as 128 lower-case hexadecimal digits.
  func signature(of message: [UInt8]) throws(StoreError) -> String

  /// SHA-256 in lower-case hexadecimal digits.
  func hash(of bytes: [UInt8]) throws(StoreError) -> String
}

/// Keeps the key pair of a library.
package protocol LibraryKeyKeeping: Sendable {
  /// The key pair, made at the first call; nil when the library does not exist.
  ///
  /// - Throws: `.unusableKey` when the library has a key pair that cannot be used; it is never replaced by another one.
  func signer() async throws(StoreError) -> (any LibrarySigning)?
}

/// Checks the signatures of other galleries.
package protocol SignedDocumentChecking: Sendable {
  /// Begins the hash of a document.
  ///
  /// - Throws: when signatures cannot be checked on this machine.
  func hash() throws(StoreError) -> any DocumentHash

  func isRight(_ signature: DocumentSignature, of message: [UInt8]) throws(StoreError) -> Bool
}

/// The SHA-256 of a document that arrives in pieces.
package protocol DocumentHash: Sendable {
  func update(_ bytes: ArraySlice<UInt8>)

  /// The hash of all pieces so far, in lower-case hexadecimal digits.
  var digits: String { get }
}

/// The signature at the end of a document that a gallery sends to other galleries: a page of its changes, or a node of
/// its tree.
///
/// It is the last two members of the document's last object, `"key"` and `"signature"`, so that readers that do not
/// know them skip them. It covers the name of the document, and the hash of all bytes before these members
/// (`Documentation/Changes.md`).
package struct DocumentSignature: Sendable, Equatable {
  package var key: LibraryKey
  /// 128 lower-case hexadecimal digits.
  package var text: String

  package init(key: LibraryKey, text: String) {
    self.key = key
    self.text = text
  }

  /// The bytes that are signed for a document.
  package static func message(_ name: String, hash: String) -> [UInt8] {
    Array("gallery \(name)\n\(hash)\n".utf8)
  }

  // MARK: Names of documents

  /// The name of the page of changes behind a cursor; nil for the first page.
  ///
  /// It names the part that the request asks for, so that a page of a part does not pass for one of all changes.
  package static func name(
    ofChangesBehind cursor: String?,
    feedID: Int64? = nil,
    search: String? = nil
  ) -> String {
    var name = "changes \(cursor ?? "-")"
    if let feedID { name += " feed=\(feedID)" }
    if let search, !search.trimmed.isEmpty { name += " search=\(PercentEncoding.encode(search))" }
    return name
  }

  /// The name of a node of the tree: its hash, or `root`.
  package static func name(ofNode node: String) -> String { "tree \(node)" }

  // MARK: Members

  private static let parts = (key: ",\"key\":\"", signature: "\",\"signature\":\"", end: "\"}")
  private static let (keyDigits, signatureDigits) = (64, 128)

  private var members: String {
    "\(Self.parts.key)\(key.text)\(Self.parts.signature)\(text)\(Self.parts.end)"
  }

  /// Signs a document whose last line is an object; a document without lines stays as it is.
  package static func sign(
    _ document: [UInt8],
    named name: String,
    by signer: any LibrarySigning
  ) throws(StoreError) -> [UInt8] {
    guard document.hasSuffix("}\n") else { return document }
    let content = Array(document.dropLast(2))
    let hash = try signer.hash(of: content)
    let text = try signer.signature(of: message(name, hash: hash))
    return content + Array((Self(key: signer.key, text: text).members + "\n").utf8)
  }

  /// Splits the last line of a document, without its line break, at the members of the signature.
  ///
  /// - Returns: The bytes before them, and the signature; nil for a line without a signature.
  package static func split(
    _ line: [UInt8]
  ) -> (content: ArraySlice<UInt8>, signature: DocumentSignature)? {
    let length =
      keyDigits + signatureDigits
      + [parts.key, parts.signature, parts.end].reduce(0) { $0 + $1.utf8.count }
    guard line.count > length else { return nil }
    let members = String(decoding: line.suffix(length), as: UTF8.self)
    let key = members.dropFirst(parts.key.utf8.count).prefix(keyDigits)
    let text = members.dropLast(parts.end.utf8.count).suffix(signatureDigits)
    guard let key = LibraryKey(String(key)), HexadecimalBytes.decoded(String(text)) != nil else {
      return nil
    }
    let signature = Self(key: key, text: String(text))
    return signature.members == members ? (line.dropLast(length), signature) : nil
  }
}

/// Bytes as lower-case hexadecimal digits.
package enum HexadecimalBytes {
  private static let digits = Array("0123456789abcdef".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for a text that is not pairs of lower-case hexadecimal digits.
  package static func decoded(_ text: String) -> [UInt8]? {
    let values = text.utf8.map { digits.firstIndex(of: $0) }
    guard values.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

import Models
import TestSupport
import Workers

/// A key pair whose signature of a message is the hash of the key and the message.
struct FakeKey: LibrarySigning {
  let key: LibraryKey
  let secret: [UInt8] = []

  init(_ digit: Character) {
    guard let key = LibraryKey(String(repeating: digit, count: 64)) else {
      preconditionFailure("\(digit)")
    }
    self.key = key
  }

  func signature(of message: [UInt8]) -> String { FakeSignatures.signature(of: message, by: key) }

  func hash(of bytes: [UInt8]) -> String { SHA256Digest(of: bytes).hexadecimal }

  /// The lines of a document with the signature.
  func sign(_ lines: String..., named name: String) -> String {
    let document = Array(lines.map { $0 + "\n" }.joined().utf8)
    let signed = try? DocumentSignature.sign(document, named: name, by: self)
    return String(decoding: signed ?? [], as: UTF8.self)
  }
}

/// Checks the signatures of fake keys.
struct FakeSignatures: SignedDocumentChecking {
  /// The reason why signatures cannot be checked.
  var problem: StoreError?

  func hash() throws(StoreError) -> any DocumentHash {
    if let problem { throw problem }
    return FakeHash()
  }

  func isRight(_ signature: DocumentSignature, of message: [UInt8]) -> Bool {
    signature.text == Self.signature(of: message, by: signature.key)
  }

  static func signature(of message: [UInt8], by key: LibraryKey) -> String {
    let hash = SHA256Digest(of: Array(key.text.utf8) + message).hexadecimal
    return hash + hash
  }
}

private final class FakeHash: DocumentHash {
  private let bytes = Locked<[UInt8]>([])

  func update(_ piece: ArraySlice<UInt8>) { bytes.withLock { $0 += piece } }

  var digits: String { SHA256Digest(of: bytes.snapshot).hexadecimal }
}

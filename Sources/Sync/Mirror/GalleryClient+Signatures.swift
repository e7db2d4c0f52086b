import Workers

/// The signatures of a gallery's documents (`Documentation/Mirrors.md`).
extension GalleryClient {
  /// Begins the hash of a document; nil where signatures cannot be checked.
  func beginHash() -> (any DocumentHash)? {
    do throws(StoreError) {
      return try tools.signatures?.hash()
    } catch {
      uncheckable = error
      return nil
    }
  }

  /// The key that has signed a document of lines; nil for a document without a signature.
  func signer(of lines: inout ChangeLineReader, named name: String) throws(Failure) -> LibraryKey? {
    guard let (signature, hash) = try Failure.ofGallery(lines.end()) else { return nil }
    return try signer(signature, ofHash: hash, named: name)
  }

  /// The key that has signed a document of one line; nil for a document without a signature.
  func signer(of body: [UInt8], named name: String) throws(Failure) -> LibraryKey? {
    let line = body.last == UInt8(ascii: "\n") ? Array(body.dropLast()) : body
    guard let (content, signature) = DocumentSignature.split(line), let hash = beginHash() else {
      return nil
    }
    hash.update(content)
    return try signer(signature, ofHash: hash.digits, named: name)
  }

  /// The key of a signature that matches a document; nil where signatures cannot be checked.
  private func signer(
    _ signature: DocumentSignature,
    ofHash hash: String,
    named name: String
  ) throws(Failure) -> LibraryKey? {
    guard let signatures = tools.signatures else { return nil }
    do throws(StoreError) {
      let message = DocumentSignature.message(name, hash: hash)
      if try signatures.isRight(signature, of: message) { return signature.key }
    } catch {
      uncheckable = error
      return nil
    }
    throw .fault(.wrongSignature)
  }

  /// Checks that a document is signed by the key of its gallery, if the gallery signs.
  func checkSigner(_ key: LibraryKey?) throws(Failure) { try check(key, against: expectedKey) }

  /// Checks that the expected key has signed a document; without such a key, every document passes.
  func check(_ key: LibraryKey?, against expected: LibraryKey?) throws(Failure) {
    guard let expected, key != expected else { return }
    if let uncheckable { throw .store(uncheckable) }
    throw .fault(key == nil ? .unsigned : .otherKey)
  }
}

import Glibc
package import Workers

/// The text that keeps the key pair of a library: `ed25519`, the UUID of the library, and the private half.
package enum KeyText {
  private static let kind = "ed25519"

  package static func text(of key: any LibrarySigning, library: String) -> String {
    "\(kind) \(library) \(HexadecimalBytes.encoded(key.secret))\n"
  }

  /// Reads the key pair of a library.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - library: The UUID of the library.
  ///   - path: The place of the text, for errors.
  /// - Returns: The key pair.
  /// - Throws: `.unusableKey` when it is not the key pair of this library.
  package static func key(
    _ text: String,
    of library: String,
    path: String
  ) throws(StoreError) -> SigningKey {
    let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard parts.count == 3, parts[0] == kind, let secret = HexadecimalBytes.decoded(parts[2]),
      secret.count == 32
    else { throw .unusableKey(path, "it is damaged, or no key") }
    guard parts[1] == library else {
      let message = """
        it is the key of the library \(parts[1]), and this is \(library), which makes a key of its own once that one is \
        moved away
        """
      throw .unusableKey(path, message)
    }
    return try SigningKey(secret: secret)
  }
}

/// The file `library.key` of a library in a folder, which only its owner can read.
package struct KeyFile {
  private static let mostBytes = 256

  package let path: String

  package init(in folder: LibraryFolder) { path = folder.key }

  /// Reads the key pair; nil when the file is missing.
  ///
  /// - Throws: `.unusableKey` when other users may read it, or when it is not the key pair of this library.
  package func key(of library: String) throws(StoreError) -> SigningKey? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unusableKey(path, String(cString: strerror(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.mostBytes
    else { throw .unusableKey(path, "it is damaged, or no key") }
    guard status.st_mode & 0o077 == 0 else {
      throw .unusableKey(path, "other users may read it; 'chmod 600' keeps it to you")
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { bytes, count in
      count = max(0, read(file, bytes.baseAddress, Self.mostBytes))
    }
    return try KeyText.key(String(decoding: bytes, as: UTF8.self), of: library, path: path)
  }

  /// Writes the key pair; it is on the disk when this returns.
  package func write(_ key: any LibrarySigning, library: String) throws(StoreError) {
    let text = KeyText.text(of: key, library: library)
    try FileSystem.replace(path, with: Array(text.utf8), isFlushed: true)
  }
}

extension StoreError {
  /// The key pair of a library cannot be used; the message is the reason.
  package static func unusableKey(_ path: String, _ message: String) -> StoreError {
    StoreError(reason: .unusableKey, path: path, message: message)
  }
}

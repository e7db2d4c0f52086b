extension WebAddress {
  /// The address of a document from a pipe, by its number in the sync, from 1.
  package init(pipe number: Int) { self.init(scheme: "stdin", rest: number > 1 ? "\(number)" : "") }

  /// Whether it names a document from a pipe, which cannot be fetched again.
  package var isPiped: Bool { scheme == "stdin" }

  /// The `file:` address of a path (RFC 8089, section 2), absolute or relative to `folder`.
  ///
  /// `./a` and `a` give the same address. `..` is kept, because it may follow a symbolic link.
  package init(filePath path: String, relativeTo folder: String) {
    let absolute = path.utf8.first == UInt8(ascii: "/") ? path : folder + "/" + path
    let slash = UInt8(ascii: "/")
    let segments = absolute.utf8.split(separator: slash, omittingEmptySubsequences: false)
    let plain = segments.map { Substring($0) }.filter { $0 != "." }.joined(separator: "/")
    // The characters that the path of a URI may contain (RFC 3986, section 3.3).
    let path = PercentEncoding.encode(plain, keeping: "/-._~!$&'()*+,;=:@")
    self.init(scheme: "file", path: path)
  }

  /// The path of a `file:` address, with escapes decoded; nil for other addresses and other hosts.
  package var filePath: String? {
    guard isFile, host == nil || host == "" || host == "localhost" else { return nil }
    return PercentEncoding.decode(path)
  }

  /// The folder of a `file:` address's file; nil for other addresses.
  package var fileFolder: String? {
    guard let filePath, let slash = filePath.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return slash == filePath.startIndex ? "/" : String(filePath[..<slash])
  }
}

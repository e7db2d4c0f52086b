extension WebAddress {
  /// The address of a document from a pipe, by its number in the sync, from 1.
  package init(pipe number: Int) { self.init(scheme: "stdin", rest: number > 1 ? "\(number)" : "") }

  /// The address of the documents that come through pipes under a name, which may itself be an address.
  ///
  /// - Returns: nil for an empty name, and for a number, which names an anonymous pipe.
  package static func pipe(named name: String) -> WebAddress? {
    guard !name.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let isAddress = WebAddress(name)?.isWeb == true
    // The characters of an address (RFC 3986, section 2); in other names, those of a path (section 3.3).
    let kept = isAddress ? "%-._~:/?#[]@!$&'()*+,;=" : "-._~/!$&'()*+,;=:@"
    return WebAddress(scheme: "stdin", rest: PercentEncoding.encode(name, keeping: kept))
  }

  /// Whether it names a pipe only by its number, so that each document may come from another source.
  package var isAnonymousPipe: Bool {
    isPiped && text.utf8.dropFirst("stdin:".utf8.count).allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// The name that the user gave the documents from a pipe, in one line and without secrets; nil for other addresses.
  package var pipeName: String? {
    guard isPiped, !isAnonymousPipe else { return nil }
    let base = ofPipedDocument
    if base != self { return base.masked }
    let name = PercentEncoding.decode(text.dropFirst("stdin:".count))
    return name.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
  }

  /// The base of references in its document (RFC 3986, section 5.1): for a pipe that is named by an address, that one.
  package var ofPipedDocument: WebAddress {
    guard isPiped, let named = WebAddress(String(text.dropFirst("stdin:".count))), named.isWeb
    else { return self }
    return named
  }

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

  /// Whether it is the address of a folder of this machine, which is a feed of the pictures in it: it ends with a slash.
  package var isFolder: Bool { isFile && path.utf8.last == UInt8(ascii: "/") }

  /// The address of the folder with this path; nil for an address that is not that of a file.
  package var ofFolder: WebAddress? {
    guard isFile, !isFolder, let filePath else { return nil }
    return WebAddress(filePath: filePath + "/", relativeTo: "/")
  }

  /// The folder of a `file:` address's file; nil for other addresses.
  package var fileFolder: String? {
    guard let filePath, let slash = filePath.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return slash == filePath.startIndex ? "/" : String(filePath[..<slash])
  }
}

import HTTPTypes

/// The beginnings of the paths whose answers may be kept.
struct KeptPaths: Sendable {
  private let thumbnails: String
  private let originals: String
  private let assets: String

  /// - Parameters:
  ///   - basePath: The common beginning of all paths.
  ///   - assetHash: The name of the folder of assets.
  init(basePath: String, assetHash: String) {
    thumbnails = basePath + "/t/"
    originals = basePath + "/o/"
    assets = "\(basePath)/assets/\(assetHash)/"
  }

  /// The path of an original.
  func original(_ hash: String) -> String { originals + hash }

  /// What a path names; nil for all whose answers are not kept.
  fileprivate func subject(of path: String) -> KeptQuestion.Subject? {
    if let hash = Self.rest(of: path, behind: thumbnails) {
      return Self.isHash(hash) ? .thumbnail : nil
    }
    if let hash = Self.rest(of: path, behind: originals) {
      return Self.isHash(hash) ? .original : nil
    }
    if let name = Self.rest(of: path, behind: assets) { return Self.isName(name) ? .asset : nil }
    return nil
  }

  private static func rest(of path: String, behind prefix: String) -> Substring.UTF8View? {
    path.utf8.starts(with: prefix.utf8) ? path.utf8.dropFirst(prefix.utf8.count) : nil
  }

  private static func isHash(_ text: Substring.UTF8View) -> Bool {
    text.count == 64
      && text.allSatisfy { digit in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
      }
  }

  /// Whether it can be the whole name of an asset, without a query; so the answers that are kept are as few as the
  /// assets.
  private static func isName(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty
      && text.allSatisfy { letter in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
          || letter == UInt8(ascii: ".") || letter == UInt8(ascii: "-")
      }
  }
}

/// A request whose answer depends only on its path, its token and the library; or for an asset, only on its path and on
/// whether it takes compressed content.
struct KeptQuestion {
  enum Subject {
    case thumbnail, original, asset
  }

  /// What names a kept answer.
  struct Key: Hashable {
    let path: String
    /// Whether the content is compressed.
    var isCompressed = false
  }

  /// The parts of a request that decide whether it may have an answer.
  struct Credentials: Equatable {
    var host: String
    var authorization: String?
    var cookie: String?
  }

  let head: HTTPRequest
  let subject: Subject
  let key: Key
  let isForHead: Bool
  let credentials: Credentials
  /// The entity tag that the client has (`If-None-Match`); nil for an asset, which has none.
  let knownTag: String?
  let start = ContinuousClock.now

  var path: String { key.path }

  /// Nil for every other request, which the routes answer.
  ///
  /// - Parameters:
  ///   - head: The head of the request.
  ///   - paths: The paths whose answers may be kept.
  init?(_ head: HTTPRequest, in paths: KeptPaths) {
    guard head.method == .get || head.method == .head, let host = head.authority,
      let path = head.path, let subject = paths.subject(of: path)
    else { return nil }
    var credentials = Credentials(host: host)
    var knownTag: String?
    for field in head.headerFields {
      switch field.name {
      case .authorization:
        guard credentials.authorization == nil else { return nil }
        credentials.authorization = field.value
      case .cookie:
        // A client of HTTP/2 may split them (RFC 9113, section 8.2.3).
        credentials.cookie = credentials.cookie.map { "\($0); \(field.value)" } ?? field.value
      case .ifNoneMatch:
        guard knownTag == nil else { return nil }
        knownTag = field.value
      case .connection:
        guard !head.endsConnection else { return nil }
      case .range, .ifRange, .expect, .origin, .furtherHost, .contentLength, .transferEncoding:
        return nil
      default: continue
      }
    }
    let isCompressed = subject == .asset && GalleryServer.takesGZip(head.headerFields)
    (self.head, self.subject, isForHead) = (head, subject, head.method == .head)
    key = Key(path: path, isCompressed: isCompressed)
    self.credentials = credentials
    self.knownTag = subject == .asset ? nil : knownTag
  }
}

extension HTTPRequest {
  /// Whether the client may want to end the connection after the answer, or to use it for something else.
  var endsConnection: Bool {
    headerFields[values: .connection].contains { $0.lowercased() != "keep-alive" }
  }
}

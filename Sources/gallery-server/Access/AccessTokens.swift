import Composition
import FoundationEssentials
import Glibc
import Models
import Workers

/// The rights of a request.
struct Access: Hashable, Sendable {
  /// The name of its token; `admin` for the token that the server makes itself.
  var name: String
  /// Whether it may change the library.
  var isAdmin: Bool
  /// The feed whose images it may see; nil for all feeds.
  var feedID: Int64?
  /// Words that images must have to be visible to it; nil for all images.
  var search: String?
  /// The hash of its token; nil for the token that the server makes itself, which is valid while the server runs.
  var tokenHash: String?

  /// The part of the library that it may see.
  var part: LibraryPart { LibraryPart(feedID: feedID, search: search) }
}

extension Access {
  fileprivate init(_ token: AccessTokens.Named) {
    self.init(
      name: token.name,
      isAdmin: token.isAdmin,
      feedID: token.feedID,
      search: token.search,
      tokenHash: token.hash
    )
  }
}

/// The tokens that grant access to the library: the server's own token, and tokens that the user has named.
///
/// Only the user can read the library's folder (mode 0700) and these files (0600). `server-token` contains the server's
/// token in clear text, because the program prints it. `tokens.json` contains hashes of the named tokens. Two programs may
/// change them at the same time: each change holds the lock of `tokens.lock`, and replaces a file as a whole.
struct AccessTokens: Sendable {
  /// A named token, as it is stored.
  struct Named: Codable, Equatable, Sendable {
    var name: String
    /// SHA-256 of the token, in hexadecimal digits.
    var hash: String
    var isAdmin: Bool
    var feedID: Int64?
    var search: String?
    var created: Date
    var expires: Date?
  }

  /// The reason why a token cannot be added or removed.
  enum Problem: Error, Equatable {
    case exists(name: String)
    case unknown(name: String)
    case unusableName(String)
    /// The words of a search that no image can match.
    case unusableSearch(String, StoreError.Reason)
    case unknownFeed(String)
    /// A title that several feeds have, with their ids.
    case ambiguousFeed(String, [Int64])
    case unreadable(path: String)
    case unwritable(path: String, reason: String)
    /// libcrypto cannot be loaded.
    case unhashable
  }

  private let folder: String

  init(folder: String) { self.folder = folder }

  // MARK: Checking tokens

  /// The rights that a token has now; nil when it is unknown or has expired.
  ///
  /// Tokens are compared by their hashes, so that the time of a comparison reveals nothing about them. The server's own
  /// token is checked first, because that needs no file.
  func access(for token: String, server: String, now: Date) -> Access? {
    guard let hash = try? Self.hash(of: token) else { return nil }
    return access(forTokenWithHash: hash, server: server, now: now)
  }

  /// The rights that the token with a hash has now.
  func access(forTokenWithHash hash: String, server: String, now: Date) -> Access? {
    guard let admin = try? Self.hash(of: server) else { return nil }
    if hash == admin { return Access(name: "admin", isAdmin: true) }
    return validToken(withHash: hash, now: now).map { Access($0) }
  }

  /// The rights of the token with the name of a person whom a trusted proxy has logged in.
  func access(forUser name: String, now: Date) -> Access? {
    guard let found = validTokens(now: now).first(where: { $0.name == name }) else { return nil }
    return Access(found)
  }

  /// The rights of a token in the addresses of a published list: to read its part of the library.
  func access(forFeedToken token: String, server: String, now: Date) -> Access? {
    guard let admin = try? Self.hash(of: server) else { return nil }
    let parents = validTokens(now: now)
    guard
      let open = FeedTokens(serverToken: server).open(token, parents: [admin] + parents.map(\.hash))
    else { return nil }
    let parent = parents.first { $0.hash == open.parent }
    return Access(
      name: parent?.name ?? "admin",
      isAdmin: false,
      feedID: open.part.feedID,
      search: open.part.search,
      tokenHash: parent?.hash
    )
  }

  /// Whether the token of a request that began earlier is still valid.
  func isValid(_ access: Access) -> Bool {
    access.tokenHash.map { validToken(withHash: $0, now: Date()) != nil } ?? true
  }

  /// When the token of a request ends; nil for one without an end.
  func end(of access: Access) -> Date? {
    guard let hash = access.tokenHash else { return nil }
    return (try? named())?.first { $0.hash == hash }?.expires
  }

  private func validToken(withHash hash: String, now: Date) -> Named? {
    validTokens(now: now).first { $0.hash == hash }
  }

  private func validTokens(now: Date) -> [Named] {
    ((try? named()) ?? []).filter { token in token.expires.map { now < $0 } ?? true }
  }

  static func hash(of token: String) throws(Problem) -> String {
    do throws(StoreError) {
      return try CompositionRoot.sha256(of: Array(token.utf8))
    } catch {
      throw .unhashable
    }
  }

  // MARK: The server's own token

  /// The server's own token, made on the first start.
  func serverToken() throws(Problem) -> String {
    if let token = storedServerToken { return token }
    return try changing { () throws(Problem) in
      // Another server may have made it in the meantime.
      if let token = storedServerToken { return token }
      let token = Self.random()
      try write(Array((token + "\n").utf8), to: serverPath)
      return token
    }
  }

  var serverPath: String { "\(folder)/\(TokenFile.ofServer)" }

  /// Nil when there is no token, or when the file has been cut.
  private var storedServerToken: String? {
    let text = try? String(contentsOfFile: serverPath, encoding: .utf8)
    return text.map(\.trimmed).flatMap { $0.utf8.count >= 32 ? $0 : nil }
  }

  /// 43 characters of base64url, from 32 random bytes (getrandom(2)).
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return Data(bytes).base64URL
  }

  // MARK: Named tokens

  /// The named tokens, sorted by name.
  func named() throws(Problem) -> [Named] {
    guard let data = FileManager.default.contents(atPath: namedPath) else { return [] }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let tokens = try? decoder.decode([Named].self, from: data) else {
      throw .unreadable(path: namedPath)
    }
    return tokens.sorted { $0.name < $1.name }
  }

  /// Makes a token and stores its hash; the token in clear text is only returned here.
  func add(_ access: Access, created: Date, expires: Date?) throws(Problem) -> String {
    guard Self.isName(access.name) else { throw .unusableName(access.name) }
    let token = Self.random()
    let named = Named(
      name: access.name,
      hash: try Self.hash(of: token),
      isAdmin: access.isAdmin,
      feedID: access.feedID,
      search: access.search,
      created: created,
      expires: expires
    )
    try changing { () throws(Problem) in
      let tokens = try self.named()
      if tokens.contains(where: { $0.name == named.name }) { throw .exists(name: named.name) }
      try write(tokens + [named])
    }
    return token
  }

  /// Whether a token may have this name; `admin` is the server's own one.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name != "admin" && name.allSatisfy(mayBeInName)
  }

  private static func mayBeInName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_.@".contains(character)
  }

  /// A name that a token may have, with hyphens in the place of all that is not in one; nil if nothing is left.
  static func usableName(like name: String) -> String? {
    let parts = name.split { !mayBeInName($0) }.joined(separator: "-")
    return isName(parts) ? parts : nil
  }

  func remove(name: String) throws(Problem) {
    // Otherwise the lock would make the folder of a library that is not there.
    guard try named().contains(where: { $0.name == name }) else { throw .unknown(name: name) }
    try changing { () throws(Problem) in
      let tokens = try named()
      let rest = tokens.filter { $0.name != name }
      guard rest.count < tokens.count else { throw .unknown(name: name) }
      try write(rest)
    }
  }

  /// One version of the file with the named tokens, which each change replaces.
  struct FileVersion: Equatable, Sendable {
    private let device: dev_t
    private let node: ino_t
    private let size: off_t
    /// The time of the last change of the file or its name; an inode number alone is used again.
    private let (seconds, nanoseconds): (Int, Int)

    fileprivate init(_ status: stat) {
      (device, node, size) = (status.st_dev, status.st_ino, status.st_size)
      (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
  }

  /// The version of the named tokens; nil when there are none.
  var namedVersion: FileVersion? {
    var status = stat()
    return stat(namedPath, &status) == 0 ? FileVersion(status) : nil
  }

  private var namedPath: String { "\(folder)/\(TokenFile.named)" }

  private func write(_ tokens: [Named]) throws(Problem) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(tokens) else { throw .unreadable(path: namedPath) }
    try write(Array(data), to: namedPath)
  }

  // MARK: Files

  /// Makes a change while no other program, and no other task of this one, makes one (flock(2)).
  ///
  /// A file system without locks does not stop the change.
  private func changing<Value>(_ change: () throws(Problem) -> Value) throws(Problem) -> Value {
    try? FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let path = "\(folder)/tokens.lock"
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try change()
  }

  /// Replaces a file atomically; the file is readable only by the user from its creation.
  private func write(_ bytes: [UInt8], to path: String) throws(Problem) {
    // A name of its own: a killed program may have left its file.
    let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    let isStored = isWritten && fsync(descriptor) == 0 && rename(temporary, path) == 0
    let reason = String(cString: strerror(errno))
    close(descriptor)
    if isStored { return }
    unlink(temporary)
    throw .unwritable(path: path, reason: reason)
  }
}

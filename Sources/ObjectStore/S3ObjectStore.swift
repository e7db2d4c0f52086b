package import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// Stores originals and packs in S3 or a compatible store (Amazon S3 API Reference).
///
/// It needs four operations: PutObject with `If-None-Match`, GetObject, ListObjectsV2 and DeleteObject.
package struct S3ObjectStore: ObjectStoring {
  /// How long the presigned addresses of its own requests are valid, by the clock of the store.
  private static let presignedTime = Duration.seconds(900)
  /// The difference of clocks, in seconds, that may be the reason of a refusal; Amazon accepts 15 minutes.
  private static let longestSkew: TimeInterval = 600
  /// The maximum size of an XML response in bytes; a page of 1,000 objects has less than a megabyte.
  private static let answerBytes = 8 << 20

  private let location: S3Location
  private let settings: S3Settings
  private let network: any Networking
  private let now: @Sendable () -> Date

  package init(
    _ location: S3Location,
    _ settings: S3Settings,
    network: any Networking,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.location = location
    self.settings = settings
    self.network = network
    self.now = now
  }

  package var name: String { location.name }

  /// The user names the store, so it may have a private address.
  package var reach: NetworkReach { .host(bucket?.host ?? "") }

  // MARK: Operations

  package func put(_ original: ObjectOriginal) async throws(StoreError) {
    func put(replacing isReplacing: Bool) async throws(StoreError) -> Int {
      try await self.put(
        .file(path: original.path),
        to: location.key(of: original.hash, .original),
        hash: original.hash.hexadecimal,
        mediaType: original.format.mediaType,
        replacing: isReplacing
      )
    }
    guard try await put(replacing: false) == 412 else { return }
    // The object exists. Its key is the hash of its content, so only a wrong length makes it necessary to replace it.
    if try await length(of: original.hash) != original.bytes { _ = try await put(replacing: true) }
  }

  package func put(_ pack: ObjectPack) async throws(StoreError) {
    // No two packs have the same hash, so an existing object comes from an earlier attempt.
    _ = try await put(
      .file(path: pack.path),
      to: location.key(of: pack.hash, .pack),
      hash: pack.hash.hexadecimal,
      mediaType: "application/octet-stream",
      replacing: true
    )
  }

  package func bytes(
    ofPack hash: SHA256Digest,
    in range: Range<Int>
  ) async throws(StoreError) -> [UInt8]? {
    var request = try request(location.key(of: hash, .pack))
    request.byteLimit = max(range.count, Self.answerBytes)
    request.range = NetworkRange(offset: range.lowerBound, count: range.count, validator: nil)
    let reply = try await fetch(request)
    switch reply.header.status {
    case 206: return reply.body
    case 200 where reply.header.contentRange?.bytes?.lowerBound == range.lowerBound:
      return reply.body
    // The range begins after the end of the object.
    case 404, 416: return nil
    case 200: throw unreachable("it does not answer with parts of objects")
    default: return try checked(reply).body
    }
  }

  /// Writes a note unless there is one, and reads it back.
  ///
  /// Some stores ignore the condition of a PUT, answer 200 and replace the object. So the note is read first, and a
  /// second write shows whether the store is one of them: of two libraries that begin there at the same time, the one
  /// that finds the other's note gives way.
  package func claim(for library: String) async throws(StoreError) {
    // Some stores make a bucket for its first object (findings/seaweedfs-bucket-by-put.sh).
    if try await isNoted(library, else: .otherLibrary, orWithoutBucket: true) { return }
    let isFirst = try await putNote(of: library)
    guard try await isNoted(library, else: .otherLibrary) else {
      throw unreachable("it has lost the note that names the library of its objects")
    }
    guard isFirst, try await putNote(of: library) else { return }
    _ = try await isNoted(library, else: .ignoredConditions)
  }

  /// Whether the note names a library; false without a note.
  ///
  /// - Throws: an error with this reason when it names another library.
  private func isNoted(
    _ library: String,
    else reason: StoreError.Reason,
    orWithoutBucket: Bool = false
  ) async throws(StoreError) -> Bool {
    let reply = try await fetch(request(location.note))
    if orWithoutBucket, reply.header.status == 404 { return false }
    guard let owner = try owner(in: reply) else { return false }
    if owner != library { throw StoreError(reason: reason, path: name, message: owner) }
    return true
  }

  /// Writes the note; returns whether the store says that there was none.
  private func putNote(of library: String) async throws(StoreError) -> Bool {
    let note = Array(library.utf8)
    let status = try await put(
      .bytes(note),
      to: location.note,
      hash: try SHA256.digits(of: note, path: name),
      mediaType: "text/plain",
      replacing: false
    )
    return status != 412
  }

  package func owner() async throws(StoreError) -> String? {
    try owner(in: try await fetch(request(location.note)))
  }

  private func owner(in reply: NetworkReply) throws(StoreError) -> String? {
    if try isMissing(reply) { return nil }
    return String(decoding: try checked(reply).body.prefix(64), as: UTF8.self)
  }

  package func address(of hash: SHA256Digest, for time: Duration) throws(StoreError) -> WebAddress {
    try address(ofKey: location.key(of: hash, .original), for: time)
  }

  package func objects(
    _ kind: ObjectKind,
    behind marker: String?
  ) async throws(StoreError) -> ObjectPage {
    let answer = try await list(location.keys(of: kind), behind: marker)
    let objects = answer.objects.compactMap { object in
      location.hash(of: object.key, kind).map {
        StoredObject(hash: $0, bytes: object.bytes, changed: object.changed)
      }
    }
    let next = answer.isCut ? answer.objects.last?.key : nil
    if answer.isCut, next == nil { throw unreachable("its list of objects is cut and empty") }
    return ObjectPage(objects: objects, next: next, date: answer.date)
  }

  package func length(of hash: SHA256Digest) async throws(StoreError) -> Int? {
    var request = try request(location.key(of: hash, .original))
    request.range = NetworkRange(offset: 0, count: 1, validator: nil)
    let reply = try await fetch(request)
    if try isMissing(reply) { return nil }
    // An empty object has no first byte.
    if reply.header.status == 416 { return 0 }
    // Some stores send a part with the status 200 (findings/rclone-s3-range-status.sh). A whole body may be the page of a
    // network.
    guard [200, 206].contains(try checked(reply).header.status),
      let length = reply.header.contentRange?.total
    else { throw unreachable("it does not answer with parts of objects") }
    return length
  }

  /// Whether a reply says that a bucket lacks an object; false for other replies.
  ///
  /// - Throws: when there is no bucket, which says nothing about its objects.
  private func isMissing(_ reply: NetworkReply) throws(StoreError) -> Bool {
    guard reply.header.status == 404 else { return false }
    guard S3Answer(reply.body)?.errorCode == "NoSuchBucket" else { return true }
    _ = try checked(reply)
    return false
  }

  package func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError) {
    var request = try request(location.key(of: hash, kind), method: "DELETE")
    request.content = NetworkContent(.delete)
    let reply = try await fetch(request)
    if reply.header.status != 404 { _ = try checked(reply) }
  }

  // MARK: Requests

  /// Puts an object; returns the status, which is 412 when the key exists and must not be replaced.
  private func put(
    _ body: NetworkContent.Body,
    to key: String,
    hash: String,
    mediaType: String,
    replacing isReplacing: Bool
  ) async throws(StoreError) -> Int {
    let (signer, bucket) = try (signer, knownBucket)
    let path = path(ofKey: key, in: bucket)
    var signed = S3Request(
      method: "PUT",
      path: path,
      fields: [("content-type", mediaType), ("host", host(of: bucket))],
      bodyHash: hash
    )
    if !isReplacing { signed.fields.append(("if-none-match", "*")) }
    let fields = try signer.signedFields(of: signed)
    var request = NetworkRequest(
      address: try address(bucket, path: path),
      reach: reach,
      byteLimit: Self.answerBytes
    )
    // libcurl writes the host field itself.
    let sent = fields.filter { $0.name != "host" }.map { NetworkContent.Field($0.name, $0.value) }
    request.content = NetworkContent(.put, fields: sent, body: body)
    let reply = try await send(request)
    return reply.header.status == 412 ? 412 : try checked(reply).header.status
  }

  /// A page of the objects whose keys begin with a text.
  private func list(_ prefix: String, behind marker: String?) async throws(StoreError) -> S3Answer {
    var query = [(name: "list-type", value: "2"), (name: "prefix", value: prefix)]
    if let marker { query.append((name: "start-after", value: marker)) }
    var request = try request("", query)
    request.acceptsCompression = true
    let reply = try await checked(fetch(request))
    guard var answer = S3Answer(reply.body) else { throw unreachable("the response is not XML") }
    answer.date = reply.header.date
    return answer
  }

  /// A request for a key, or for the bucket itself, whose response is short.
  private func request(
    _ key: String,
    _ query: [(name: String, value: String)] = [],
    method: String = "GET"
  ) throws(StoreError) -> NetworkRequest {
    let address = try address(ofKey: key, query, for: Self.presignedTime, method: method)
    return NetworkRequest(address: address, reach: reach, byteLimit: Self.answerBytes)
  }

  private func fetch(_ request: NetworkRequest) async throws(StoreError) -> NetworkReply {
    do { return try await network.fetch(request) } catch { throw unreachable(error.message) }
  }

  /// Sends a request that may take long, and collects its short response.
  private func send(_ request: NetworkRequest) async throws(StoreError) -> NetworkReply {
    do {
      let response = try await network.open(request)
      var body: [UInt8] = []
      while let bytes = try await response.body.next() { body += bytes }
      return NetworkReply(header: response.header, body: body, wireBytes: response.body.wireBytes)
    } catch {
      throw unreachable(error.message)
    }
  }

  private func unreachable(_ message: String) -> StoreError {
    StoreError(reason: .objectsUnreachable, path: name, message: message)
  }

  /// Throws unless a response reports success.
  private func checked(_ reply: NetworkReply) throws(StoreError) -> NetworkReply {
    let status = reply.header.status
    if (200..<300).contains(status) { return reply }
    // Stores name this in different ways, such as RequestTimeTooSkewed or AccessDenied.
    let ahead = reply.header.date.map { now().timeIntervalSince($0) } ?? 0
    if (400..<404).contains(status), abs(ahead) > Self.longestSkew {
      throw StoreError(reason: .objectsRefusedClock(ahead: Int(ahead)), path: name, message: "")
    }
    throw StoreError(
      reason: .objectsRefused(status: status),
      path: name,
      message: S3Answer(reply.body)?.errorCode ?? ""
    )
  }

  // MARK: Addresses

  private var bucket: WebAddress? { settings.address(ofBucket: location.bucket) }

  private var knownBucket: WebAddress {
    get throws(StoreError) {
      if let bucket { return bucket }
      throw unreachable("AWS_ENDPOINT_URL is not an http or https address")
    }
  }

  private var signer: S3Signer {
    get throws(StoreError) {
      guard let credentials = settings.credentials else {
        throw StoreError(reason: .noCredentials, path: name, message: "")
      }
      return S3Signer(credentials, region: settings.region, at: now())
    }
  }

  /// The presigned address of a key, or of the bucket itself, which is valid for some time.
  private func address(
    ofKey key: String,
    _ query: [(name: String, value: String)] = [],
    for time: Duration,
    method: String = "GET"
  ) throws(StoreError) -> WebAddress {
    let bucket = try knownBucket
    let path = path(ofKey: key, in: bucket)
    let request = S3Request(
      method: method,
      path: path,
      query: query,
      fields: [("host", host(of: bucket))],
      bodyHash: S3Request.unsigned
    )
    return try address(bucket, path: "\(path)?\(signer.signedQuery(of: request, for: time))")
  }

  private func address(_ bucket: WebAddress, path: String) throws(StoreError) -> WebAddress {
    if let address = WebAddress("\(bucket.scheme)://\(bucket.authority ?? "")\(path)") {
      return address
    }
    throw unreachable("the address is too long")
  }

  /// The escaped path of a key, or of the bucket itself.
  private func path(ofKey key: String, in bucket: WebAddress) -> String {
    let base = bucket.path == "/" ? "" : bucket.path
    if key.isEmpty { return base.isEmpty ? "/" : base }
    return "\(base)/\(PercentEncoding.encode(key, keeping: "-._~/"))"
  }

  /// The `Host` field as libcurl sends it: without the default port.
  private func host(of bucket: WebAddress) -> String {
    let authority = bucket.authority ?? ""
    let usual = bucket.scheme == "https" ? ":443" : ":80"
    return authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
  }
}

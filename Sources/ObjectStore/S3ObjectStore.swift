package import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// Keeps originals and packs in S3, or in a store that speaks as S3 does (Amazon S3 API Reference).
///
/// It needs four operations: PutObject with `If-None-Match`, GetObject, ListObjectsV2 and DeleteObject.
package struct S3ObjectStore: ObjectStoring {
  /// How long the addresses of its own requests hold, by the clock of the store.
  private static let presignedTime = Duration.seconds(900)
  /// The most bytes of an answer that is XML: a page of 1,000 objects has less than a megabyte.
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

  /// The user names the store, which may be in the same house.
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
    // It was there before: its name says what it has, if it is whole.
    if try await length(of: original.hash) != original.bytes { _ = try await put(replacing: true) }
  }

  package func put(_ pack: ObjectPack) async throws(StoreError) {
    // No two packs have the same hash, so an object that is there comes from an earlier attempt.
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
    var request = NetworkRequest(
      address: try address(ofKey: location.key(of: hash, .pack), for: Self.presignedTime),
      reach: reach,
      byteLimit: max(range.count, Self.answerBytes)
    )
    request.range = NetworkRange(offset: range.lowerBound, count: range.count, validator: nil)
    let reply = try await fetch(request)
    switch reply.header.status {
    case 206: return reply.body
    // Nothing of it lies behind its end.
    case 404, 416: return nil
    case 200:
      let message = "it does not answer with parts of objects"
      throw StoreError(reason: .objectsUnreachable, path: name, message: message)
    default: return try checked(reply).body
    }
  }

  package func claim(for library: String) async throws(StoreError) {
    let note = Array(library.utf8)
    let status = try await put(
      .bytes(note),
      to: location.note,
      hash: try SHA256.digits(of: note, path: name),
      mediaType: "text/plain",
      replacing: false
    )
    guard status == 412 else { return }
    let request = NetworkRequest(
      address: try address(ofKey: location.note, for: Self.presignedTime),
      reach: reach,
      byteLimit: Self.answerBytes
    )
    let found = try await checked(fetch(request)).body
    if found != note {
      throw StoreError(
        reason: .otherLibrary,
        path: name,
        message: String(decoding: found.prefix(64), as: UTF8.self)
      )
    }
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
    return ObjectPage(objects: objects, next: answer.isCut ? answer.objects.last?.key : nil)
  }

  package func length(of hash: SHA256Digest) async throws(StoreError) -> Int? {
    let key = location.key(of: hash, .original)
    return try await list(key, behind: nil).objects.first { $0.key == key }?.bytes
  }

  package func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError) {
    let key = location.key(of: hash, kind)
    var request = NetworkRequest(
      address: try address(ofKey: key, for: Self.presignedTime, method: "DELETE"),
      reach: reach,
      byteLimit: Self.answerBytes
    )
    request.content = NetworkContent(.delete)
    let reply = try await fetch(request)
    if reply.header.status != 404 { _ = try checked(reply) }
  }

  // MARK: Requests

  /// Puts an object; answers with the status, which is 412 when the key has one that is not to be replaced.
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
    // libcurl writes the host itself.
    let sent = fields.filter { $0.name != "host" }.map { NetworkContent.Field($0.name, $0.value) }
    request.content = NetworkContent(.put, fields: sent, body: body)
    let reply = try await send(request)
    return reply.header.status == 412 ? 412 : try checked(reply).header.status
  }

  /// A page of the objects whose keys begin with a text.
  private func list(_ prefix: String, behind marker: String?) async throws(StoreError) -> S3Answer {
    let bucket = try knownBucket
    var query = [("list-type", "2"), ("prefix", prefix)]
    if let marker { query.append(("start-after", marker)) }
    let request = NetworkRequest(
      address: try presigned(path: path(ofKey: "", in: bucket), query, for: Self.presignedTime),
      reach: reach,
      acceptsCompression: true,
      byteLimit: Self.answerBytes
    )
    let reply = try await checked(fetch(request))
    guard let answer = S3Answer(reply.body) else {
      throw StoreError(reason: .objectsUnreachable, path: name, message: "the answer is no XML")
    }
    return answer
  }

  private func fetch(_ request: NetworkRequest) async throws(StoreError) -> NetworkReply {
    do { return try await network.fetch(request) } catch { throw unreachable(error) }
  }

  /// Makes a request that may take long, and takes its answer, which is short.
  private func send(_ request: NetworkRequest) async throws(StoreError) -> NetworkReply {
    do {
      let response = try await network.open(request)
      var body: [UInt8] = []
      while let bytes = try await response.body.next() { body += bytes }
      return NetworkReply(header: response.header, body: body, wireBytes: response.body.wireBytes)
    } catch {
      throw unreachable(error)
    }
  }

  private func unreachable(_ error: NetworkError) -> StoreError {
    StoreError(reason: .objectsUnreachable, path: name, message: error.message)
  }

  /// Throws unless an answer says that it was done.
  private func checked(_ reply: NetworkReply) throws(StoreError) -> NetworkReply {
    let status = reply.header.status
    if (200..<300).contains(status) { return reply }
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
      throw StoreError(
        reason: .objectsUnreachable,
        path: name,
        message: "AWS_ENDPOINT_URL is no http or https address"
      )
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

  private func address(
    ofKey key: String,
    for time: Duration,
    method: String = "GET"
  ) throws(StoreError) -> WebAddress {
    try presigned(path: path(ofKey: key, in: knownBucket), [], for: time, method)
  }

  private func presigned(
    path: String,
    _ query: [(String, String)],
    for time: Duration,
    _ method: String = "GET"
  ) throws(StoreError) -> WebAddress {
    let bucket = try knownBucket
    let request = S3Request(
      method: method,
      path: path,
      query: query.map { (name: $0.0, value: $0.1) },
      fields: [("host", host(of: bucket))],
      bodyHash: S3Request.unsigned
    )
    return try address(bucket, path: "\(path)?\(signer.signedQuery(of: request, for: time))")
  }

  private func address(_ bucket: WebAddress, path: String) throws(StoreError) -> WebAddress {
    if let address = WebAddress("\(bucket.scheme)://\(bucket.authority ?? "")\(path)") {
      return address
    }
    throw StoreError(reason: .objectsUnreachable, path: name, message: "the address is too long")
  }

  /// The path of a key, or of the bucket itself, escaped.
  private func path(ofKey key: String, in bucket: WebAddress) -> String {
    let base = bucket.path == "/" ? "" : bucket.path
    if key.isEmpty { return base.isEmpty ? "/" : base }
    return "\(base)/\(S3Request.escaped(key, keeping: "/"))"
  }

  /// The `Host` field as libcurl sends it: without the usual port.
  private func host(of bucket: WebAddress) -> String {
    let authority = bucket.authority ?? ""
    let usual = bucket.scheme == "https" ? ":443" : ":80"
    return authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
  }
}

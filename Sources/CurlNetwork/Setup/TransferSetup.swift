internal import CCurl
import FoundationEssentials
import Glibc
import Models
import Workers

/// Sets libcurl's options for requests.
struct TransferSetup: Sendable {
  let userAgent: String
  let timeouts: NetworkTimeouts
  let certificates: CertificateSource
  let authorities: ExtraAuthorities
  let netrc: NetrcFile
  let originFields: [OriginFields]
  let rules: ReachRules

  /// Sets the options that all transfers share.
  func applyShared(to easy: EasyHandle) {
    let handle = easy.pointer
    ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_quick_exit(handle)
    ccurl_set_web_only(handle)
    ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    // Each transfer sets its proxy; libcurl must not read the environment.
    ccurl_set_string(handle, CURLOPT_PROXY, "")
    ccurl_set_string(handle, CURLOPT_NOPROXY, "")
    // Cookies are kept in memory only, and each transfer begins without any.
    ccurl_set_string(handle, CURLOPT_COOKIEFILE, "")
    applyTimeouts(to: handle)
    applyTrust(to: handle)
  }

  /// Sets the options of one transfer on a handle that may have served another.
  ///
  /// - Returns: The reason why the request cannot be sent; nil when it can.
  func apply(_ transfer: Transfer, to easy: EasyHandle) -> HostRefusal? {
    let isPlain = transfer.posted.request.content == nil
    let login = isPlain && transfer.detour == nil ? login(for: transfer.posted.request) : nil
    let own = isPlain ? ownFields(of: transfer) : []
    transfer.hasOwnFields = !own.isEmpty
    var options = TransferOptions(transfer, timeouts: timeouts, login: login, own: own)
    do throws(FeedAuthorities.Problem) {
      options.feedAuthorities = try authorities.ofFeed(for: transfer)
    } catch {
      return HostRefusal(reason: .other, message: error.message)
    }
    let isSetUp = easy.setup.map { $0.file == nil && $0.options == options } ?? false
    if !isSetUp, let refusal = set(options, on: easy) { return refusal }
    let start =
      transfer.posted.request.withholdsUserInfo ? transfer.start.withoutUserInfo : transfer.start
    ccurl_set_string(easy.pointer, CURLOPT_URL, start.asSent)
    easy.setCookies(transfer.detour?.cookies ?? [])
    applyRoute(to: transfer.start, of: easy)
    return nil
  }

  /// The login that an address without user-info needs: that of its feed's address, or else that of the netrc file.
  private func login(for request: NetworkRequest) -> NetrcFile.Login? {
    if request.leavesEncryption { return nil }
    guard let feed = request.feed, let userInfo = feed.userInfo, request.address.userInfo == nil,
      request.address.isSameOrigin(as: feed)
    else { return netrc.login(for: request.address) }
    return NetrcFile.Login(userInfo: userInfo)
  }

  /// The user's fields for the origin; a transfer that has left its origin gets no fields, even if it returns there.
  private func ownFields(of transfer: Transfer) -> [OriginFields.Field] {
    if originFields.isEmpty || transfer.detour?.hasLeftOrigin == true { return [] }
    return originFields.filter { $0.address.isSameOrigin(as: transfer.start) }
      .flatMap { $0.fields(for: transfer.start, at: transfer.hosts.date) }
  }

  private func set(_ options: TransferOptions, on easy: EasyHandle) -> HostRefusal? {
    let fields = HeaderFields(options)
    guard fields.isComplete else {
      return HostRefusal(reason: .refused, message: "a request field does not fit on one line")
    }
    var file: SentFile?
    if case .file(let path) = options.content?.body {
      file = SentFile(path: path)
      guard file != nil else {
        return HostRefusal(reason: .unreadableFile, message: "the file to send cannot be read")
      }
    }
    let handle = easy.pointer
    let known = easy.setup?.options
    if !authorities.isEmpty, known.map({ $0.feedAuthorities != options.feedAuthorities }) ?? true,
      !applyTrust(in: options.feedAuthorities, to: handle)
    {
      return HostRefusal(reason: .other, message: "libcurl does not take the certificates")
    }
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields.list)
    easy.setup = HandleSetup(options, fields, file)
    // libcurl would send the user's fields to another host, a `Referer` with https to http, and would turn a POST into
    // a GET. So each redirect of such a request is a detour.
    let follows = options.own.isEmpty && options.content == nil && options.referer == nil
    ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, follows ? 1 : 0)
    apply(options.content, file, to: handle)
    ccurl_set_long(handle, CURLOPT_MAXREDIRS, options.redirects)
    ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, options.codings)
    applyCredentials(options.login, to: handle)
    ccurl_set_string(handle, CURLOPT_COOKIE, fields.cookie)
    ccurl_set_long(handle, CURLOPT_PIPEWAIT, options.waitsForConnection ? 1 : 0)
    ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, options.milliseconds)
    ccurl_set_long(handle, CURLOPT_BUFFERSIZE, options.readSize)
    return nil
  }

  /// Sets the method and the body; libcurl copies bytes, and reads a file while it sends it.
  private func apply(
    _ content: NetworkContent?,
    _ file: SentFile?,
    to handle: UnsafeMutableRawPointer
  ) {
    // Each of these three branches resets the options that the other two set.
    if let file {
      ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
      ccurl_set_long(handle, CURLOPT_INFILESIZE_LARGE, file.length)
      ccurl_set_pointer(handle, CURLOPT_READDATA, UnsafeMutableRawPointer(file.stream))
    } else if case .bytes(let bytes) = content?.body, !bytes.isEmpty || content?.method == .post {
      ccurl_set_long(handle, CURLOPT_UPLOAD, 0)
      ccurl_set_long(handle, CURLOPT_POST, 1)
      // Set before the bytes; otherwise libcurl would search for their terminating NUL.
      ccurl_set_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
      bytes.withUnsafeBytes { bytes in
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
      }
    } else {
      ccurl_set_long(handle, CURLOPT_HTTPGET, 1)
    }
    let name = content.flatMap { $0.method == .post ? nil : $0.method.rawValue }
    ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, name)
  }

  /// Sets the time-outs; libcurl does not apply the stall limit to a paused transfer.
  private func applyTimeouts(to handle: UnsafeMutableRawPointer) {
    let stall = (timeouts.stall.milliseconds + 999) / 1000
    ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, timeouts.connecting.milliseconds)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, timeouts.leastSpeed)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, stall)
  }

  /// Sets the login for the origin; libcurl does not send it to another host, port or scheme after a redirect.
  ///
  /// The netrc file itself is not passed to libcurl. libcurl would look up the target of each redirect in it, for any
  /// port and scheme, and apply its `default` entry (CVE-2024-11053, CVE-2025-0167).
  private func applyCredentials(_ login: NetrcFile.Login?, to handle: UnsafeMutableRawPointer) {
    ccurl_set_string(handle, CURLOPT_USERNAME, login?.name)
    ccurl_set_string(handle, CURLOPT_PASSWORD, login?.password)
  }

  /// Sets the route for the start of an attempt; libcurl itself rejects an address that it cannot parse.
  private func applyRoute(to start: WebAddress, of easy: EasyHandle) {
    if rules.proxies.isEmpty { return }
    easy.route = HopURL(start.asSent).map(rules.proxies.route) ?? .direct
    ccurl_set_string(easy.pointer, CURLOPT_PROXY, easy.route.option)
  }

  private func applyTrust(to handle: UnsafeMutableRawPointer) {
    certificates.file.map { _ = ccurl_set_string(handle, CURLOPT_CAINFO, $0) }
    if certificates.isOnlySource { ccurl_set_string(handle, CURLOPT_CAPATH, nil) }
    certificates.folder.map { _ = ccurl_set_string(handle, CURLOPT_CAPATH, $0) }
  }

  /// Sets the certificates that replace the file of `applyTrust(to:)`, and include its content.
  ///
  /// libcurl uses an open connection only for transfers with the same certificates.
  private func applyTrust(in feed: Int?, to handle: UnsafeMutableRawPointer) -> Bool {
    guard let bundle = authorities.bundle(ofFeed: feed) else {
      return ccurl_set_bytes(handle, CURLOPT_CAINFO_BLOB, nil, 0) == CURLE_OK
    }
    return bundle.withUnsafeBytes {
      ccurl_set_bytes(handle, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) == CURLE_OK
    }
  }
}

/// The certificate authorities to trust; nil for the defaults of libcurl.
///
/// The variables are those of OpenSSL. libcurl does not read them.
struct CertificateSource: Sendable {
  let file: String?
  let folder: String?
  /// Whether to trust only the file, and not the folder that libcurl was built with.
  let isOnlySource: Bool

  init(file: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.file = file ?? environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    isOnlySource = file != nil
    folder = file == nil ? environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 } : nil
  }
}

/// The certificate authorities of the user beside those of the system.
///
/// libcurl reads certificates from one file and one folder. So bundles in memory replace the file, and have its content,
/// too; the folder is still read.
struct ExtraAuthorities: Sendable {
  /// The bundle for all transfers that have no feed's authorities; nil for the file itself.
  private let bundle: [UInt8]?
  private let feeds: [(authorities: FeedAuthorities, bundle: [UInt8])]

  /// - Parameters:
  ///   - certificates: The authorities for all transfers, in PEM.
  ///   - feeds: The authorities for the transfers of some feeds.
  ///   - source: The authorities that these are added to.
  init(_ certificates: [UInt8], feeds: [FeedAuthorities], beside source: CertificateSource) {
    guard !certificates.isEmpty || !feeds.isEmpty else {
      (bundle, self.feeds) = (nil, [])
      return
    }
    let file = source.file ?? ccurl_usual_certificates().map { String(cString: $0) }
    // A file that cannot be read adds nothing.
    let usual = file.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    let common = Array(usual) + Self.lineEnd + certificates
    bundle = certificates.isEmpty ? nil : common
    self.feeds = feeds.map { feed in
      (feed, common + Self.lineEnd + ((try? feed.certificates.get()) ?? []))
    }
  }

  private static let lineEnd = [UInt8(ascii: "\n")]

  var isEmpty: Bool { bundle == nil && feeds.isEmpty }

  /// The number of the feed whose authorities count for a transfer; nil for none.
  ///
  /// - Throws: when the user's file for the feed cannot be used.
  func ofFeed(for transfer: Transfer) throws(FeedAuthorities.Problem) -> Int? {
    if feeds.isEmpty { return nil }
    let feed = transfer.posted.request.feed
    let ofOrigin = feeds.indices.filter {
      transfer.start.isSameOrigin(as: feeds[$0].authorities.address)
    }
    let ofFeed = feed.map { feed in
      feeds.indices.filter { feeds[$0].authorities.isFor(feedAt: feed) }
    }
    // The server of an origin shows its certificate to every feed.
    let index =
      ofOrigin.first { ofFeed?.contains($0) ?? false } ?? ofOrigin.first ?? ofFeed?.first
    if let index { _ = try feeds[index].authorities.certificates.get() }
    return index
  }

  /// The certificates for the transfers of a feed, by its number, or for all others; nil for those of the file.
  func bundle(ofFeed number: Int?) -> [UInt8]? { number.map { feeds[$0].bundle } ?? bundle }
}

/// The options of a transfer, except its address and route.
///
/// Most transfers have the same options as the previous transfer on the handle, and need not set them again.
struct TransferOptions: Equatable {
  let accept: String
  /// The value of `Accept-Language`; nil to send none.
  let acceptedLanguage: String?
  let validators: Validators
  /// Whether the body must not be compressed.
  ///
  /// It becomes a custom field, because libcurl would format its own option twice for each request.
  let refusesCodings: Bool
  let range: NetworkRange?
  /// The user's own request fields.
  let own: [OriginFields.Field]
  /// The `Referer` field; nil to send none.
  let referer: String?
  let content: NetworkContent?
  let redirects: Int
  /// The codings for CURLOPT_ACCEPT_ENCODING; an empty string means all that libcurl supports.
  ///
  /// With any string, libcurl decompresses every compressed body; with nil it does not decompress.
  let codings: String?
  let login: NetrcFile.Login?
  /// Whether to wait for a connection that is being made, so that transfers can share it.
  let waitsForConnection: Bool
  let milliseconds: Int
  /// The bytes that libcurl may read at once.
  let readSize: Int
  /// The number of the feed whose certificate authorities are trusted, too; nil for none.
  var feedAuthorities: Int?

  init(
    _ transfer: Transfer,
    timeouts: NetworkTimeouts,
    login: NetrcFile.Login?,
    own: [OriginFields.Field]
  ) {
    // Accessed through the reference, because copying a request is expensive.
    let posted = transfer.posted
    accept = posted.request.accept
    let hasLanguage = own.contains { $0.name.lowercased() == "accept-language" }
    acceptedLanguage = hasLanguage ? nil : posted.request.language.map { "\($0), *;q=0.5" }
    validators = posted.request.validators.believable(at: transfer.hosts.date)
    refusesCodings = !transfer.unpacks || !posted.request.acceptsCompression
    range = posted.request.range
    self.own = own
    let hasReferer = own.contains { $0.name.lowercased() == "referer" }
    referer = hasReferer ? nil : transfer.refererField
    content = posted.request.content
    redirects = TransferLimits.redirects - transfer.redirectsBefore
    codings = !transfer.unpacks ? nil : posted.request.acceptsCompression ? "" : "identity"
    self.login = login
    // Connections without TLS are not shared, because HTTP/2 is negotiated only by TLS.
    waitsForConnection = transfer.start.isSecure
    let longest = transfer.isStreamed ? timeouts.stream : timeouts.reply
    milliseconds = min(posted.request.timeLimit ?? longest, longest).milliseconds
    readSize = Self.readSize(posted.request, streams: transfer.isStreamed)
  }

  private static func readSize(_ request: NetworkRequest, streams: Bool) -> Int {
    if request.acceptsCompression { return TransferLimits.packedReadSize }
    return streams ? TransferLimits.streamReadSize : TransferLimits.fetchReadSize
  }
}

/// Request fields as a list for libcurl; the list must live for as long as a handle uses it.
final class HeaderFields {
  private(set) var list: UnsafeMutablePointer<curl_slist>?
  /// Whether the list contains every field.
  private(set) var isComplete = true
  /// The user's cookies, which libcurl sends in one field with those of redirects (RFC 6265, section 5.4).
  private(set) var cookie: String?

  init(_ options: TransferOptions) {
    append("Accept", options.accept)
    options.acceptedLanguage.map { append("Accept-Language", $0) }
    options.validators.entityTag.map { append("If-None-Match", EntityTag.sent($0)) }
    options.validators.lastModified.map { append("If-Modified-Since", $0) }
    if options.refusesCodings { append("Accept-Encoding", "identity") }
    options.range.map(append)
    for field in options.content?.fields ?? [] { append(field.name, field.value) }
    for field in options.own {
      if field.name.lowercased() == "cookie" {
        append(cookie: field)
      } else {
        append(field.name, field.value)
      }
    }
    options.referer.map { append("Referer", $0) }
  }

  deinit { curl_slist_free_all(list) }

  /// Adds a range as custom fields; with libcurl's option, a response with the whole body would fail.
  private func append(_ range: NetworkRange) {
    let last = range.count.map { String(range.offset + $0 - 1) } ?? ""
    append("Range", "bytes=\(range.offset)-\(last)")
    range.validator.map { append("If-Range", $0) }
  }

  private func append(cookie field: OriginFields.Field) {
    if HeaderText.line(field.name, field.value) == nil { isComplete = false }
    cookie = cookie.map { "\($0); \(field.value)" } ?? field.value
  }

  private func append(_ name: String, _ value: String) {
    guard let line = HeaderText.line(name, value), let longer = curl_slist_append(list, line) else {
      isComplete = false
      return
    }
    list = longer
  }
}

/// The options that are set on a handle, and the list of fields that libcurl reads during transfers.
///
/// It is a class, so that comparing its options needs no copy.
final class HandleSetup {
  let options: TransferOptions
  let fields: HeaderFields
  /// The file to send; a setup with a file serves one attempt only.
  let file: SentFile?

  init(_ options: TransferOptions, _ fields: HeaderFields, _ file: SentFile?) {
    self.options = options
    self.fields = fields
    self.file = file
  }
}

/// An open file that libcurl reads with fread(3), and reads again from its start when it has to send it again.
final class SentFile {
  let stream: UnsafeMutablePointer<FILE>
  /// The length of the file in bytes.
  let length: Int

  init?(path: String) {
    guard let stream = fopen(path, "re") else { return nil }
    var status = stat()
    guard fstat(fileno(stream), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      fclose(stream)
      return nil
    }
    self.stream = stream
    length = Int(status.st_size)
  }

  deinit { fclose(stream) }
}

internal import CCurl
import Models
import Workers

/// The options of a transfer except for its address and route.
///
/// Most transfers have the same options as the one that used the handle before, and need not set them.
struct TransferOptions: Equatable {
  let fields: RequestFields
  let redirects: Int
  /// The codings for CURLOPT_ACCEPT_ENCODING; an empty string means all that libcurl supports.
  ///
  /// With any string, libcurl decompresses every compressed body; with nil it leaves bodies as they are.
  let codings: String?
  let login: NetrcFile.Login?
  /// Whether to wait for a connection that is being made, in case transfers can share it.
  let waitsForConnection: Bool
  let milliseconds: Int
  /// The bytes that libcurl may read at once.
  let readSize: Int

  init(_ transfer: Transfer, timeouts: NetworkTimeouts, login: NetrcFile.Login?) {
    // Through the reference, because copying a request is expensive.
    let posted = transfer.posted
    fields = RequestFields(posted.request, unpacks: transfer.unpacks)
    redirects = TransferLimits.redirects - transfer.redirectsBefore
    codings = !transfer.unpacks ? nil : posted.request.acceptsCompression ? "" : "identity"
    self.login = login
    // Without TLS, no connection is shared, because HTTP/2 is negotiated only by TLS.
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

/// The custom request fields of a transfer.
struct RequestFields: Equatable {
  let accept: String
  let validators: Validators
  /// Whether the body must not be compressed.
  ///
  /// It is a custom field, because libcurl would format its own option twice for each request.
  let refusesCodings: Bool
  let range: NetworkRange?

  init(_ request: NetworkRequest, unpacks: Bool) {
    accept = request.accept
    validators = request.validators
    refusesCodings = !unpacks || !request.acceptsCompression
    range = request.range
  }
}

/// Request fields as a list for libcurl; it must live for as long as a handle uses it.
final class HeaderFields {
  private(set) var list: UnsafeMutablePointer<curl_slist>?
  /// Whether the list contains every field.
  private(set) var isComplete = true

  init(_ fields: RequestFields, userAgent: String?) {
    userAgent.map { append("User-Agent", $0) }
    append("Accept", fields.accept)
    fields.validators.entityTag.map { append("If-None-Match", $0) }
    fields.validators.lastModified.map { append("If-Modified-Since", $0) }
    if fields.refusesCodings { append("Accept-Encoding", "identity") }
    fields.range.map(append)
  }

  deinit { curl_slist_free_all(list) }

  /// Adds a range as custom fields: with libcurl's option, an answer with the whole would fail.
  private func append(_ range: NetworkRange) {
    append("Range", "bytes=\(range.offset)-")
    append("If-Range", range.validator)
  }

  private func append(_ name: StaticString, _ value: String) {
    guard let line = HeaderText.line(name, value), let longer = curl_slist_append(list, line) else {
      isComplete = false
      return
    }
    list = longer
  }
}

/// The options that are set on a handle, with the list of fields that libcurl reads during transfers.
///
/// It is a class, so that comparing it needs no copy.
final class HandleSetup {
  let options: TransferOptions
  let fields: HeaderFields

  init(_ options: TransferOptions, _ fields: HeaderFields) {
    self.options = options
    self.fields = fields
  }
}

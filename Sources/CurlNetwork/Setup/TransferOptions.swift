import Workers

/// What a transfer has libcurl do, besides its address and the way there: most transfers want the same
/// of a handle as the one that used it before.
struct TransferOptions: Equatable {
  let fields: RequestFields
  let redirects: Int
  /// What libcurl unpacks: an empty string stands for every coding that it was built with.
  ///
  /// With any string, libcurl unpacks what a server packs, asked to or not; without one it leaves the
  /// body as it is (CURLOPT_ACCEPT_ENCODING).
  let codings: String?
  let login: NetrcFile.Login?
  /// Whether it waits until a connection tells whether many can share it.
  let waitsForConnection: Bool
  let milliseconds: Int
  /// Bytes that libcurl may read at once.
  let readSize: Int

  init(_ transfer: Transfer, timeouts: NetworkTimeouts, login: NetrcFile.Login?) {
    // Looked at in its place: a request has many parts to copy.
    let order = transfer.order
    fields = RequestFields(order.request, unpacks: transfer.unpacks)
    redirects = TransferLimits.redirects - transfer.redirectsBefore
    codings = !transfer.unpacks ? nil : order.request.acceptsCompression ? "" : "identity"
    self.login = login
    // Without TLS there is nothing to wait for: HTTP/2 is agreed on with TLS alone.
    waitsForConnection = transfer.start.isSecure
    let longest = transfer.isStreamed ? timeouts.stream : timeouts.reply
    milliseconds = min(order.request.timeLimit ?? longest, longest).milliseconds
    readSize = Self.readSize(order.request, streams: transfer.isStreamed)
  }

  private static func readSize(_ request: NetworkRequest, streams: Bool) -> Int {
    if request.acceptsCompression { return TransferLimits.packedReadSize }
    return streams ? TransferLimits.streamReadSize : TransferLimits.fetchReadSize
  }
}

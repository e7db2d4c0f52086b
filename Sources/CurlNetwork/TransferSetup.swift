internal import CCurl
import Models
import Workers

/// Turns requests into libcurl's options.
struct TransferSetup: Sendable {
  let userAgent: String
  let timeouts: NetworkTimeouts
  let certificates: CertificateSource
  let netrcFile: String?

  /// Sets what is the same for every transfer.
  func applyShared(to easy: EasyHandle) {
    let handle = easy.pointer
    ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_quick_exit(handle)
    ccurl_set_web_only(handle)
    ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
    ccurl_set_long(handle, CURLOPT_MAXREDIRS, TransferLimits.redirects)
    ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    applyTimeouts(to: handle)
    applyTrust(to: handle)
  }

  /// Sets what differs from transfer to transfer: all of it each time, for handles are used again.
  ///
  /// - Returns: false when a field of the request cannot be sent.
  func apply(_ request: NetworkRequest, streams: Bool, to easy: EasyHandle) -> Bool {
    let fields = HeaderFields(accept: request.accept, validators: request.validators)
    guard fields.isComplete else { return false }
    easy.fields = fields
    let handle = easy.pointer
    ccurl_set_string(handle, CURLOPT_URL, request.address.asSent)
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields.list)
    // An empty string stands for every encoding libcurl was built with.
    ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? "" : nil)
    // Without TLS there is nothing to wait for: HTTP/2 is agreed on with TLS alone.
    ccurl_set_long(handle, CURLOPT_PIPEWAIT, request.address.isSecure ? 1 : 0)
    ccurl_set_long(handle, CURLOPT_BUFFERSIZE, Self.readSize(request, streams: streams))
    return true
  }

  private static func readSize(_ request: NetworkRequest, streams: Bool) -> Int {
    if request.acceptsCompression { return TransferLimits.packedReadSize }
    return streams ? TransferLimits.streamReadSize : TransferLimits.fetchReadSize
  }

  /// A transfer that we paused does not count as stalled: libcurl leaves paused ones out.
  private func applyTimeouts(to handle: UnsafeMutableRawPointer) {
    let stall = (timeouts.stall.milliseconds + 999) / 1000
    ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, timeouts.connecting.milliseconds)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, stall)
  }

  private func applyTrust(to handle: UnsafeMutableRawPointer) {
    certificates.file.map { _ = ccurl_set_string(handle, CURLOPT_CAINFO, $0) }
    certificates.folder.map { _ = ccurl_set_string(handle, CURLOPT_CAPATH, $0) }
    netrcFile.map { _ = ccurl_set_netrc(handle, $0) }
  }
}

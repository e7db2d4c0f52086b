internal import CCurl
import Models
import Workers

/// Turns requests into libcurl's options.
struct TransferSetup: Sendable {
  let userAgent: String
  let timeouts: NetworkTimeouts
  let certificates: CertificateSource
  let netrc: NetrcFile
  let rules: ReachRules

  /// Whether requests have the program's name as a field of its own, and not as libcurl's option.
  ///
  /// libcurl writes its option down twice for each request, a field once. Proxies are asked for connections
  /// without such fields, but not without a name.
  private var namesItself: Bool { rules.proxies.isEmpty }

  /// Sets what is the same for every transfer.
  func applyShared(to easy: EasyHandle) {
    let handle = easy.pointer
    ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_quick_exit(handle)
    ccurl_set_web_only(handle)
    ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1)
    ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    if !namesItself { ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent) }
    // What the environment says of proxies is said for each transfer, and found nowhere else.
    ccurl_set_string(handle, CURLOPT_PROXY, "")
    ccurl_set_string(handle, CURLOPT_NOPROXY, "")
    applyTimeouts(to: handle)
    applyTrust(to: handle)
  }

  /// Sets what differs from transfer to transfer: handles are used again.
  ///
  /// - Returns: false when a field of the request cannot be sent.
  func apply(_ transfer: Transfer, to easy: EasyHandle) -> Bool {
    let login = transfer.detour == nil ? netrc.login(for: transfer.request.address) : nil
    let options = TransferOptions(transfer, timeouts: timeouts, login: login)
    let isSetUp = easy.setup.map { $0.options == options } ?? false
    guard isSetUp || set(options, on: easy) else { return false }
    ccurl_set_string(easy.pointer, CURLOPT_URL, transfer.start.asSent)
    applyRoute(to: transfer.start, of: easy)
    return true
  }

  private func set(_ options: TransferOptions, on easy: EasyHandle) -> Bool {
    let fields = HeaderFields(options.fields, userAgent: namesItself ? userAgent : nil)
    guard fields.isComplete else { return false }
    let handle = easy.pointer
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields.list)
    easy.setup = HandleSetup(options, fields)
    ccurl_set_long(handle, CURLOPT_MAXREDIRS, options.redirects)
    ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, options.codings)
    applyCredentials(options.login, to: handle)
    ccurl_set_long(handle, CURLOPT_PIPEWAIT, options.waitsForConnection ? 1 : 0)
    ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, options.milliseconds)
    ccurl_set_long(handle, CURLOPT_BUFFERSIZE, options.readSize)
    return true
  }

  /// A transfer that we paused does not count as stalled: libcurl leaves paused ones out.
  private func applyTimeouts(to handle: UnsafeMutableRawPointer) {
    let stall = (timeouts.stall.milliseconds + 999) / 1000
    ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, timeouts.connecting.milliseconds)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, timeouts.leastSpeed)
    ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, stall)
  }

  /// Sets the login for the host, which libcurl keeps from other hosts, ports and schemes that
  /// redirects lead to.
  ///
  /// It is not given the netrc file itself, whose logins it would look up after each redirect,
  /// whatever the scheme and port.
  private func applyCredentials(_ login: NetrcFile.Login?, to handle: UnsafeMutableRawPointer) {
    ccurl_set_string(handle, CURLOPT_USERNAME, login?.name)
    ccurl_set_string(handle, CURLOPT_PASSWORD, login?.password)
  }

  /// Sets the way to where a try begins; an address that libcurl cannot read it does not ask either.
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
}

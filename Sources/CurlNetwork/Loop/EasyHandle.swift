internal import CCurl
import Glibc

/// A libcurl easy handle with what its callbacks need; used for one transfer after another.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// The transfer at work; nil while the handle rests in its pool.
  var transfer: Transfer?
  /// What the handle is set up for; nil before its first transfer.
  var setup: HandleSetup?
  /// The way that all connections of the transfer take.
  var route = ProxyRoute.direct
  private var lastHop = LastHop()
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// nil when libcurl has no memory, or would not ask before it connects.
  init?() {
    guard let pointer = curl_easy_init() else {
      errorText.deallocate()
      return nil
    }
    self.pointer = pointer
    errorText.pointee = 0
    // Unretained: whoever adds the handle to a multi handle keeps it until it is removed.
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context)
    ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context)
    ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    ccurl_set_receiver(pointer, CURLOPT_WRITEFUNCTION, Self.receiveBody)
    ccurl_set_receiver(pointer, CURLOPT_HEADERFUNCTION, Self.receiveHeader)
    let guarding = ccurl_set_guards(pointer, Self.openSocket, Self.beginRequest, context)
    if guarding != CURLE_OK { return nil }
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  /// The object that owns a handle of libcurl's.
  static func of(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
    guard let pointer, let context = ccurl_get_private(pointer) else { return nil }
    return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  }

  /// What libcurl says about a failure, in its own words.
  func message(for code: CURLcode) -> String {
    let words = String(cString: errorText)
    return words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
  }

  /// Lets a paused transfer go on; libcurl may deliver bytes before this returns.
  func resume() -> CURLcode { curl_easy_pause(pointer, CURLPAUSE_CONT) }

  /// Header and body bytes received so far, as sent.
  var wireBytes: Int {
    ccurl_get_long(pointer, CURLINFO_HEADER_SIZE)
      + Int(ccurl_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T))
  }

  /// Whether a connection was ready for the request; it stays so after a redirect.
  var hasConnected: Bool { ccurl_get_offset(pointer, CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// Where the last redirect led.
  var effectiveURL: String? {
    ccurl_get_string(pointer, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) }
  }

  /// What a proxy answered last to CONNECT; 0 when none was asked.
  var proxyStatus: Int { ccurl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE) }

  /// What the system said of the last connection that failed; 0 for nothing.
  var systemError: Int { ccurl_get_long(pointer, CURLINFO_OS_ERRNO) }

  /// How many redirects libcurl has followed.
  var redirectCount: Int { ccurl_get_long(pointer, CURLINFO_REDIRECT_COUNT) }

  /// Where libcurl is connecting to, or has: behind redirects, as it reads it.
  var hop: HopURL? {
    ccurl_get_string(pointer, CURLINFO_EFFECTIVE_URL).flatMap { lastHop.reading($0) }
  }

  /// Opens the socket that libcurl asks for, if it may lead there; closed in programs that are started.
  private static let openSocket: curl_opensocket_callback = { context, purpose, address in
    guard let address, purpose == CURLSOCKTYPE_IPCXN,
      transfer(of: context)?.mayConnect(to: IPAddress(address)) == true
    else { return CURL_SOCKET_BAD }
    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, kind, address.pointee.protocol)
  }

  private static let beginRequest: curl_prereq_callback = { context, peer, _, _, _ in
    guard let peer, transfer(of: context)?.mayAsk(peer) == true else {
      return CURL_PREREQFUNC_ABORT
    }
    return CURL_PREREQFUNC_OK
  }

  private static let receiveHeader: ccurl_receiver = { bytes, size, count, context in
    guard let bytes, let transfer = transfer(of: context) else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receiveHeader(line) ? line.count : refusal(of: line.count)
  }

  private static let receiveBody: ccurl_receiver = { bytes, size, count, context in
    guard let bytes, let transfer = transfer(of: context) else { return 0 }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch transfer.receiveBody(piece) {
    case .taken: piece.count
    case .refused: refusal(of: piece.count)
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    }
  }

  /// Any other number than that of the bytes ends the transfer.
  private static func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }

  private static func transfer(of context: UnsafeMutableRawPointer?) -> Transfer? {
    context.flatMap { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue().transfer }
  }
}

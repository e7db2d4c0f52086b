internal import CCurl
import Glibc
import Models

/// A libcurl multi handle: many transfers that share one connection pool.
///
/// The pointer needs no lock. It never changes, and only the loop's thread makes calls, except for `wakeUp()`: libcurl
/// allows `curl_multi_wakeup` from any thread. The inbox ensures that `wakeUp()` is not called after `close()`.
final class MultiHandle: Sendable {
  nonisolated(unsafe) private let pointer: UnsafeMutableRawPointer

  init(limits: ConnectionLimits) {
    CurlLibrary.start()
    guard let pointer = curl_multi_init() else {
      fatalError("libcurl has no memory for its first handle")
    }
    self.pointer = pointer
    // The queue starts at most this many, but only libcurl sees redirects to another host.
    set(CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
    set(CURLMOPT_MAXCONNECTS, limits.transfers)
    set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  func wakeUp() { curl_multi_wakeup(pointer) }

  func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK }

  func remove(_ easy: EasyHandle) { curl_multi_remove_handle(pointer, easy.pointer) }

  func perform() {
    var running: Int32 = 0
    curl_multi_perform(pointer, &running)
  }

  /// Waits until a transfer can continue, a time-out of libcurl is due, or `wakeUp()` is called.
  ///
  /// It waits at most for the given time, rounded up to milliseconds.
  func wait(for time: Duration) {
    let milliseconds = Int32(saturating: (time.seconds * 1000).rounded(.up))
    curl_multi_poll(pointer, nil, 0, milliseconds, nil)
  }

  /// The next transfer that has ended, with its result.
  func nextFinished() -> (easy: EasyHandle, code: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      guard message.pointee.msg == CURLMSG_DONE,
        let easy = EasyHandle.of(message.pointee.easy_handle)
      else { continue }
      return (easy, ccurl_result(message))
    }
    return nil
  }

  /// Closes all connections; no other call may follow.
  func close() { curl_multi_cleanup(pointer) }

  private func set(_ option: CURLMoption, _ value: Int) {
    ccurl_multi_set_long(pointer, option, value)
  }
}

/// The initialisation of libcurl.
private enum CurlLibrary {
  private static let initialisation = curl_global_init(Int(CURL_GLOBAL_ALL))

  /// Initialises the library on the first call.
  static func start() {
    guard initialisation == CURLE_OK else {
      fatalError(
        "libcurl cannot be initialised: \(String(cString: curl_easy_strerror(initialisation)))"
      )
    }
  }
}

/// A libcurl easy handle with the state for its callbacks; it serves one transfer after another.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// The transfer that uses the handle; nil while the handle is in the pool.
  var transfer: Transfer?
  /// The options that are set on the handle; nil before its first transfer.
  var setup: HandleSetup?
  /// The route of all of the transfer's connections.
  var route = ProxyRoute.direct
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// Makes a handle; nil when libcurl is out of memory, or does not support the callbacks that run before it connects.
  init?() {
    guard let pointer = curl_easy_init() else {
      errorText.deallocate()
      return nil
    }
    self.pointer = pointer
    errorText.pointee = 0
    // Unretained, because the loop retains the object for as long as it is in the multi handle.
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

  /// The object of a libcurl handle.
  static func of(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
    guard let pointer, let context = ccurl_get_private(pointer) else { return nil }
    return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  }

  /// libcurl's message about a failure.
  func message(for code: CURLcode) -> String {
    let words = String(cString: errorText)
    return words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
  }

  /// Resumes a paused transfer; libcurl may deliver bytes before this returns.
  func resume() -> CURLcode { curl_easy_pause(pointer, CURLPAUSE_CONT) }

  /// The bytes of headers and body received so far, before decompression.
  var wireBytes: Int {
    ccurl_get_long(pointer, CURLINFO_HEADER_SIZE)
      + Int(ccurl_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T))
  }

  /// Whether a connection was ever ready for a request; it stays true after a redirect.
  var hasConnected: Bool { ccurl_get_offset(pointer, CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// The URL of the request, or of the last redirect.
  var effectiveURL: String? {
    ccurl_get_string(pointer, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) }
  }

  /// The status of a proxy's last response to CONNECT; 0 when there was no such response.
  var proxyStatus: Int { ccurl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE) }

  /// The system's error number for the last connection that failed; 0 if none was reported.
  var systemError: Int { ccurl_get_long(pointer, CURLINFO_OS_ERRNO) }

  /// The number of redirects that libcurl has followed.
  var redirectCount: Int { ccurl_get_long(pointer, CURLINFO_REDIRECT_COUNT) }

  /// The cookies that servers have set, as lines of a cookie file.
  var cookies: [String] {
    guard let list = ccurl_get_list(pointer, CURLINFO_COOKIELIST) else { return [] }
    defer { curl_slist_free_all(list) }
    return sequence(first: list) { $0.pointee.next }
      .compactMap { $0.pointee.data.map { String(cString: $0) } }
  }

  /// Replaces the cookies by those of an earlier attempt.
  func setCookies(_ lines: [String]) {
    ccurl_set_string(pointer, CURLOPT_COOKIELIST, "ALL")
    for line in lines { ccurl_set_string(pointer, CURLOPT_COOKIELIST, line) }
  }

  /// The URL of the current connection, after redirects, as libcurl parses it.
  var hop: HopURL? {
    ccurl_get_string(pointer, CURLINFO_EFFECTIVE_URL).flatMap(HopURL.init)
  }

  /// Opens a socket if the transfer may connect to its address; child processes do not inherit the socket.
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

  /// A number that differs from the number of bytes, which makes libcurl end the transfer.
  private static func refusal(of count: Int) -> Int { count == 0 ? 1 : 0 }

  private static func transfer(of context: UnsafeMutableRawPointer?) -> Transfer? {
    context.flatMap { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue().transfer }
  }
}

/// Easy handles for reuse; creating one costs more than setting all options of a small transfer.
struct EasyHandlePool {
  private var resting: [EasyHandle] = []
  private let setup: TransferSetup

  init(setup: TransferSetup) { self.setup = setup }

  /// Takes a handle with the options that all transfers share; nil when libcurl is out of memory.
  mutating func take() -> EasyHandle? {
    if let easy = resting.popLast() { return easy }
    guard let easy = EasyHandle() else { return nil }
    setup.applyShared(to: easy)
    return easy
  }

  mutating func giveBack(_ easy: EasyHandle) {
    easy.transfer = nil
    // An open file would occupy disk space after it is deleted.
    if easy.setup?.file != nil { easy.setup = nil }
    resting.append(easy)
  }

  mutating func removeAll() { resting = [] }
}

internal import CCurl

/// A libcurl multi handle: many transfers, one connection pool.
///
/// The pointer needs no lock. It never changes, and only the loop's thread makes calls, except for
/// `wakeUp()`: libcurl allows `curl_multi_wakeup` from any thread. The inbox ensures that no wake-up
/// comes after `close()`.
final class MultiHandle: Sendable {
  nonisolated(unsafe) private let pointer: UnsafeMutableRawPointer

  init(limits: ConnectionLimits) {
    CurlLibrary.start()
    guard let pointer = curl_multi_init() else {
      fatalError("libcurl has no memory for its first handle")
    }
    self.pointer = pointer
    // The queue starts no more than this, but only libcurl sees redirects to another host.
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
  /// It waits no longer than the given time, rounded up to milliseconds.
  func wait(for time: Duration) {
    let milliseconds = Int32(clamping: Int((time.seconds * 1000).rounded(.up)))
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

  /// Closes all connections; no call may follow.
  func close() { curl_multi_cleanup(pointer) }

  private func set(_ option: CURLMoption, _ value: Int) {
    ccurl_multi_set_long(pointer, option, value)
  }
}

/// The initialisation of libcurl.
private enum CurlLibrary {
  private static let initialisation = curl_global_init(Int(CURL_GLOBAL_ALL))

  /// Initialises the library with the first call.
  static func start() {
    guard initialisation == CURLE_OK else {
      fatalError(
        "libcurl cannot be initialised: \(String(cString: curl_easy_strerror(initialisation)))"
      )
    }
  }
}

internal import CCurl

/// A libcurl multi handle: many transfers, one connection pool.
///
/// The pointer never changes, and every call but `wakeUp()` is made by the loop's thread;
/// `curl_multi_wakeup` is the one multi call that libcurl allows from any thread. The inbox sees
/// to it that none comes after `close()`. Hence no lock is needed for the pointer.
final class MultiHandle: Sendable {
  nonisolated(unsafe) private let pointer: UnsafeMutableRawPointer

  init(limits: ConnectionLimits) {
    CurlLibrary.start()
    guard let pointer = curl_multi_init() else {
      fatalError("libcurl has no memory for its first handle")
    }
    self.pointer = pointer
    // Our own queue starts no more than this; redirects to another host are held back here.
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

  /// Waits until a transfer can go on, a time-out of libcurl's is due, someone calls `wakeUp()`, or
  /// the time is over, which is never early.
  func wait(for time: Duration) {
    let milliseconds = Int32(clamping: Int((time.seconds * 1000).rounded(.up)))
    curl_multi_poll(pointer, nil, 0, milliseconds, nil)
  }

  /// The next transfer that has ended, and how.
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

  /// Closes all connections; nothing may be called afterwards.
  func close() { curl_multi_cleanup(pointer) }

  private func set(_ option: CURLMoption, _ value: Int) {
    ccurl_multi_set_long(pointer, option, value)
  }
}

internal import CCurl
import Workers

/// What libcurl tells of the time that a transfer took, redirects included.
///
/// Its moments count from the start, each is later than the one before or 0 when it did not come to
/// that (curl_easy_getinfo(3), "TIMES"); times after a redirect are added.
struct TransferTimes: Equatable {
  /// Microseconds.
  var lookingUp = 0
  var connecting = 0
  var securing = 0
  var waiting = 0
  var receiving = 0
  var connections = 0
  var redirects = 0
  var bytes = 0

  /// Takes libcurl's moments, in microseconds.
  init(name: Int, connection: Int, security: Int, ready: Int, first: Int, end: Int) {
    lookingUp = name
    // Until there is a connection, all is spent on it.
    let connected = connection > 0 ? connection : ready > 0 ? name : end
    connecting = max(0, connected - name)
    securing = max(0, security - connected)
    guard ready > 0 else { return }
    waiting = max(0, (first > 0 ? first : end) - max(ready, connected, security))
    receiving = first > 0 ? max(0, end - first) : 0
  }

  init(_ easy: EasyHandle) {
    func moment(_ info: CURLINFO) -> Int { Int(ccurl_get_offset(easy.pointer, info)) }
    self.init(
      name: moment(CURLINFO_NAMELOOKUP_TIME_T),
      connection: moment(CURLINFO_CONNECT_TIME_T),
      security: moment(CURLINFO_APPCONNECT_TIME_T),
      ready: moment(CURLINFO_PRETRANSFER_TIME_T),
      first: moment(CURLINFO_STARTTRANSFER_TIME_T),
      end: moment(CURLINFO_TOTAL_TIME_T)
    )
    connections = ccurl_get_long(easy.pointer, CURLINFO_NUM_CONNECTS)
    redirects = easy.redirectCount
    bytes = easy.wireBytes
  }

  func add(to timings: inout SyncTimings) {
    timings[.lookingUp] += .microseconds(lookingUp)
    timings[.connecting] += .microseconds(connecting)
    timings[.securing] += .microseconds(securing)
    timings[.waiting] += .microseconds(waiting)
    timings[.receiving] += .microseconds(receiving)
    timings.counts.connections += connections
    timings.counts.requests += redirects
    timings.counts.bytes += bytes
  }
}

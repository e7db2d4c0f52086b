/// How a connection is made.
enum ProxyRoute: Sendable, Equatable {
  case direct
  /// Through a proxy, as libcurl takes it (CURLOPT_PROXY).
  case proxy(String)

  /// The text for CURLOPT_PROXY: an empty one is none, and keeps libcurl from looking for one itself.
  var option: String {
    switch self {
    case .direct: ""
    case .proxy(let text): text
    }
  }
}

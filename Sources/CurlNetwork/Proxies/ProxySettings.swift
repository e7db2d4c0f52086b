import Foundation

/// The proxies that the user has set up in the environment, read by libcurl's own rules (libcurl-env(3)).
///
/// We read them, and tell libcurl for each transfer, because its own reading depends on where a
/// redirect leads, and it does not say which way it took: a connection that goes straight to a private
/// address would look like one to a proxy.
struct ProxySettings: Sendable, Equatable {
  private let http: String?
  private let https: String?
  private let exceptions: NoProxyList

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let all = first("all_proxy", "ALL_PROXY")
    // HTTP_PROXY is what a web server tells its scripts of a visitor's field `Proxy`.
    http = first("http_proxy") ?? all
    https = first("https_proxy", "HTTPS_PROXY") ?? all
    exceptions = NoProxyList(first("no_proxy", "NO_PROXY") ?? "")
  }

  /// Whether there are none.
  var isEmpty: Bool { http == nil && https == nil }

  func route(to url: HopURL) -> ProxyRoute {
    let proxy = url.scheme == "https" ? https : http
    guard let proxy, !exceptions.contains(url.host) else { return .direct }
    return .proxy(proxy)
  }
}

import ArgumentParser
import Hummingbird

/// An address at which the server listens: a host and a port, or a socket in the file system.
enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
  case host(String, port: Int)
  case socket(path: String)

  static let usualPort = 8_470
  /// The loopback interface, for IPv4 and IPv6.
  static let usual: [ListenAddress] = [
    .host("127.0.0.1", port: usualPort), .host("::1", port: usualPort),
  ]

  /// The addresses of the options; the usual addresses without any options.
  static func all(_ texts: [String]) throws -> [ListenAddress] {
    texts.isEmpty ? usual : try texts.map { try ListenAddress($0) }
  }

  /// Reads `HOST`, `HOST:PORT`, `IPV6`, `[IPV6]:PORT`, `:PORT`, `PORT` or `unix:PATH`.
  init(_ text: String) throws {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/") else {
        throw ValidationError("--listen \(text): the path of a socket begins with a slash")
      }
      self = .socket(path: path)
      return
    }
    var (host, port) = (text, String?.none)
    if !text.isEmpty, text.allSatisfy(\.isNumber) { (host, port) = ("", text) }
    if host.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      port = rest.isEmpty ? nil : String(rest.dropFirst())
    } else if !HostName.isIPv6(text), let colon = host.lastIndex(of: ":") {
      host = String(text[..<colon])
      port = String(text[text.index(after: colon)...])
    }
    let number = port.map { Int($0) } ?? Self.usualPort
    guard let number, (0...65_535).contains(number) else {
      throw ValidationError("--listen \(text): the port is not a number from 0 to 65535")
    }
    self = .host(host.isEmpty ? "127.0.0.1" : host, port: number)
  }

  /// Whether only this machine can reach it.
  var isLocal: Bool {
    switch self {
    case .socket: true
    case .host(let host, _): host.hasPrefix("127.") || host == "::1" || host == "localhost"
    }
  }

  var bindAddress: BindAddress {
    switch self {
    case .host(let host, let port): .hostname(host, port: port)
    case .socket(let path): .unixDomainSocket(path: path)
    }
  }

  var description: String {
    switch self {
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .socket(let path): "unix:\(path)"
    }
  }
}

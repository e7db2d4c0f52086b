import HTTPTypes
import NIOCore
import Workers

/// The proxies whose fields about a client count; other clients could write anything into them.
struct TrustedProxies: Sendable {
  /// The addresses that begin with the same bits (RFC 4632, section 3.1); a single address has all bits.
  private struct Network: Sendable {
    let bytes: [UInt8]
    let bits: Int

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == bytes.count else { return false }
      return (0..<bits).allSatisfy { bit in
        let difference = address[bit / 8] ^ bytes[bit / 8]
        let mask = UInt8(0x80) >> UInt8(bit % 8)
        return difference & mask == 0
      }
    }
  }

  private var networks: [Network] = []
  private var hasSockets = false

  /// No proxies.
  init() {}

  /// Reads addresses such as `127.0.0.1`, networks such as `10.0.0.0/8`, and `unix` for all sockets in the file system.
  ///
  /// - Throws: when a text is none of these.
  init(_ texts: [String]) throws(UnusableText) {
    for text in texts {
      if text == "unix" {
        hasSockets = true
        continue
      }
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let bytes = Self.address(parts[0]) else { throw UnusableText(text: text) }
      let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
      guard let bits, (0...bytes.count * 8).contains(bits) else { throw UnusableText(text: text) }
      networks.append(Network(bytes: bytes, bits: bits))
    }
  }

  struct UnusableText: Error {
    let text: String
  }

  /// Whether the other end of a connection is trusted; nil is the address of a client that has left too early.
  func contains(_ address: SocketAddress?) -> Bool {
    guard let address else { return false }
    guard let bytes = address.ipBytes else { return hasSockets }
    return contains(bytes)
  }

  func contains(_ bytes: [UInt8]) -> Bool { networks.contains { $0.contains(bytes) } }

  /// The bytes of an IP address, which may have brackets and a port; nil for any other text.
  fileprivate static func address(_ text: some StringProtocol) -> [UInt8]? {
    var text = String(text)
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = String(text[..<end].dropFirst())
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      text = String(text[..<colon])
    }
    return (try? SocketAddress(ipAddress: text, port: 0))?.ipBytes
  }
}

/// The facts about a client and its request that trusted proxies have written into the request.
///
/// They are in `Forwarded` (RFC 7239), or in the older fields `X-Forwarded-For`, `-Proto` and `-Host`, which count if a
/// request has both.
struct ForwardedFacts: Equatable {
  /// The IP address of the client; nil when no proxy tells it.
  var client: [UInt8]?
  /// `http` or `https`, as the client has sent the request.
  var scheme: String?
  /// The host and port that the client has asked for.
  var host: String?
  /// The beginning of the path that a proxy has removed (`X-Forwarded-Prefix`).
  var prefix: String?

  /// What one proxy has written.
  private struct Hop {
    var client: [UInt8]?
    var scheme: String?
    var host: String?
  }

  /// - Parameters:
  ///   - fields: The fields of a request that a trusted proxy has sent.
  ///   - proxies: The trusted proxies. The last hop is the nearest; a hop before it counts if its writer is trusted too.
  init(_ fields: HTTPFields, through proxies: TrustedProxies) {
    let old = Self.olderHops(fields)
    for hop in (old.isEmpty ? Self.hops(fields) : old).reversed() {
      client = hop.client ?? client
      scheme = hop.scheme ?? scheme
      host = hop.host ?? host
      guard let writer = hop.client, proxies.contains(writer) else { break }
    }
    prefix = Self.list(fields, .xForwardedPrefix).last.flatMap(Self.path)
  }

  private static func olderHops(_ fields: HTTPFields) -> [Hop] {
    let clients = list(fields, .xForwardedFor)
    let (schemes, hosts) = (list(fields, .xForwardedProto), list(fields, .xForwardedHost))
    guard !clients.isEmpty || !schemes.isEmpty || !hosts.isEmpty else { return [] }
    let count = max(1, clients.count)
    // Some proxies replace a field, and others add to it: a list of another length says the same of all hops.
    let at = { (list: [String], index: Int) in list.count == count ? list[index] : list.last }
    return (0..<count).map { index in
      Hop(
        client: clients.isEmpty ? nil : TrustedProxies.address(clients[index]),
        scheme: at(schemes, index).flatMap(scheme),
        host: at(hosts, index)
      )
    }
  }

  private static func hops(_ fields: HTTPFields) -> [Hop] {
    list(fields, .forwarded).map { element in
      var hop = Hop()
      for pair in element.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2 else { continue }
        // An address with a port, or of IPv6, is a quoted string (section 6).
        let value = parts[1].replacing("\"", with: "")
        switch parts[0].lowercased() {
        case "for": hop.client = TrustedProxies.address(value)
        case "proto": hop.scheme = scheme(value)
        case "host": hop.host = value
        default: break
        }
      }
      return hop
    }
  }

  /// The members of a field that is a list, over all of its lines.
  private static func list(_ fields: HTTPFields, _ name: HTTPField.Name) -> [String] {
    fields[values: name].flatMap { $0.split(separator: ",") }.map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }

  private static func scheme(_ text: String) -> String? {
    let scheme = text.lowercased()
    return ["http", "https"].contains(scheme) ? scheme : nil
  }

  /// A path that pages can put before their addresses, without a slash at its end; nil for any other text.
  private static func path(_ text: String) -> String? {
    let path = text.hasSuffix("/") ? String(text.dropLast()) : text
    let isPlain = path.utf8.allSatisfy { byte in
      Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        || "/-_.~".utf8.contains(byte)
    }
    let isPath = path.hasPrefix("/") && !path.contains("//") && !path.contains("..")
    return isPlain && isPath && path.utf8.allSatisfy { $0 < 0x80 } ? path : nil
  }
}

extension SocketAddress {
  /// The 4 or 16 bytes of an IP address, in network order; nil for a socket in the file system.
  ///
  /// An IPv4 address that a socket for both versions shows as IPv6 has 4 bytes (RFC 4291, section 2.5.5.2).
  var ipBytes: [UInt8]? {
    switch self {
    // In a `sockaddr_in`, the address follows the family and the port (ip(7)).
    case .v4(let address): return withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
    case .v6(let address):
      // In a `sockaddr_in6`, the flow label is between them (ipv6(7)).
      let bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
      let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
      return bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    case .unixDomainSocket: return nil
    }
  }
}

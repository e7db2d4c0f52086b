import Models
import Workers

/// A web site with a feed of pictures, some of which have misbehaving servers.
package final class FaultSite: Sendable {
  /// A picture of the feed.
  package struct Entry: Sendable {
    package var number: Int
    /// The picture that should arrive.
    package var picture: [UInt8]
    package var address: String
    /// The fault; nil if the server works normally.
    package var fault: Fault?
    /// The separate host of the fault; nil if this site serves the picture.
    var host: FaultHost?
  }

  package let entries: [Entry]
  package let server: LoopbackServer

  /// Starts the site's servers.
  ///
  /// - Parameters:
  ///   - faults: The faults, each with one picture, in this order.
  ///   - sound: The number of pictures without a fault before each one with a fault.
  ///   - port: The port of the feed; 0 for one that the system chooses.
  /// - Throws: when a port is not available.
  package init(_ faults: [Fault], sound: Int, port: Int = 0) throws(LoopbackError) {
    let entries = try Self.entries(faults, sound: sound)
    let paths = Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0) })
    let feed = Locked<[UInt8]>([])
    var ways = LoopbackWays()
    ways.port = port
    server = try LoopbackServer(ways) { request in
      if request.target == "/feed.json" { return .whole(feed.withLock { $0 }) }
      return Self.response(to: request, paths)
    }
    let root = "http://127.0.0.1:\(server.port)"
    self.entries = entries.map { entry in
      var entry = entry
      entry.address = entry.host?.address ?? root + entry.path
      return entry
    }
    let document = Self.document(self.entries)
    feed.withLock { $0 = document }
  }

  /// The address of the feed.
  package var feed: String { server.address("/feed.json")?.text ?? "" }

  /// The number of requests for an entry's address, or to its host.
  package func requests(for entry: Entry) -> Int {
    entry.host?.requests() ?? server.requests.count { $0.target.hasPrefix(entry.path) }
  }

  private static func entries(
    _ faults: [Fault],
    sound: Int
  ) throws(LoopbackError) -> [Entry] {
    var entries: [Entry] = []
    for fault in faults {
      for _ in 0..<sound { entries.append(try entry(entries.count + 1, nil)) }
      entries.append(try entry(entries.count + 1, fault))
    }
    return entries
  }

  private static func entry(_ number: Int, _ fault: Fault?) throws(LoopbackError) -> Entry {
    // All pictures have different sizes, so their contents differ as well.
    let picture = TestPicture.jpeg(width: 64 + number % 250, height: 64 + number / 250)
    var entry = Entry(number: number, picture: picture, address: "", fault: fault)
    if case .host(let start)? = fault?.place { entry.host = try start(picture) }
    return entry
  }

  private static func response(
    to request: LoopbackRequest,
    _ paths: [String: Entry]
  ) -> LoopbackResponse {
    guard let entry = entry(at: request.target, paths) else { return .whole(status: 404) }
    if let host = entry.host { return .redirect(to: host.address, status: 307) }
    guard case .address(let answer)? = entry.fault?.place else { return .whole(entry.picture) }
    return answer(request, entry.picture)
  }

  /// Finds an entry by its path, by a path below it, or by the name of its fault.
  ///
  /// A fault may have redirected to a path below its own.
  private static func entry(at target: String, _ paths: [String: Entry]) -> Entry? {
    let parts = target.split(separator: "/").prefix(3)
    if let entry = paths["/" + parts.joined(separator: "/")] { return entry }
    guard parts.count > 1, parts[0] == "fault" else { return nil }
    return paths.values.first { $0.fault?.name == String(parts[1]) }
  }

  private static func document(_ entries: [Entry]) -> [UInt8] {
    let objects = entries.map { entry in
      """
      {"id":\(entry.number),"title":"\(entry.fault?.name ?? "sound")","url":"/large/\(entry.number).jpg",\
      "thumbnailUrl":"\(entry.address)"}
      """
    }
    return Array("[\(objects.joined(separator: ",\n"))]\n".utf8)
  }
}

extension FaultSite.Entry {
  /// The path on the site.
  fileprivate var path: String { "/\(fault.map { "fault/\($0.name)" } ?? "sound")/\(number)" }
}

import Foundation
import GalleryLibrary
import TestSupport
import Testing
import Workers

/// A site with a feed of three photographs, and a folder for libraries that follow it.
final class LibraryBench: Sendable {
  /// The names of the photographs, the newest first.
  static let names = ["moon", "sun", "stars"]

  let folder: ScratchFolder
  private let server: LoopbackServer
  private let gates: Locked<[String: Gate]>
  private let missing: Locked<Set<String>>

  /// Starts the site; the feed names thumbnails unless `hasThumbnails` is false.
  init(hasThumbnails: Bool = true) throws {
    folder = try ScratchFolder()
    let (gates, missing) = (Locked<[String: Gate]>([:]), Locked<Set<String>>([]))
    (self.gates, self.missing) = (gates, missing)
    server = try LoopbackServer { request in
      let response = Self.response(to: request.target, hasThumbnails, missing.withLock { $0 })
      return gates.withLock { $0[request.target] }.map(response.held) ?? response
    }
  }

  var feed: String { address("/photos.xml") }

  func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  var targets: [String] { server.requests.map(\.target) }

  /// Holds the responses to a path back.
  func hold(_ path: String) -> Gate {
    let gate = Gate()
    gates.withLock { $0[path] = gate }
    return gate
  }

  /// Answers 404 at a path.
  func lose(_ path: String) { missing.withLock { _ = $0.insert(path) } }

  /// Waits until a path was asked for.
  func asked(for path: String) async {
    while !targets.contains(path) { await Task.yield() }
  }

  /// Opens the library in the folder, or another one, with the decoder of this checkout or another one.
  func library(
    at place: String? = nil,
    decoder: String? = nil
  ) async throws -> ImageLibrary {
    var options = ImageLibrary.Options()
    options.environment = ["XDG_DATA_HOME": folder.path]
    options.decoder = try decoder ?? Programs.path(of: "gallery-decoder")
    return try await ImageLibrary(at: place ?? "\(folder.path)/library", options: options)
  }

  /// A library after a sync of the feed.
  func syncedLibrary(
    _ options: LibrarySync.Options = LibrarySync.Options()
  ) async throws -> ImageLibrary {
    let library = try await library()
    for try await event in library.sync([feed], options: options) {
      if case .problem(let problem) = event { Issue.record("\(problem)") }
    }
    return library
  }

  static func photograph(_ name: String) -> [UInt8] {
    TestPicture.jpeg(width: 400, height: 300, filling: name.utf8.count * 1_000)
  }

  static func thumbnail(_ name: String) -> [UInt8] {
    TestPicture.jpeg(width: 200, height: 150, filling: name.utf8.count * 10)
  }

  private static func response(
    to path: String,
    _ hasThumbnails: Bool,
    _ missing: Set<String>
  ) -> LoopbackResponse {
    if missing.contains(path) { return .whole(status: 404) }
    if path == "/photos.xml" {
      return .whole(
        Array(feed(hasThumbnails).utf8),
        fields: ["Content-Type: application/rss+xml"]
      )
    }
    if path == "/page.html" { return .whole(Array("<html><p>no feed".utf8)) }
    for name in names {
      if path == "/\(name).jpg" { return .whole(photograph(name)) }
      if path == "/\(name)-small.jpg" { return .whole(thumbnail(name)) }
    }
    return .whole(status: 404)
  }

  private static func feed(_ hasThumbnails: Bool) -> String {
    let items = names.enumerated().map { index, name in
      """
      <item><title>The \(name)</title><guid>\(name)</guid>
      <pubDate>0\(9 - index) Mar 2026 08:00:00 GMT</pubDate>
      <media:content url="/\(name).jpg" type="image/jpeg" width="400" height="300"/>
      \(hasThumbnails ? "<media:thumbnail url=\"/\(name)-small.jpg\"/>" : "")</item>
      """
    }
    return """
      <?xml version="1.0"?>
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <title>Night sky</title>\(items.joined())</channel></rss>
      """
  }
}

/// The error with which a library refuses a request; nil if it does not.
func refusal(
  _ request: () async throws(LibraryError) -> Void
) async -> LibraryError? {
  do throws(LibraryError) {
    try await request()
    return nil
  } catch {
    return error
  }
}

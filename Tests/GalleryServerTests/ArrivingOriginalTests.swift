import Composition
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Workers

@testable import gallery_server

/// Originals that are sent while they arrive, and whose transfers break off.
@Suite(.timeLimit(.minutes(60)))
struct ArrivingOriginalTests {
  private static let moon = PictureBytes.longJPEG(2_000_000)
  private static let small =
    PictureBytes.jpegStart + PictureBytes.jpegFrame(width: 160, height: 120)
    + PictureBytes.jpegScan + PictureBytes.jpegEnd

  /// Another picture, whose scan has this many bytes.
  private static func sun(_ count: Int) -> [UInt8] {
    PictureBytes.longJPEG(count).map { $0 == 0x55 ? 0xAA : $0 }
  }

  /// A feed with one image, whose original breaks off after most of its bytes when the gate opens.
  private static func site(
    breakingAt gate: Gate,
    declaringLength: Bool = true,
    then rest: @escaping LoopbackServer.Handler
  ) throws -> LoopbackServer {
    let isBroken = Locked(false)
    return try LoopbackServer { request in
      let host = "http://\(request["Host"] ?? "")"
      switch request.target {
      case "/feed.json":
        let feed = #"[{"id":1,"url":"\#(host)/moon.jpg","thumbnailUrl":"\#(host)/small.jpg"}]"#
        return .whole(Array(feed.utf8), fields: ["Content-Type: application/json"])
      // Without it, the sync would fetch the original to make a thumbnail.
      case "/small.jpg": return .whole(small)
      case "/moon.jpg" where isBroken.withLock({ $0 }): return rest(request)
      case "/moon.jpg":
        isBroken.withLock { $0 = true }
        let length = declaringLength ? ["Content-Length: \(moon.count)"] : []
        let fields = length + ["ETag: \"moon\""]
        let start = LoopbackResponse.header(200, fields) + moon.prefix(1_600_000)
        return LoopbackResponse([.send(start), .wait(gate)], closes: true)
      default: return .whole(status: 404)
      }
    }
  }

  /// Reads an original; after its first bytes it opens the gate, and waits until the library has the original.
  private func read(_ original: Response, of bench: ServerBench, _ gate: Gate) async throws
    -> (bytes: [UInt8], isWhole: Bool)
  {
    let reader = SlowReader {
      gate.open()
      while try await bench.root.library.original(imageID: 1) == nil { await Task.yield() }
    }
    do {
      try await original.body.write(reader)
      return (reader.bytes.withLock { $0 }, true)
    } catch {
      return (reader.bytes.withLock { $0 }, false)
    }
  }

  @Test(arguments: [1_000_000, 2_000_000, 3_000_000])
  func `ends the answer when another picture begins, and sends none of its bytes`(
    length: Int
  ) async throws {
    let (gate, sun) = (Gate(), Self.sun(length))
    let site = try Self.site(breakingAt: gate) { _ in .whole(sun, fields: ["ETag: \"sun\""]) }
    let bench = try await ServerBench(syncing: "http://127.0.0.1:\(site.port)/feed.json")
    let original = try await bench.response("/images/1/original", .get, ServerBench.admin)

    let read = try await read(original, of: bench, gate)

    #expect(original.status == .ok)
    #expect(original.body.contentLength == Self.moon.count)
    #expect(!read.isWhole)
    #expect(!read.bytes.isEmpty && read.bytes.count < Self.moon.count)
    #expect(Self.moon.starts(with: read.bytes))
  }

  @Test func `sends the rest of a picture whose transfer resumes`() async throws {
    let gate = Gate()
    let site = try Self.site(breakingAt: gate) { .resumable(Self.moon, tag: "\"moon\"", to: $0) }
    let bench = try await ServerBench(syncing: "http://127.0.0.1:\(site.port)/feed.json")
    let original = try await bench.response("/images/1/original", .get, ServerBench.admin)

    let read = try await read(original, of: bench, gate)

    #expect(read.isWhole)
    #expect(read.bytes == Self.moon)
  }

  @Test(arguments: [true, false])
  func `tells how much of an original has come, for as long as it arrives`(
    declaringLength: Bool
  ) async throws {
    let gate = Gate()
    let site = try Self.site(breakingAt: gate, declaringLength: declaringLength) {
      .resumable(Self.moon, tag: "\"moon\"", to: $0)
    }
    let bench = try await ServerBench(syncing: "http://127.0.0.1:\(site.port)/feed.json")
    let path = "/api/v1/images/1"
    let before = try await bench.ask(path).json
    let original = try await bench.response("/images/1/original", .get, ServerBench.admin)

    let share = try await bench.ask(path).json["arriving"] as? [String: Any]

    #expect(before["id"] as? Int == 1 && before["arriving"] == nil)
    let received = try #require(share?["received"] as? Int)
    #expect((1...1_600_000).contains(received))
    #expect(share?["total"] as? Int == (declaringLength ? Self.moon.count : nil))
    #expect(share?.keys.contains("total") == true)
    gate.open()
    try? await original.body.write(SlowReader {})
    while bench.server.arriving.share(of: 1) != nil { await Task.yield() }
    #expect(try await bench.ask(path).json["arriving"] == nil)
  }

  @Test func `tells how much has come until the last client's fetch has ended`() {
    let (arriving, half) = (ArrivingOriginals(), ArrivingOriginals.Share(received: 5, total: 10))
    // Without a fetch, late progress is not kept.
    arriving.note(half, of: 1)
    #expect(arriving.share(of: 1) == nil)

    arriving.begin(1)
    arriving.begin(1)
    #expect(arriving.share(of: 1) == nil)
    arriving.note(half, of: 1)
    arriving.end(1)

    #expect(arriving.share(of: 1) == half && arriving.share(of: 2) == nil)
    arriving.end(1)
    #expect(arriving.share(of: 1) == nil)
    arriving.end(1)
    arriving.begin(1)
    #expect(arriving.share(of: 1) == nil)
  }
}

/// Files that are sent, and may change meanwhile.
struct OpenFileTests {
  @Test func `tells that a file was changed since it was opened, and takes no link`() throws {
    let path = NSTemporaryDirectory() + "gallery-file-\(UUID().uuidString)"
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    try FileManager.default.createSymbolicLink(
      atPath: path + ".link",
      withDestinationPath: path
    )
    defer {
      for name in [path, path + ".link"] { try? FileManager.default.removeItem(atPath: name) }
    }
    let file = try OpenFile(path: path, length: 3)
    let before = file.isAsOpened

    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)],
      ofItemAtPath: path
    )

    #expect(before && !file.isAsOpened)
    // The second time as an event loop opens it, now that its path is in memory.
    for isWaiting in [true, false] {
      #expect(try OpenFile(path: path, length: 3, isWaiting: isWaiting).isAsOpened)
      for (name, length) in [(path, 4), (path + ".link", 3), (path + ".none", 0)] {
        #expect(throws: (any Error).self) {
          try OpenFile(path: name, length: length, isWaiting: isWaiting)
        }
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `no event loop sends a file of another user, whose pages in memory are not told`() throws {
    let path = NSTemporaryDirectory() + "gallery-file-\(UUID().uuidString)"
    try Data([1, 2, 3]).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let own = try OpenFile(path: path, length: 3)
    #expect(own.isMemoryKnown && KeptFile(own, at: path, length: 3) != nil)

    #expect(chown(path, 65_534, 65_534) == 0)

    let foreign = try OpenFile(path: path, length: 3)
    #expect(!foreign.isMemoryKnown && KeptFile(foreign, at: path, length: 3) == nil)
  }

  @Test(arguments: [true, false])
  func `keeps the end of a file back when its bytes are not right any more`(
    isRight: Bool
  ) async throws {
    let path = NSTemporaryDirectory() + "gallery-file-\(UUID().uuidString)"
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let body = try OpenFile(path: path, length: bytes.count).body(
      10..<bytes.count,
      on: MultiThreadedEventLoopGroup.singleton.next(),
      while: { isRight }
    )
    let reader = SlowReader {}

    if isRight {
      try await body.write(reader)
      #expect(reader.bytes.withLock { $0 } == Array(bytes[10...]))
    } else {
      await #expect(throws: OpenFile.Problem.changed) { try await body.write(reader) }
      #expect(reader.bytes.withLock { $0.count } < bytes.count - 10)
    }
  }
}

/// A client that reads on only after the first bytes have had a consequence.
private struct SlowReader: ResponseBodyWriter {
  let bytes = Locked<[UInt8]>([])
  private let whenBegun: @Sendable () async throws -> Void
  private var hasBegun = false

  init(whenBegun: @escaping @Sendable () async throws -> Void) { self.whenBegun = whenBegun }

  mutating func write(_ buffer: ByteBuffer) async throws {
    bytes.withLock { $0 += Array(buffer.readableBytesView) }
    if !hasBegun { try await whenBegun() }
    hasBegun = true
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

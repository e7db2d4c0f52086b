import Composition
import Foundation
import HTTPTypes
import Logging
import Models
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing
import Workers

@testable import gallery_server

/// The memory for pictures.
struct KeptAnswersTests {
  private final class Library: ChangeWatching {
    let number = Locked<Int?>(1)

    var changeMark: Int? { number.snapshot }
    func version() async throws(StoreError) -> LibraryVersion {
      LibraryVersion(library: "", epoch: 0, number: 0)
    }
    func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts {
      ChangeCounts()
    }
    func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {}
  }

  private let library = Library()
  private let paths = KeptPaths(basePath: "", assetHash: "0123")

  private func kept(limit: Int = 10_000) -> KeptAnswers {
    KeptAnswers(library, paths, limit: limit)
  }

  private func question(_ number: Int) throws -> KeptQuestion {
    let digits = String(number, radix: 16)
    let hash = String(repeating: "0", count: 64 - digits.count) + digits
    let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/t/\(hash)")
    return try #require(KeptQuestion(head, in: paths))
  }

  private func keep(_ number: Int, _ bytes: Int, in kept: KeptAnswers) throws {
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(bytes)"])
    let body = ByteBuffer(repeating: UInt8(number), count: bytes)
    kept.keep(head, body, for: try question(number), at: 1)
  }

  private func bytes(_ number: Int, in kept: KeptAnswers, at mark: Int = 1) throws -> Int? {
    guard
      case .bytes(let bytes)? = kept.answer(to: try question(number), at: mark, now: Date())?.body
    else { return nil }
    return bytes.readableBytes
  }

  @Test func `keeps pictures up to its limit, and those that are sent longest`() throws {
    let kept = kept(limit: 4 * (1_024 + Limits.keptHeadBytes))
    for number in 1...4 { try keep(number, 1_024, in: kept) }
    #expect(try bytes(1, in: kept) == 1_024)
    #expect(try bytes(3, in: kept) == 1_024)

    try keep(5, 1_024, in: kept)
    try keep(6, 1_024, in: kept)

    #expect(try (1...6).filter { try bytes($0, in: kept) != nil } == [1, 3, 5, 6])
    #expect(kept.figures.count == 4)
    #expect(kept.figures.bytes == 4 * (1_024 + Limits.keptHeadBytes))
  }

  @Test func `a picture counts once`() throws {
    let kept = kept()
    for bytes in [4_096, 1_024, 2_048] { try keep(1, bytes, in: kept) }

    #expect(kept.figures.bytes == 2_048 + Limits.keptHeadBytes)
    #expect(try bytes(1, in: kept) == 2_048)
  }

  @Test func `a picture that is too large is not kept, and none that is cut`() throws {
    let kept = kept(limit: .max)
    try keep(1, Limits.keptPictureBytes + 1, in: kept)
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "9"])
    kept.keep(head, ByteBuffer(string: "short"), for: try question(2), at: 1)
    kept.keep(HTTPResponse(status: .ok), ByteBuffer(string: "short"), for: try question(3), at: 1)
    try keep(4, Limits.keptPictureBytes, in: kept)

    #expect(try (1...4).filter { try bytes($0, in: kept) != nil } == [4])
  }

  @Test func `nothing of an earlier state of the library is sent`() throws {
    let kept = kept()
    try keep(1, 10, in: kept)

    #expect(try bytes(1, in: kept, at: 1) == 10)
    #expect(try bytes(1, in: kept, at: 2) == nil)
    #expect(kept.mark == 1)
    library.number.withLock { $0 = nil }
    #expect(kept.mark == nil)
  }

  @Test func `the date is that of the second in which the answer is sent`() throws {
    let kept = kept()
    try keep(1, 10, in: kept)
    let dates = try [0, 0.9, 1, 86_400].map { seconds in
      kept.answer(to: try question(1), at: 1, now: Date(timeIntervalSince1970: seconds))?
        .head.response.headerFields[.date]
    }

    #expect(
      dates == [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
        "Thu, 01 Jan 1970 00:00:01 GMT", "Fri, 02 Jan 1970 00:00:00 GMT",
      ]
    )
  }

  @Test func `a head has the same fields and date as bytes`() {
    let fields: HTTPFields = [.eTag: "\"x\"", .date: "then", .contentLength: "0"]
    var whole = KeptHead(HTTPResponse(status: .ok, headerFields: fields))
    var unchanged = KeptHead(HTTPResponse(status: .notModified, headerFields: fields))
    let date = "Fri, 02 Jan 1970 00:00:00 GMT"
    whole.date((86_400, date))
    unchanged.date((86_400, date))

    #expect(
      String(buffer: whole.bytes)
        == "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"
    )
    #expect(
      String(buffer: unchanged.bytes)
        == "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nDate: \(date)\r\n\r\n"
    )
    #expect(whole.response.headerFields[.date] == date)
  }

  @Test func `a change of the library frees the memory of all pictures`() throws {
    let kept = kept()
    for number in 1...3 { try keep(number, 10, in: kept) }
    #expect(kept.figures.count == 3)

    library.number.withLock { $0 = 2 }
    #expect(try bytes(1, in: kept, at: 2) == nil)
    #expect(kept.figures == .init())
    // Its request came before the change.
    try keep(1, 10, in: kept)
    #expect(kept.figures == .init())
  }

  // MARK: Originals

  private func file(_ bytes: Int, in folder: ScratchFolder) throws -> KeptFile? {
    let path = "\(folder.path)/\(bytes)"
    try Data(count: bytes).write(to: URL(filePath: path))
    return KeptFile(try OpenFile(path: path, length: bytes), at: path, length: bytes)
  }

  private func question(_ method: HTTPRequest.Method) throws -> KeptQuestion {
    let path = paths.original(String(repeating: "0", count: 64))
    let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path)
    return try #require(KeptQuestion(head, in: paths))
  }

  /// Whether an answer is kept after a file was noted, and then the answer with it.
  private func isKept(_ file: KeptFile?, at mark: Int = 1, length: Int = 10) throws -> Bool {
    let (kept, question) = (kept(), try question(.get))
    if let file { kept.note(file, for: question.path, at: mark) }
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(length)"])
    kept.keep(head, ByteBuffer(), for: question, at: 1)
    return kept.answer(to: question, at: 1, now: Date()) != nil
  }

  @Test func `an original is kept with the file that was found in the same state`() throws {
    let folder = try ScratchFolder()
    let file = try file(10, in: folder)

    #expect(try isKept(file))
    #expect(try !isKept(nil))
    #expect(try !isKept(file, at: 0))
    #expect(try !isKept(file, length: 9))
  }

  @Test func `once a minute, the routes note that an original is looked at`() throws {
    let (folder, kept, start) = (try ScratchFolder(), kept(), Date())
    let asked = try question(.get)
    kept.note(try #require(try file(10, in: folder)), for: asked.path, at: 1)
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "10"])
    kept.keep(head, ByteBuffer(), for: asked, at: 1, now: start)
    func isSent(_ method: HTTPRequest.Method, after seconds: Int, sendsFiles: Bool = true) throws
      -> Bool
    {
      let now = start.addingTimeInterval(Double(seconds))
      return kept.answer(to: try question(method), at: 1, now: now, sendsFiles: sendsFiles) != nil
    }

    #expect(try isSent(.get, after: Limits.keptFileSeconds - 1))
    #expect(try !isSent(.get, after: Limits.keptFileSeconds + 1))
    #expect(try isSent(.get, after: Limits.keptFileSeconds + 1))
    #expect(try !isSent(.get, after: 2 * Limits.keptFileSeconds + 1))
    #expect(try !isSent(.get, after: 0, sendsFiles: false))
    #expect(try isSent(.head, after: 0, sendsFiles: false))
  }

  @Test func `only the file that was found is opened again`() throws {
    let folder = try ScratchFolder()
    let kept = try #require(try file(10, in: folder))
    let path = "\(folder.path)/10"

    let file = try #require(kept.opened())
    #expect(file.isInMemory)
    try Data(count: 9).write(to: URL(filePath: path))
    #expect(kept.opened() == nil)
    try Data(count: 10).write(to: URL(filePath: path))
    let date = Date(timeIntervalSince1970: 1)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    #expect(kept.opened() == nil)
    #expect(try self.file(Limits.sentFileBytes, in: folder) != nil)
    #expect(try self.file(Limits.sentFileBytes + 1, in: folder) == nil)
  }
}

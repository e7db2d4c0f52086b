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
struct KeptPicturesTests {
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

  private func kept(limit: Int = 10_000) -> KeptPictures {
    KeptPictures(library, prefix: "/t/", limit: limit)
  }

  private func question(_ number: Int) throws -> PictureQuestion {
    let digits = String(number, radix: 16)
    let hash = String(repeating: "0", count: 64 - digits.count) + digits
    let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/t/\(hash)")
    return try #require(PictureQuestion(head, below: "/t/"))
  }

  private func keep(_ number: Int, _ bytes: Int, in kept: KeptPictures) throws {
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(bytes)"])
    let body = ByteBuffer(repeating: UInt8(number), count: bytes)
    kept.keep(head, body, for: try question(number), at: 1)
  }

  private func bytes(_ number: Int, in kept: KeptPictures, at mark: Int = 1) throws -> Int? {
    kept.answer(to: try question(number), at: mark, now: Date())?.body?.readableBytes
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
        .head.headerFields[.date]
    }

    #expect(
      dates == [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
        "Thu, 01 Jan 1970 00:00:01 GMT", "Fri, 02 Jan 1970 00:00:00 GMT",
      ]
    )
  }
}

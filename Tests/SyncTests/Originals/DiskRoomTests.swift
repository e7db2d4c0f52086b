import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The room that an original asks for while it arrives.
struct DiskRoomTests {
  private let file = RoomSpy()

  private func room() -> DiskRoom {
    DiskRoom(store: FaultyLibrary(), file: file, isKept: false, purpose: .viewing)
  }

  @Test func `grows with the bytes that arrive, and not beyond a declared length`() async throws {
    var room = room()

    try await room.make(for: 100, behind: 0)
    for start in stride(from: 0, to: 100, by: 10) {
      try await room.makeMore(for: 10, behind: start)
    }

    #expect(file.asked == [0, 20, 60, 100])
    #expect(file.totals == [100, 100, 100, 100])
  }

  @Test func `is not asked for again when the whole has it`() async throws {
    file.grant = { _, total in total ?? 0 }
    var room = room()

    try await room.make(for: 100, behind: 20)
    try await room.makeMore(for: 10, behind: 20)
    try await room.makeMore(for: 90, behind: 30)

    #expect(file.asked == [20])
    #expect(file.totals == [120])
  }

  @Test func `is only what has arrived where more is too much`() async throws {
    file.grant = { bytes, _ throws(StoreError) in
      guard bytes <= 50 else {
        throw StoreError(reason: .tooLarge(bound: 50), path: "", message: "")
      }
      return bytes
    }
    var room = room()

    try await room.make(for: nil, behind: 0)
    try await room.makeMore(for: 40, behind: 0)

    #expect(file.asked == [0, 80, 40])
    await #expect(throws: Failure.self) { try await room.makeMore(for: 11, behind: 40) }
  }

  @Test func `is never far ahead of what has arrived`() async throws {
    var room = room()

    try await room.makeMore(for: 10 << 20, behind: 0)

    #expect(file.asked == [12 << 20])
  }
}

/// Records the room that is asked for.
private final class RoomSpy: OriginalWriting {
  private(set) var asked: [Int] = []
  private(set) var totals: [Int?] = []
  var grant: (_ bytes: Int, _ total: Int?) throws(StoreError) -> Int = { bytes, _ in bytes }

  let path = "/partial/1"
  let kept: KeptOriginal? = nil
  let sha256 = ""

  func makeRoom(
    for bytes: Int,
    of total: Int?,
    purpose: OriginalPurpose
  ) throws(StoreError) -> Int {
    asked.append(bytes)
    totals.append(total)
    return try grant(bytes, total)
  }

  func resume(_ body: ([UInt8]) -> Void) {}
  func restart(_ version: OriginalVersion) {}
  func append(_ bytes: [UInt8]) {}
  func commit(_ receipt: OriginalReceipt) throws(StoreError) -> StoredOriginal {
    throw StoreError(reason: .other, path: path, message: "")
  }
  func suspend() {}
  func discard() {}
}

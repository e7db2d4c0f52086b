import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The transfer of originals to an object store, and their maintenance there.
@Suite(.serialized)
struct ObjectOriginalsTests {
  private let objects = FakeObjects()
  private let records: FakeObjectRecords
  private let originals: ObjectOriginals

  init() {
    records = FakeObjectRecords((1...5).map { Self.original($0) })
    originals = ObjectOriginals(objects, of: records) { FakeObjects.now }
  }

  private static func original(_ id: Int64, isAway: Bool = false) -> ObjectOriginal {
    ObjectOriginal(
      id: id,
      path: "/library/\(id)",
      hash: hash(id),
      format: .png,
      bytes: Int(id) * 10,
      imageIDs: [id],
      isAway: isAway
    )
  }

  private static func hash(_ id: Int64) -> SHA256Digest {
    SHA256Digest(words: [UInt64(id), 0, 0, 0])
  }

  private func findings() async throws -> [String] {
    let (count, faults) = try await originals.check()
    return faults.map { "\($0.0.id) \($0.1)" } + ["\(count) looked at"]
  }

  @Test func `puts what waits, once`() async {
    let first = await originals.putWaiting()
    let second = await originals.putWaiting()

    #expect(first.count == 5)
    #expect(first.bytes == 150)
    #expect(first.error == nil)
    #expect(second.count == 0)
    #expect(objects.state.withLock { $0.asked.filter { $0 == "claim" } }.count >= 1)
    #expect(objects.state.withLock { $0.objects }.count == 5)
  }

  @Test func `what cannot be put waits`() async {
    let failure = StoreError(reason: .objectsRefused(status: 503), path: "s3://photos", message: "")
    objects.state.withLock { $0.failure = failure }

    let result = await originals.putWaiting()

    #expect(result.count == 0)
    #expect(result.failed == 5)
    #expect(result.error == failure)
    #expect(records.state.withLock { $0.put }.isEmpty)
  }

  @Test func `puts nothing among the objects of another library`() async {
    objects.state.withLock { $0.library = "another" }

    let result = await originals.putWaiting()

    #expect(result.error?.reason == .otherLibrary)
    #expect(objects.state.withLock { $0.objects }.isEmpty)
  }

  @Test func `finds what is not there as it was put`() async throws {
    _ = await originals.putWaiting()
    #expect(try await findings() == ["5 looked at"])

    objects.state.withLock { state in
      state.objects[Self.hash(2)] = nil
      state.objects[Self.hash(5)]?.bytes = 7
    }

    #expect(
      try await findings() == [
        "2 missing", "5 damaged(Workers.Damage.otherLength(7, expected: 50))", "5 looked at",
      ]
    )
  }

  @Test func `puts again what is here, and forgets what is not`() async throws {
    _ = await originals.putWaiting()
    objects.state.withLock { $0.objects = [:] }

    try await originals.repair(Self.original(1))
    try await originals.repair(Self.original(2, isAway: true))

    #expect(objects.state.withLock { Set($0.objects.keys) } == [Self.hash(1)])
    #expect(records.state.withLock { $0.put.contains(Self.hash(1)) })
    #expect(records.state.withLock { !$0.put.contains(Self.hash(2)) })
  }

  // MARK: Cleaning

  /// Adds stray objects, each of which was put this many seconds ago.
  private func addStrays(_ ages: [Int64: TimeInterval]) {
    for (id, age) in ages {
      let changed = FakeObjects.now - age
      objects.state.withLock {
        $0.objects[Self.hash(id)] = StoredObject(hash: Self.hash(id), bytes: 3, changed: changed)
      }
    }
  }

  @Test func `deletes what no original has, after a day`() async throws {
    _ = await originals.putWaiting()
    addStrays([10: 86_401, 11: 86_399, 12: 999_999])

    let rehearsed = try await originals.deleteUnnamed(isRehearsal: true)
    #expect(objects.state.withLock { $0.objects }.count == 8)
    let deleted = try await originals.deleteUnnamed(isRehearsal: false)

    #expect(rehearsed == .init(count: 2, bytes: 6))
    #expect(deleted == rehearsed)
    let kept = objects.state.withLock { Set($0.objects.keys) }
    #expect(kept == Set([1, 2, 3, 4, 5, 11].map(Self.hash)))
  }

  @Test func `deletes packs that the library does not have, after a day`() async throws {
    let (known, unknown) = (Self.hash(20), Self.hash(21))
    records.state.withLock { $0.packs = [known] }
    objects.state.withLock { $0.packs = [known: [1], unknown: [2, 3]] }
    let tomorrow = ObjectOriginals(objects, of: records) { FakeObjects.now + 86_401 }

    let early = try await originals.deleteUnnamed(isRehearsal: false)
    let late = try await tomorrow.deleteUnnamed(isRehearsal: false)

    #expect(early == .init())
    #expect(late == .init(count: 1, bytes: 2))
    #expect(objects.state.withLock { Array($0.packs.keys) } == [known])
  }

  @Test func `what gets its original while it is deleted is put again`() async throws {
    addStrays([10: 86_401])
    let records = records
    // At this moment, a sync stores the original and finds its object.
    objects.state.withLock { state in
      state.whenDeleting = { hash in
        records.state.withLock { state in
          state.originals.append(Self.original(10))
          state.put.insert(hash)
        }
      }
    }

    _ = try await originals.deleteUnnamed(isRehearsal: false)

    #expect(records.state.withLock { !$0.put.contains(Self.hash(10)) })
    #expect(await originals.putWaiting().count == 6)
  }

  @Test func `deletes nothing among the objects of another library`() async {
    objects.state.withLock { $0.library = "another" }
    addStrays([10: 999_999])

    await #expect(throws: StoreError.self) {
      try await originals.deleteUnnamed(isRehearsal: false)
    }
    #expect(objects.state.withLock { $0.objects }.count == 1)
  }
}

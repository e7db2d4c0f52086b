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

  // MARK: Stores that do not tell the truth

  /// Puts all originals, of which only the store has one to three.
  private func putAway() async {
    records.state.withLock { state in
      state.originals = (1...5).map { Self.original($0, isAway: $0 < 4) }
    }
    for id: Int64 in 1...5 {
      try? await originals.put(Self.original(id))
    }
  }

  @Test(arguments: [nil, "another"])
  func `another store with the same name changes nothing`(owner: String?) async throws {
    await putAway()
    objects.state.withLock { ($0.library, $0.objects) = (owner, [:]) }

    let error = await #expect(throws: StoreError.self) { try await originals.check() }

    #expect(error?.reason == .otherLibrary)
    #expect(error?.message == owner ?? "")
    #expect(records.state.withLock { $0.put }.count == 5)
  }

  @Test func `an object that a list leaves out is asked for, and is there`() async throws {
    await putAway()
    objects.state.withLock { $0.hidesObjects = true }

    #expect(try await findings() == ["5 looked at"])
  }

  @Test func `what is there again is not forgotten`() async throws {
    await putAway()

    try await originals.repair(Self.original(1, isAway: true))

    #expect(records.state.withLock { $0.put }.count == 5)
    let failure = StoreError(reason: .objectsRefused(status: 403), path: "s3://photos", message: "")
    objects.state.withLock { $0.failure = failure }
    await #expect(throws: failure) { try await originals.repair(Self.original(2, isAway: true)) }
    #expect(records.state.withLock { $0.put }.count == 5)
  }

  @Test func `what was forgotten is found again, with the length that it had`() async throws {
    await putAway()
    let all = objects.state.withLock { $0.objects }
    objects.state.withLock { $0.objects = [:] }
    for id: Int64 in 1...3 { try await originals.repair(Self.original(id, isAway: true)) }
    #expect(try await originals.findAgain() == [])

    objects.state.withLock { state in
      state.objects = all
      state.objects[Self.hash(2)]?.bytes = 7
    }

    #expect(try await originals.findAgain().map(\.id) == [1, 3])
    #expect(records.state.withLock { $0.lost } == [Self.hash(2)])
    #expect(records.state.withLock { $0.put }.count == 4)
  }

  /// Some stores ignore where the next page begins, and a hostile one makes up keys.
  @Test(arguments: ["forward", "again", "back"])
  func `a list that never ends is given up`(direction: String) async throws {
    await putAway()
    objects.state.withLock { state in
      state.endlessMarkers = { marker in
        switch direction {
        case "forward": "\((Int(marker ?? "") ?? 100_000) + 1)"
        case "back": marker == "z" ? "a" : "z"
        default: direction
        }
      }
    }

    let check = await #expect(throws: StoreError.self) { try await originals.check() }
    let cleaning = await #expect(throws: StoreError.self) {
      try await originals.deleteUnnamed(isRehearsal: true)
    }

    #expect(check?.reason == .objectsUnreachable)
    #expect(cleaning?.reason == .objectsUnreachable)
    let asked = objects.state.withLock { $0.asked.count { $0 == "list originals" } }
    #expect(asked == (direction == "forward" ? 20_000 : 4))
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

  @Test func `the clock of the store tells the age of objects`() async throws {
    addStrays([10: 86_401, 11: 86_399])
    objects.state.withLock { $0.date = FakeObjects.now }
    let tomorrow = ObjectOriginals(objects, of: records) { FakeObjects.now + 86_400 }

    #expect(try await tomorrow.deleteUnnamed(isRehearsal: false).count == 1)
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
    await #expect(throws: StoreError.self) {
      try await originals.deleteUnnamed(isRehearsal: true)
    }
  }

  @Test func `a rehearsal needs no note`() async throws {
    addStrays([10: 999_999])

    #expect(try await originals.deleteUnnamed(isRehearsal: true).count == 1)
    #expect(objects.state.withLock { $0.library } == nil)
  }

  /// A store that ignores conditions lets another library replace the note at any time.
  @Test func `stops deleting when the note names another library`() async {
    _ = await originals.putWaiting()
    addStrays(Dictionary(uniqueKeysWithValues: (10...15).map { ($0, 999_999) }))
    let objects = objects
    objects.state.withLock { state in
      state.whenDeleting = { _ in objects.state.withLock { $0.library = "another" } }
    }

    let error = await #expect(throws: StoreError.self) {
      try await originals.deleteUnnamed(isRehearsal: false)
    }

    #expect(error?.reason == .otherLibrary)
    // A page of the fake store has two objects.
    #expect(objects.state.withLock { $0.objects }.count >= 9)
  }

  @Test func `a last page that begins again is an error`() async {
    await putAway()
    objects.state.withLock { $0.repeatsLastPage = true }

    let error = await #expect(throws: StoreError.self) {
      try await originals.deleteUnnamed(isRehearsal: false)
    }

    #expect(error?.reason == .objectsUnreachable)
    #expect(objects.state.withLock { $0.objects }.count == 5)
  }
}

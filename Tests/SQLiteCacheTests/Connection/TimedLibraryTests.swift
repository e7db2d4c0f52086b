import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// A library that measures its work; each read of the clock takes a second.
struct TimedLibraryTests {
  private let stopwatch = SteppingClock().stopwatch()
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary(stopwatch: stopwatch) }

  @Test func `tells transactions from their commits`() async throws {
    try await store.sync([.sample("a", id: "1")])

    let timings = stopwatch.timings
    let transactions = timings.counts.transactions
    #expect(transactions > 0)
    #expect(timings[.storing] == .seconds(transactions))
    #expect(timings[.committing] == .seconds(transactions))
    #expect(timings.counts.rows > 1)
  }

  @Test func `measures that all is brought to the disk`() async throws {
    try await store.sync([.sample("a", id: "1")])
    try await store.library.flush()
    try await store.library.flush()

    #expect(stopwatch.timings[.flushing] == .seconds(2))
    #expect(stopwatch.timings.counts.flushes == 2)
  }

  @Test func `measures what is written of originals`() async throws {
    try await store.sync([.sample("a", id: "1")])
    let file = try await store.library.openOriginalFile(imageID: 1)
    let version = OriginalVersion(
      address: .picture("a"),
      validators: Validators(),
      rangeValidator: nil,
      total: 6
    )
    try await file.restart(version)
    try await file.append([1, 2, 3, 4])
    try await file.append([5, 6])
    let info = PictureInfo(format: .png, bytes: 6, width: 10, height: 20)
    _ = try await file.commit(.sample(info, from: "a"))

    #expect(stopwatch.timings[.filing] == .seconds(3))
    #expect(stopwatch.timings.counts.originals == 1)
    #expect(stopwatch.timings.counts.originalBytes == 6)
  }
}

import Foundation
import Models
import Store
import TestSupport
import Workers

@testable import SQLiteCache

/// A library in a folder that fails at given steps as a full disk does, and records all writes in order.
///
/// All else is the real library's.
final class FaultyLibrary: Sendable {
  struct State: Sendable {
    var events: [StoreEvent] = []
    var locks: [LockEvent] = []
    /// How many attempts to lock a feed are still refused, as if another process held the lock.
    var lockRefusals: Int
  }

  enum LockEvent: Sendable, Equatable {
    case refused(WebAddress)
    case taken(WebAddress)
    case released(WebAddress)
  }

  /// The error of a step that fails.
  static let fullDisk = StoreError(reason: .full, path: "/library", message: "no space left")

  /// Another process, which holds the locks that are refused.
  static let lockHolder = LockHolder(
    process: 4711,
    since: Date(timeIntervalSince1970: 1_800_000_000)
  )

  let library: SQLiteLibrary
  let path: String
  /// Counts the batches of images that were written.
  let imageBatches = Tally()
  /// Counts the batches of made thumbnails that were written.
  let madeBatches = Tally()
  let state: Locked<State>
  private let failing: Set<StoreStep>

  init(
    failing: Set<StoreStep> = [],
    lockRefusals: Int = 0,
    bounds: StorageBounds = StorageBounds()
  ) {
    self.failing = failing
    state = Locked(State(lockRefusals: lockRefusals))
    path = Self.folder + "/gallery-test-\(UUID().uuidString)"
    library = SQLiteLibrary(folder: path, bounds: bounds)
    let database = path + "/gallery.sqlite"
    Self.sound {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Self.emptyDatabase.write(to: URL(filePath: database))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A folder in memory, if there is one.
  private static let folder =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? "/dev/shm" : FileManager.default.temporaryDirectory.path

  /// The database of an empty library: a copy of it takes less time than new tables.
  private static let emptyDatabase = sound {
    let path = folder + "/gallery-test-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SQLiteLibrary(folder: path).write { db in }
    let database = path + "/gallery.sqlite"
    try SQLiteDriver(path: database, waiting: 5_000).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try Data(contentsOf: URL(filePath: database))
  }

  /// Runs a step that fails only where the test itself is wrong.
  static func sound<Result>(_ body: () throws -> Result) -> Result {
    do { return try body() } catch { preconditionFailure("\(error)") }
  }

  func attempt(_ step: StoreStep) throws(StoreError) {
    if failing.contains(step) { throw Self.fullDisk }
  }

  func record(_ event: StoreEvent) { state.withLock { $0.events.append(event) } }

  var events: [StoreEvent] { state.withLock { $0.events } }

  /// The attempts to lock feeds, the locks and the releases, in order.
  var locks: [LockEvent] { state.withLock { $0.locks } }
}

/// A write to a library.
enum StoreEvent: Sendable, Equatable {
  /// A batch of a document, with the entry ids of the new images.
  case appended([String])
  case wroteMember(FeedMember)
  /// The end of a feed's documents, and whether they list everything.
  case finished(Validators, isWhole: Bool, Bool)
  case brokenOff(problem: String)
  case notedPage(WebAddress, leadsTo: WebAddress)
  case noted(Feed.Status, problem: String?, Validators?)
  /// Thumbnails of one transaction, by image.
  case storedThumbnails([Int64])
  /// Thumbnails that their servers confirmed as unchanged.
  case keptThumbnails([UnchangedPicture])
  case committed(imageID: Int64, [UInt8], OriginalReceipt)
  /// A partial original, and the length of the part that is kept.
  case suspended(imageID: Int64, length: Int)
  case discarded(imageID: Int64)
  /// An original that its server confirmed as unchanged.
  case renewed(UnchangedPicture)
  case flushed
}

/// A step at which a library can fail.
enum StoreStep: Sendable {
  case findFeed
  case makeWriter
  case append
  case finish
  case breakOff
  case noteSync
  case checkRoom
  case flush
  case lookForThumbnails
  case countThumbnails
  case findThumbnails
  case secondPageOfThumbnails
  case storeThumbnails
  case findDueThumbnails
  case countOriginals
  case findOriginals
  case noteOriginals
  case openOriginalFile
  case findOriginal
  case resumeOriginal
  case restartOriginal
  case appendToOriginal
  case renewOriginal
  case commitOriginal
}

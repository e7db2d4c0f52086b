import Workers

/// A library in memory, for verifications.
final class FakeInspection: LibraryInspecting {
  private let thumbnails: [StoredThumbnail]
  private let originals: [FiledOriginal]
  private let faults: [String]
  private let fault: CheckFinding.Condition?
  private let strays: [StrayFile]
  private let canRemember: Bool
  private let thumbnailFailure: StoreError?
  private let strayFailure: StoreError?
  private let keyFailure: StoreError?
  private let state: Locked<VerificationMark>
  private let lost: [String: [Int64]]
  private let recorded = Locked<[Marking]>([])

  private let repairs = Locked(0)

  /// The number of repairs of the database.
  var databaseRepairs: Int { repairs.withLock { $0 } }

  /// A mark that the verification stored.
  struct Marking: Equatable {
    var thing: CheckedThing
    var condition: StoredCondition
  }

  /// The stored marks, in order.
  var markings: [Marking] { recorded.withLock { $0 } }

  init(
    thumbnails: [StoredThumbnail] = [],
    originals: [FiledOriginal] = [],
    databaseFaults: [String] = [],
    fault: CheckFinding.Condition? = nil,
    strays: [StrayFile] = [],
    mark: VerificationMark = VerificationMark(),
    canRemember: Bool = true,
    thumbnailFailure: StoreError? = nil,
    strayFailure: StoreError? = nil,
    keyFailure: StoreError? = nil,
    lost: [String: [Int64]] = [:]
  ) {
    self.lost = lost
    self.thumbnails = thumbnails
    self.originals = originals
    faults = databaseFaults
    self.fault = fault
    self.strays = strays
    self.canRemember = canRemember
    self.thumbnailFailure = thumbnailFailure
    self.strayFailure = strayFailure
    self.keyFailure = keyFailure
    state = Locked(mark)
  }

  var mark: VerificationMark {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func checkKey() throws(StoreError) { if let keyFailure { throw keyFailure } }

  /// Replaces a key that is missing.
  func replaceLostKey() throws(StoreError) {
    if let keyFailure, keyFailure.message != "it is missing" { throw keyFailure }
  }

  func databaseFaults() throws(StoreError) -> [String] { faults }

  func repairDatabase() throws(StoreError) { repairs.withLock { $0 += 1 } }

  func storedThumbnails(after imageID: Int64, limit: Int) throws(StoreError) -> [StoredThumbnail] {
    if let thumbnailFailure { throw thumbnailFailure }
    return Array(thumbnails.filter { $0.imageID > imageID }.prefix(limit))
  }

  func filedOriginals(after id: Int64, limit: Int) throws(StoreError) -> [FiledOriginal] {
    Array(originals.filter { $0.id > id }.prefix(limit))
  }

  func fault(of original: FiledOriginal) -> CheckFinding.Condition? {
    fault
  }

  func strayFiles() throws(StoreError) -> [StrayFile] {
    if let strayFailure { throw strayFailure }
    return strays
  }

  /// Images at the addresses of lost files, which are those with an id above 100.
  func images(atAddressesOf paths: [String]) throws(StoreError) -> [String: [Int64]] {
    lost.filter { paths.contains($0.key) }.mapValues { $0.filter { $0 > 100 } }
  }

  func takeBack(strayAt path: String, for images: [Int64]) throws(StoreError) -> [Int64] {
    (lost[path] ?? []).filter { $0 <= 100 || images.contains($0) }
  }

  func mark(_ thing: CheckedThing, as condition: StoredCondition) throws(StoreError) {
    guard canRemember else {
      throw StoreError(reason: .readOnly, path: "/library", message: "read-only")
    }
    recorded.withLock { $0.append(Marking(thing: thing, condition: condition)) }
  }

  func verificationMark() throws(StoreError) -> VerificationMark { mark }

  func setVerificationMark(_ mark: VerificationMark) throws(StoreError) {
    guard canRemember else {
      throw StoreError(reason: .readOnly, path: "/library", message: "read-only")
    }
    self.mark = mark
  }
}

/// Records the requests for repairs; each one succeeds, or all fail with the given failure.
final class FakeRepairer: PictureRepairing {
  private let recorded = Locked<[CheckedThing]>([])
  private let failure: Failure?
  /// The images whose thumbnails have the camera's data.
  private let telling: Set<Int64>
  private let obstacles: [Int64: RepairObstacle]

  init(
    failure: Failure? = nil,
    telling: Set<Int64> = [],
    obstacles: [Int64: RepairObstacle] = [:]
  ) {
    (self.failure, self.telling, self.obstacles) = (failure, telling, obstacles)
  }

  func obstacle(to thing: CheckedThing) -> RepairObstacle? {
    switch thing {
    case .thumbnail(let id): obstacles[id]
    case .original(_, let ids): ids.first.flatMap { obstacles[$0] }
    case .database, .file, .object: nil
    }
  }

  var things: [CheckedThing] { recorded.withLock { $0 } }

  func repair(_ thing: CheckedThing) async throws(Failure) {
    recorded.withLock { $0.append(thing) }
    if let failure { throw failure }
  }

  func removeMetadata(of thumbnail: StoredThumbnail) async throws(Failure) -> Bool {
    guard telling.contains(thumbnail.imageID) else { return false }
    if let failure { throw failure }
    return true
  }

  /// No thumbnail is missing.
  func makeThumbnails(_ report: (Int64) -> Void) {}
}

/// Signals when a repair has begun, and delays its end.
struct HaltingRepairer: PictureRepairing {
  let begun = Door()
  let end = Door()

  func repair(_ thing: CheckedThing) async throws(Failure) {
    begun.open()
    await end.passed()
  }

  func obstacle(to thing: CheckedThing) -> RepairObstacle? { nil }

  func removeMetadata(of thumbnail: StoredThumbnail) -> Bool { false }

  func makeThumbnails(_ report: (Int64) -> Void) {}
}

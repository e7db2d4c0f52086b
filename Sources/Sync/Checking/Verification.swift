import Models
import Workers

/// One verification from its start to its end.
struct Verification {
  let plan: VerificationPlan
  let library: any LibraryInspecting
  let repairer: any PictureRepairing
  let objects: ObjectOriginals?
  let thumbnailCheck: ThumbnailCheck
  let details: DetailsReader?
  let progress: Locked<VerificationCounts>
  let teller: AsyncStream<CheckFact>.Continuation
  private(set) var counts = VerificationCounts()
  private(set) var mark = VerificationMark()
  private(set) var lastError: StoreError?

  /// Runs the verification, and reports the facts.
  @concurrent
  mutating func run() async {
    do throws(StoreError) {
      try await takeUp()
      try await checkDatabase()
    } catch { fail(error) }
    // The pictures are checked even if the database is damaged.
    do throws(StoreError) { try await checkThumbnails() } catch { fail(error) }
    if let objects, !Task.isCancelled {
      do throws(StoreError) { try await findAgain(objects) } catch {
        fail(error, .object(name: objects.objects.name, imageIDs: []))
      }
    }
    do throws(StoreError) { try await checkOriginals() } catch { fail(error) }
    if let objects, !Task.isCancelled {
      do throws(StoreError) { try await check(objects) } catch {
        fail(error, .object(name: objects.objects.name, imageIDs: []))
      }
    }
    if plan.isRepairing, !Task.isCancelled { await makeThumbnails() }
    if !Task.isCancelled {
      await checkKey()
      do throws(StoreError) { try await findStrays() } catch {
        fail(error, .file(path: error.path))
      }
      await remember(VerificationMark())
    }
    teller.yield(.ended(counts, isInterrupted: Task.isCancelled))
  }

  /// Reports an error that prevents a check, unless it was the last one reported.
  private mutating func fail(_ error: StoreError, _ thing: CheckedThing = .database) {
    if error == lastError { return }
    lastError = error
    count(CheckFinding(thing, .unreadable(error)))
  }

  private mutating func takeUp() async throws(StoreError) {
    if plan.restarts { return }
    mark = try await library.verificationMark()
    if !mark.isAtStart { teller.yield(.resumed) }
  }

  /// Checks the database, and repairs all of its faults together, since one damaged page can cause many.
  private mutating func checkDatabase() async throws(StoreError) {
    let faults = try await library.databaseFaults()
    for fault in faults { count(CheckFinding(.database, .damaged(.database(fault)))) }
    if !faults.isEmpty, plan.isRepairing { await repair(.database) }
  }

  private mutating func checkKey() async {
    do throws(StoreError) { try await library.checkKey() } catch {
      let thing = CheckedThing.file(path: error.path)
      fail(error, thing)
      guard plan.isRepairing, error.reason == .unusableKey else { return }
      do throws(StoreError) {
        try await library.replaceLostKey()
        noteRepaired(thing)
      } catch {
        teller.yield(.notRepaired(thing, .store(error)))
      }
    }
  }

  private mutating func checkThumbnails() async throws(StoreError) {
    while !Task.isCancelled {
      let page = try await library.storedThumbnails(
        after: mark.thumbnail,
        limit: CheckLimits.thumbnailsPerPage
      )
      guard let last = page.last else { return }
      let damages = await thumbnailCheck.damages(of: page)
      // After an interruption, some thumbnails of the page are unchecked.
      if Task.isCancelled { return }
      counts.thumbnails += page.count
      for (thumbnail, damage) in zip(page, damages) {
        let thing = CheckedThing.thumbnail(imageID: thumbnail.imageID)
        await note(damage.map { .damaged($0) }, of: thing, isMarked: thumbnail.isMarked)
        if plan.isRepairing, damage == nil { await removeMetadata(of: thumbnail) }
      }
      mark.thumbnail = last.imageID
      await remember(mark)
    }
  }

  private mutating func checkOriginals() async throws(StoreError) {
    while !Task.isCancelled {
      let page = try await library.filedOriginals(
        after: mark.original,
        limit: CheckLimits.originalsPerPage
      )
      if page.isEmpty { return }
      for original in page where !Task.isCancelled {
        counts.originals += 1
        let thing = CheckedThing.original(path: original.path, imageIDs: original.imageIDs)
        let fault = await library.fault(of: original)
        await note(fault, of: thing, isMarked: original.isMarked)
        if fault == nil { await details?.readAgain(original.path, sha256: original.sha256) }
        mark.original = original.id
        progress.withLock { $0 = counts }
      }
      await remember(mark)
    }
  }

  private mutating func findAgain(_ originals: ObjectOriginals) async throws(StoreError) {
    for original in try await originals.findAgain() {
      noteRepaired(.original(path: original.path, imageIDs: original.imageIDs))
    }
  }

  /// Checks the objects of the object store.
  ///
  /// A missing object loses nothing while the original's file is on the disk: a repair puts the object again.
  private mutating func check(_ originals: ObjectOriginals) async throws(StoreError) {
    let (count, faults) = try await originals.check()
    counts.objects = count
    progress.withLock { $0 = counts }
    for (original, condition) in faults where !Task.isCancelled {
      let name = "\(originals.objects.name)/…/\(original.hash.hexadecimal)"
      let thing = CheckedThing.object(name: name, imageIDs: original.imageIDs)
      self.count(CheckFinding(thing, condition))
      if original.isAway || plan.isRepairing {
        try await originals.repair(original)
      }
      guard plan.isRepairing else { continue }
      if original.isAway {
        await repair(.original(path: original.path, imageIDs: original.imageIDs))
      } else {
        noteRepaired(thing)
      }
    }
  }

  private mutating func findStrays() async throws(StoreError) {
    let files = try await library.strayFiles()
    let originals = files.filter(\.isOriginal).map(\.path)
    let images = plan.isRepairing ? try await library.images(atAddressesOf: originals) : [:]
    // If an image has had several originals, the newest file is the right one.
    for file in files.sorted(by: { $0.changed > $1.changed }) {
      if try await takeBack(file, for: images[file.path] ?? []) { continue }
      if file.isOriginal { counts.strayOriginals += 1 }
      count(CheckFinding(.file(path: file.path), .stray(bytes: file.bytes)))
    }
  }

  private mutating func takeBack(
    _ file: StrayFile,
    for images: [Int64]
  ) async throws(StoreError) -> Bool {
    guard plan.isRepairing else { return false }
    let imageIDs = try await library.takeBack(strayAt: file.path, for: images)
    if imageIDs.isEmpty { return false }
    noteRepaired(.original(path: file.path, imageIDs: imageIDs))
    return true
  }

  /// Stores the condition of a picture; if that fails, the next verification finds it again.
  private func mark(_ thing: CheckedThing, as condition: StoredCondition) async {
    try? await library.mark(thing, as: condition)
  }

  /// Stores how far the verification has come; if that fails, a resumed one only repeats some checks.
  private func remember(_ mark: VerificationMark) async {
    progress.withLock { $0 = counts }
    try? await library.setVerificationMark(mark)
  }

  /// Reports a fault of a picture, or clears the mark of a picture without a fault.
  private mutating func note(
    _ fault: CheckFinding.Condition?,
    of thing: CheckedThing,
    isMarked: Bool
  ) async {
    guard let fault else {
      if isMarked { await mark(thing, as: .whole) }
      return
    }
    let finding = CheckFinding(thing, fault)
    count(finding)
    if let condition = finding.mark { await mark(thing, as: condition) }
    guard finding.isRepairable else { return }
    if plan.isRepairing, await repair(thing) { return }
    if let obstacle = await repairer.obstacle(to: thing) { counts.add(obstacle) }
  }

  /// Repairs something, and returns whether that succeeded.
  @discardableResult
  private mutating func repair(_ thing: CheckedThing) async -> Bool {
    do throws(Failure) {
      if case .database = thing {
        try await Failure.ofStore(await library.repairDatabase())
      } else {
        try await repairer.repair(thing)
      }
      noteRepaired(thing)
      return true
    } catch {
      if !error.isCancellation { teller.yield(.notRepaired(thing, error)) }
      return false
    }
  }

  /// Earlier versions left the camera's data in the thumbnails of transparent pictures, and places in named ones.
  private mutating func removeMetadata(of thumbnail: StoredThumbnail) async {
    let thing = CheckedThing.thumbnail(imageID: thumbnail.imageID)
    do throws(Failure) {
      if try await repairer.removeMetadata(of: thumbnail) { noteRepaired(thing) }
    } catch {
      if !error.isCancellation { teller.yield(.notRepaired(thing, error)) }
    }
  }

  private mutating func makeThumbnails() async {
    var made: [Int64] = []
    do throws(Failure) { try await repairer.makeThumbnails { made.append($0) } } catch {
      if !error.isCancellation { teller.yield(.notRepaired(.database, error)) }
    }
    for id in made { noteRepaired(.thumbnail(imageID: id)) }
  }

  private mutating func noteRepaired(_ thing: CheckedThing) {
    counts.repaired += 1
    teller.yield(.repaired(thing))
  }

  private mutating func count(_ finding: CheckFinding) {
    counts.add(finding.condition)
    teller.yield(.found(finding))
  }
}

extension CheckFinding {
  /// The condition to store for the finding; nil if it is not stored.
  fileprivate var mark: StoredCondition? {
    switch condition {
    case .damaged: .damaged
    case .missing: .missing
    case .stray, .unreadable: nil
    }
  }

  /// Whether the finding concerns a picture that a server may still have.
  fileprivate var isRepairable: Bool {
    switch (thing, condition) {
    case (.thumbnail, .damaged), (.original, .damaged), (.original, .missing): true
    default: false
    }
  }
}

/// The limits of a verification.
enum CheckLimits {
  /// The thumbnails of one page, which are in memory together.
  static let thumbnailsPerPage = 64
  /// The size to which thumbnails are decoded: small, since the decoder reads all of their bytes anyway.
  static let box = PixelSize(width: 32, height: 32)
  /// The rows of originals in one page.
  static let originalsPerPage = 256
}

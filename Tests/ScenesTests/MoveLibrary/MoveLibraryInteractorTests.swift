import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct MoveLibraryInteractorTests {
  private struct Mover: LibraryMoving {
    var facts: [MoveFact]

    func move() -> MoveRun {
      let facts = facts
      return MoveRun(Locked(MoveCounts())) { teller in for fact in facts { teller.yield(fact) } }
    }
  }

  private let spy = RunPresentationSpy<MoveLibrary.Move>()

  private func move(
    _ facts: MoveFact...,
    for purpose: CopyPurpose = .move,
    library: LibraryStub? = nil,
    hasWholeBackup: Bool = false,
    knowsBackup: Bool = false
  ) async -> Bool {
    let interactor = MoveLibraryInteractor(
      presenter: spy,
      library: library ?? LibraryStub(feeds: [.astronomy]),
      mover: Mover(facts: facts),
      purpose: purpose,
      place: "copy",
      hasWholeBackup: { hasWholeBackup },
      knowsBackup: { knowsBackup },
      pause: Pauses.never
    )
    return await interactor.moveLibrary(request: .init(stop: StopRequest()))
  }

  @Test func `presents what is not copied, and the end`() async {
    var counts = MoveCounts()
    counts.images = 3

    #expect(await move(.damagedThumbnail(imageID: 7), .ended(counts)))

    let end = ended(.move, counts)
    #expect(spy.events == [.note(.init(fact: .damagedThumbnail(imageID: 7))), .ended(end)])
  }

  @Test(arguments: [
    (0, 0, "'copy' has all that this library has: 0 images, 0 thumbnails, 1 original"),
    (1, 0, "copied to 'copy': 0 images, 0 thumbnails, 1 original"),
    (0, 1, "copied to 'copy': 0 images, 0 thumbnails, 1 original"),
  ])
  func `says that it copied when it brought a row or a file`(rows: Int, files: Int, text: String) {
    var counts = MoveCounts()
    (counts.originals, counts.changedRows, counts.newFiles) = (1, rows, files)
    #expect(Wording.summary(ended(.move, counts)).described == text)
  }

  private func ended(
    _ purpose: CopyPurpose,
    _ counts: MoveCounts = MoveCounts(),
    isInterrupted: Bool = false
  ) -> MoveLibrary.Move.Ended.Response {
    .init(purpose: purpose, place: "copy", counts: counts, isInterrupted: isInterrupted)
  }

  @Test(arguments: [
    (CopyPurpose.move, "moved", "copied to", "move"),
    (.backup, "backedUp", "backed up to", "backup"),
    (.restore, "restored", "restored to", "restore"),
  ])
  func `names what the copy is for`(
    purpose: CopyPurpose,
    event: String,
    verb: String,
    command: String
  ) async {
    var counts = MoveCounts()
    counts.changedRows = 1

    #expect(await move(.ended(counts), for: purpose))

    let end = ended(purpose, counts)
    #expect(spy.events == [.ended(end)])
    #expect(Wording.summary(end).described.hasPrefix("\(verb) 'copy': 0 images"))
    #expect(line(MoveLibrary.Move.record(end)).hasPrefix(#"{"event":"\#(event)","to":"copy""#))
    let cut = Wording.summary(ended(purpose, counts, isInterrupted: true)).described
    #expect(cut.hasSuffix("— <run(command: \"\(command)\")> continues where it stopped"))
  }

  private func line(_ record: Record) -> String {
    String(decoding: JSONLine.lines([record]), as: UTF8.self)
  }

  @Test func `tells an original that is damaged from one that is not here`() throws {
    let hash = try #require(SHA256Digest(hexadecimal: String(repeating: "ab", count: 32)))
    func text(_ fact: MoveFact) -> String? {
      MoveLibrary.Move.note(.init(fact: fact))?.text.described
    }

    #expect(
      text(.damagedOriginal(hash))
        == "* original abababababab…: it is damaged, and so not copied — <repairPictures>"
    )
    #expect(
      text(.missingOriginal(hash))
        == "- original abababababab…: its file is not here — <repairPictures>"
    )
    let record = try #require(MoveLibrary.Move.record(.init(fact: .damagedOriginal(hash))))
    #expect(line(record).hasPrefix(#"{"event":"damaged","kind":"original","sha256":"abab"#))
  }

  @Test(
    arguments: [
      ([], ""),
      ([1], "; 1 picture of a folder stays there, not in the backup: '/0'"),
      ([2], "; 2 pictures of a folder stay there, not in the backup: '/0'"),
      (
        [900, 300, 34],
        "; 1,234 pictures of folders stay there, not in the backup: '/0', '/1', '/2'"
      ),
      (
        [4, 3, 2, 1, 1],
        "; 11 pictures of folders stay there, not in the backup: '/0', '/1', '/2' and 2 more"
      ),
    ] as [([Int], String)]
  )
  func `says which pictures are not in a backup`(pictures: [Int], text: String) {
    var counts = MoveCounts()
    counts.folders = pictures.enumerated().map { .init(path: "/\($0)", pictures: $1) }

    let end = ended(.backup, counts)

    let start = "'copy' has all that this library has: 0 images, 0 thumbnails, 0 originals"
    #expect(Wording.summary(end).described == start + text)
    let folders = pictures.indices.map { #"{"path":"/\#($0)","pictures":\#(pictures[$0])}"# }
    let record = line(MoveLibrary.Move.record(end))
    #expect(record.contains(#""folders":[\#(folders.joined(separator: ","))]"#))
  }

  @Test func `says that a backup was read, and what was copied again`() async {
    var counts = MoveCounts()
    var end = ended(.backup, counts)
    end.isVerified = true
    #expect(
      Wording.summary(end).described
        == "'copy' has all that this library has, as it was stored: 0 images, 0 thumbnails, 0 originals"
    )
    counts.missing = 1
    end.counts = counts
    #expect(!Wording.summary(end).described.contains("as it was stored"))
    (counts.missing, counts.renewed, counts.newFiles) = (0, 2, 1)
    end.counts = counts
    #expect(
      Wording.summary(end).described.hasSuffix(
        "2 copied again, because the backup's were damaged or lost"
      )
    )
    (counts.renewed, counts.waitingObjects) = (1, 1)
    end.counts = counts
    #expect(
      Wording.summary(end).described.hasSuffix(
        "1 waits for the next sync to be put, 1 copied again, because the backup's was damaged or lost"
      )
    )
    #expect(MoveLibrary.Move.outcome(end) == .done)
    counts = MoveCounts()
    counts.databaseFaults = 3
    end.counts = counts
    #expect(Wording.summary(end).described.hasPrefix("backed up to 'copy': "))
    #expect(Wording.summary(end).described.hasSuffix("its database repaired"))
    let members =
      #""removedImages":0,"removedOriginals":0,"verified":true,"renewed":0,"databaseFaults":3,"folders":[]}"#
    #expect(line(MoveLibrary.Move.record(end)).hasSuffix(members + "\n"))
  }

  @Test(arguments: [
    (1, 0, "; removed 1 image that this library no longer has"),
    (0, 2, "; removed 2 originals that this library no longer has"),
    (1_200, 1, "; removed 1,200 images and 1 original that this library no longer has"),
    (0, 0, "0 images, 0 thumbnails, 0 originals"),
  ])
  func `says what went from a backup`(images: Int, originals: Int, end: String) {
    var counts = MoveCounts()
    (counts.removedImages, counts.removedOriginals, counts.changedRows) = (images, originals, 1)

    let response = ended(.backup, counts)

    #expect(Wording.summary(response).described.hasSuffix(end))
    let members = #""removedImages":\#(images),"removedOriginals":\#(originals),"#
    #expect(line(MoveLibrary.Move.record(response)).contains(members))
    #expect(!line(MoveLibrary.Move.record(ended(.restore, counts))).contains("removed"))
  }

  @Test func `tells which file a restored library does not get`() async throws {
    #expect(await move(.keptFile(path: "/home/me/x"), .ended(MoveCounts()), for: .restore))

    let note = MoveLibrary.Move.Note.Response(fact: .keptFile(path: "/home/me/x"))
    #expect(spy.events == [.note(note), .ended(ended(.restore))])
    let text = MoveLibrary.Move.note(note)?.text.described
    #expect(text == "= '/home/me/x': it exists, and so stays as it is")
    let record = try #require(MoveLibrary.Move.record(note))
    #expect(line(record) == "{\"event\":\"kept\",\"path\":\"/home/me/x\"}\n")
    #expect(MoveLibrary.Move.outcome(ended(.restore)) == .done)
  }

  @Test(
    arguments: [
      (
        StoreError.Reason.backup, .move,
        "cannot copy the library: '/b' is a backup, which only 'gallery backup' writes to — 'gallery restore' makes a library from it"
      ),
      (
        .notBackup, .backup,
        "cannot back up the library: '/b' is a library, or a copy of one, and not a backup — it was not changed; choose another place"
      ),
      (
        .notBackup, .restore,
        "cannot restore the library: '/b' is a library, or a copy of one, and not a backup — 'gallery move' copies it"
      ),
      (
        .notEmpty, .restore,
        "cannot restore the library: '/b' has a library already, with 1 feed — it was not changed; <chooseLibrary>"
      ),
      (
        .backupGone(since: Date(timeIntervalSince1970: 1_800_000_000)), .backup,
        "cannot back up the library: a backup of this library was made at '/b' on \(Wording.localTime(Date(timeIntervalSince1970: 1_800_000_000))), and none is there now: is its disk mounted? — nothing was written; <beginBackupAnew>"
      ),
      (.noLibrary, .restore, "cannot restore the library: there is no library at '/b' yet"),
      (
        .removals(1_200, of: 3_000), .backup,
        "cannot back up the library: 1,200 of the 3,000 images that '/b' has would go, because the library no longer has them — nothing was written; <restoreBackup(place: \"/b\")>, and <acceptLosses>"
      ),
      (
        .removals(1, of: 1), .move,
        "cannot copy the library: 1 of the 1 image that '/b' has would go, because the library no longer has it — nothing was written; <acceptLosses>"
      ),
    ] as [(StoreError.Reason, CopyPurpose, String)]
  )
  func `says why a place is not taken`(
    reason: StoreError.Reason,
    purpose: CopyPurpose,
    text: String
  ) async throws {
    let error = StoreError(reason: reason, path: "/b", message: "1 feed")

    #expect(await !move(.failed(error), for: purpose))

    guard case .failure(let response) = spy.events.first else {
      Issue.record("\(spy.events)")
      return
    }
    #expect(Wording.message(response.failure).described == text)
    #expect(response.failure.outcome == .failed)
  }

  @Test(
    arguments: [
      (
        "/library/gallery.sqlite", .unreadable, true,
        "cannot back up the library: '/library/gallery.sqlite' is damaged, or is not a library: bad — the database of the backup is sound, and <restoreBackup(place: \"copy\")>"
      ),
      (
        "/library/gallery.sqlite", .unreadable, false,
        "cannot back up the library: '/library/gallery.sqlite' is damaged, or is not a library: bad — the pictures in '/library/originals' are plain files, and <recoverLibrary(folder: Optional(\"/library\"))>"
      ),
      (
        "/library", .unsound, true,
        "cannot back up the library: '/library' is damaged: bad — stored data stays as it is, and <rebuildIndexes>"
      ),
      (
        "copy/gallery.sqlite", .unreadable, true,
        "cannot update the backup: 'copy/gallery.sqlite' is damaged, or is not a library: bad — the library stays as it is, and <beginBackupAnew>"
      ),
      (
        "copy", .unsound, false,
        "cannot update the backup: 'copy' is damaged: bad — the library stays as it is, and does not know whether the backup is its own; choose another place"
      ),
    ] as [(String, StoreError.Reason, Bool, String)]
  )
  func `says whether the library is damaged or the backup, and one thing to do`(
    path: String,
    reason: StoreError.Reason,
    isKnown: Bool,
    text: String
  ) async {
    let error = StoreError(reason: reason, path: path, message: "bad")

    #expect(
      await !move(.failed(error), for: .backup, hasWholeBackup: isKnown, knowsBackup: isKnown)
    )

    guard case .failure(let response) = spy.events.first else {
      Issue.record("\(spy.events)")
      return
    }
    #expect(Wording.message(response.failure).described == text)
    #expect(response.failure.outcome == .failed)
  }

  @Test func `a copy that is interrupted is not there to be verified`() async {
    #expect(await !move(.interrupted(MoveCounts())))

    let end = ended(.move, isInterrupted: true)
    #expect(spy.events == [.ended(end)])
    #expect(MoveLibrary.Move.outcome(end) == .partly)
  }

  @Test func `presents why nothing can be copied`() async {
    #expect(await !move(.failed(.damaged)))
    #expect(await !move(.ended(MoveCounts()), library: LibraryStub(error: .damaged)))

    let failure = RequestFailure.library(.damaged, .move)
    #expect(spy.events == [.failure(.init(failure: failure)), .failure(.init(failure: failure))])
    #expect(failure.outcome == .failed)
  }
}

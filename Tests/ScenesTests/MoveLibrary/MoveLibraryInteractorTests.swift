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
    library: LibraryStub? = nil
  ) async -> Bool {
    let interactor = MoveLibraryInteractor(
      presenter: spy,
      library: library ?? LibraryStub(feeds: [.astronomy]),
      mover: Mover(facts: facts),
      purpose: purpose,
      place: "copy",
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
    #expect(cut.hasSuffix("— 'gallery \(command)' continues where it stopped"))
  }

  private func line(_ record: Record) -> String {
    String(decoding: JSONLine.lines([record]), as: UTF8.self)
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
      (.noLibrary, .restore, "cannot restore the library: there is no library at '/b' yet"),
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

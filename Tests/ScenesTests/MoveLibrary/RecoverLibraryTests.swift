import TestSupport
import Testing
import Workers

@testable import Scenes

struct RecoverLibraryTests {
  private struct Recovery: LibraryRecovering {
    var facts: [RecoveryFact]

    func recover() -> RecoveryRun {
      let facts = facts
      return RecoveryRun(Locked(RecoveredLibrary())) { teller in
        for fact in facts { teller.yield(fact) }
      }
    }
  }

  private let spy = RunPresentationSpy<RecoverLibrary.Recover>()

  private func recover(_ facts: RecoveryFact...) async -> Bool {
    let interactor = RecoverLibraryInteractor(
      presenter: spy,
      recovery: Recovery(facts: facts),
      place: "rescued",
      pause: Pauses.never
    )
    return await interactor.recoverLibrary(request: .init(stop: StopRequest()))
  }

  @Test func `presents each loss before the end`() async {
    var recovered = RecoveredLibrary()
    recovered.lostFeeds = [.init(id: 7, images: 1)]
    recovered.lostImages = [.init(feed: "Moon", count: 3)]

    #expect(await recover(.ended(recovered)))

    let end = RecoverLibrary.Recover.Ended.Response(place: "rescued", recovered: recovered)
    #expect(
      spy.events == [
        .note(.feed(recovered.lostFeeds[0])), .note(.images(recovered.lostImages[0])), .ended(end),
      ]
    )
    let notes = [
      Wording.note(RecoverLibrary.Recover.Note.feed(recovered.lostFeeds[0])),
      Wording.note(RecoverLibrary.Recover.Note.images(recovered.lostImages[0])),
    ]
    #expect(
      notes.map(\.described) == [
        "- feed 7: lost; 'Lost feed 7' keeps 1 image", "- 'Moon': 3 images lost",
      ]
    )
    #expect(RecoverLibrary.Recover.outcome(end) == .partly)
  }

  @Test func `presents lost thumbnails and a lost identity, which are losses`() async {
    var recovered = RecoveredLibrary()
    (recovered.lostThumbnails, recovered.isOtherLibrary) = (2, true)

    #expect(await recover(.ended(recovered)))

    let end = RecoverLibrary.Recover.Ended.Response(place: "rescued", recovered: recovered)
    #expect(spy.events == [.note(.thumbnails(2)), .note(.identity), .ended(end)])
    #expect(
      Wording.note(RecoverLibrary.Recover.Note.thumbnails(1)).described == "- 1 thumbnail lost"
    )
    recovered.isOtherLibrary = false
    #expect(recovered.hasLosses)
    recovered.lostThumbnails = 0
    #expect(!recovered.hasLosses)
  }

  @Test func `says what came back, and what could not be read`() {
    var recovered = RecoveredLibrary()
    (recovered.feeds, recovered.images, recovered.pins) = (2, 40, 1)
    let sound = RecoverLibrary.Recover.Ended.Response(place: "rescued", recovered: recovered)
    (recovered.damagedPages, recovered.damagedRows) = (1, 2)
    let damaged = RecoverLibrary.Recover.Ended.Response(place: "rescued", recovered: recovered)

    let whole = "recovered to 'rescued': 2 feeds, 40 images, 0 thumbnails, 0 originals, 1 pin"
    #expect(Wording.summary(sound).described == whole)
    #expect(Wording.summary(damaged).described == "\(whole); 1 page and 2 rows could not be read")
    #expect(RecoverLibrary.Recover.outcome(sound) == .done)
    for (folders, words) in [(1, "a folder"), (2, "2 folders")] {
      recovered = sound.recovered
      recovered.folders = folders
      let end = RecoverLibrary.Recover.Ended.Response(place: "rescued", recovered: recovered)
      let hint = Hint.readFolders(library: "rescued")
      #expect(
        Wording.summary(end)
          == "\(whole); the pictures of \(words) count as missing — \(hint)"
      )
      #expect(RecoverLibrary.Recover.outcome(end) == .done)
    }
  }

  @Test func `presents why nothing can be recovered`() async {
    #expect(await !recover(.failed(.damaged)))

    #expect(spy.events == [.failure(.init(failure: .library(.damaged, .recover)))])
  }
}

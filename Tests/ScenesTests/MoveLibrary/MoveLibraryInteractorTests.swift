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

  private func move(_ facts: MoveFact..., library: LibraryStub? = nil) async -> Bool {
    let interactor = MoveLibraryInteractor(
      presenter: spy,
      library: library ?? LibraryStub(feeds: [.astronomy]),
      mover: Mover(facts: facts),
      place: "copy",
      pause: Pauses.never
    )
    return await interactor.moveLibrary(request: .init(stop: StopRequest()))
  }

  @Test func `presents what is not copied, and the end`() async {
    var counts = MoveCounts()
    counts.images = 3

    #expect(await move(.damagedThumbnail(imageID: 7), .ended(counts)))

    let end = MoveLibrary.Move.Ended.Response(place: "copy", counts: counts, isInterrupted: false)
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
    let end = MoveLibrary.Move.Ended.Response(place: "copy", counts: counts, isInterrupted: false)

    #expect(Wording.summary(end).described == text)
  }

  @Test func `a copy that is interrupted is not there to be verified`() async {
    #expect(await !move(.interrupted(MoveCounts())))

    let end = MoveLibrary.Move.Ended.Response(
      place: "copy",
      counts: MoveCounts(),
      isInterrupted: true
    )
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

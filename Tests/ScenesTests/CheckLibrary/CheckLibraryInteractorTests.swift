import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct CheckLibraryInteractorTests {
  private let presenter = CheckLibraryPresentationSpy()
  private let finding = CheckFinding(.thumbnail(imageID: 7), .damaged(.cut(.jpeg)))

  private func interactor(
    _ library: LibraryStub = LibraryStub(feeds: [.astronomy]),
    verifier: LibraryVerifyingStub = LibraryVerifyingStub(),
    cleaner: LibraryCleaningStub = LibraryCleaningStub()
  ) -> CheckLibraryInteractor {
    CheckLibraryInteractor(
      presenter: presenter,
      library: library,
      verifier: verifier,
      cleaner: cleaner
    )
  }

  @Test func `presents all that a verification says, in order, and holds what it found`() async {
    var counts = VerificationCounts()
    counts.damaged = 1
    counts.repaired = 1
    let verifier = LibraryVerifyingStub([
      .resumed, .found(finding), .repaired(finding.thing), .ended(counts, isInterrupted: false),
    ])
    let interactor = interactor(verifier: verifier)

    await interactor.verifyLibrary(
      request: .init(isRepairing: true, restarts: true, stop: StopRequest())
    )

    #expect(
      verifier.events == [.verify(VerificationPlan(isRepairing: true, restarts: true))]
    )
    #expect(
      presenter.events == [
        .started, .note(.init(fact: .resumed)), .note(.init(fact: .found(finding))),
        .note(.init(fact: .repaired(finding.thing))),
        .ended(.init(counts: counts, isInterrupted: false, isRepairing: true)),
      ]
    )
    #expect(interactor.findings == [finding])
  }

  @Test func `stops when it is asked to, and presents the end`() async {
    let verifier = LibraryVerifyingStub([.found(finding)])
    let stop = StopRequest()
    stop.make()

    await interactor(verifier: verifier).verifyLibrary(request: .init(stop: stop))

    #expect(verifier.events.last == .stop)
    #expect(
      presenter.events.last == .ended(.init(counts: VerificationCounts(), isInterrupted: true))
    )
  }

  @Test(arguments: [true, false])
  func `presents what was cleaned`(_ isRehearsal: Bool) {
    var cleaned = CleanedLibrary()
    cleaned.files = 2
    let cleaner = LibraryCleaningStub(.success(cleaned))

    let plan = CleaningPlan(isRehearsal: isRehearsal, isImmediate: !isRehearsal)
    interactor(cleaner: cleaner).cleanLibrary(request: .init(plan))

    #expect(cleaner.plans == [plan])
    #expect(presenter.events == [.cleaned(.init(cleaned: cleaned, plan: plan))])
  }

  @Test func `asks nothing of a library that cannot be read`() async {
    let verifier = LibraryVerifyingStub()
    let cleaner = LibraryCleaningStub()
    let interactor = interactor(
      LibraryStub(error: .damaged),
      verifier: verifier,
      cleaner: cleaner
    )

    await interactor.verifyLibrary(request: .init(stop: StopRequest()))
    interactor.cleanLibrary(request: .init())

    #expect(verifier.events == [])
    #expect(cleaner.plans == [])
    #expect(
      presenter.events == [
        .failure(.init(failure: .library(.damaged, .verify))),
        .failure(.init(failure: .library(.damaged, .clean))),
      ]
    )
  }

  @Test func `presents that a library cannot be written`() {
    interactor(cleaner: LibraryCleaningStub(.failure(.damaged)))
      .cleanLibrary(request: .init())

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .clean)))])
  }
}

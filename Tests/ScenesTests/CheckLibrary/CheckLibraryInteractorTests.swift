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
      cleaner: cleaner,
      pause: Pauses.never
    )
  }

  @Test func `presents the feeds and how much is stored`() async {
    let library = LibraryStub(images: [.moon], feeds: [.astronomy])
    var figures = LibraryFigures()
    figures.images = 1

    await interactor(library).describeLibrary()

    #expect(presenter.events == [.described(.init(feeds: [.astronomy], figures: figures))])
  }

  @Test func `presents which processes use the library`() async {
    await interactor().describeNodes()

    #expect(presenter.events == [.nodes(.init(nodes: LibraryStub.nodes))])
  }

  @Test func `presents that the library cannot be described`() async {
    await interactor(LibraryStub(error: .damaged)).describeLibrary()

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .list)))])
  }

  @Test(arguments: [(0, 0, nil), (3, 2, 66), (3, 3, 100), (1_000, 999, 99)] as [(Int, Int, Int?)])
  func `a library is ready when all thumbnails are stored`(
    images: Int,
    thumbnails: Int,
    readiness: Int?
  ) {
    var figures = LibraryFigures()
    figures.images = images
    figures.thumbnails = thumbnails

    let response = CheckLibrary.DescribeLibrary.Response(feeds: [], figures: figures)

    #expect(response.readiness == readiness)
  }

  @Test(
    arguments: [
      (0, 0, 0, "0 stored, 0 B"), (3, 0, 2_048, "3 stored, 2.0 KiB"),
      (17, 17, 0, "17 in place, 512 B"), (20, 17, 2_048, "3 stored, 2.0 KiB; 17 in place, 512 B"),
    ] as [(Int, Int, Int, String)]
  )
  func `originals in folders are counted apart`(
    originals: Int,
    inPlace: Int,
    bytes: Int,
    text: String
  ) {
    var figures = LibraryFigures()
    (figures.originals, figures.originalBytes) = (originals, bytes)
    (figures.originalsInPlace, figures.bytesInPlace) = (inPlace, 512)
    let fields = Wording.description(.init(feeds: [], figures: figures))
    figures.bounds = StorageBounds(keep: 1 << 20)
    let bounded = Wording.description(.init(feeds: [], figures: figures))

    #expect(fields.first { $0.name == "originals" }?.value == text)
    #expect(bounded.first { $0.name == "originals" }?.value == text + "; at most 1.0 MiB")
  }

  @Test func `presents all that a verification says, in order`() async {
    var counts = VerificationCounts()
    counts.damaged = 1
    counts.repaired = 1
    let verifier = LibraryVerifyingStub([
      .resumed, .found(finding), .repaired(finding.thing), .ended(counts, isInterrupted: false),
    ])
    let interactor = interactor(verifier: verifier)

    await interactor.verifyLibrary(
      request: .init(
        plan: VerificationPlan(isRepairing: true, restarts: true),
        stop: StopRequest()
      )
    )

    #expect(
      verifier.events == [.verify(VerificationPlan(isRepairing: true, restarts: true))]
    )
    #expect(
      presenter.events == [
        .note(.init(fact: .resumed)), .note(.init(fact: .found(finding))),
        .note(.init(fact: .repaired(finding.thing))),
        .ended(.init(counts: counts, isInterrupted: false, isRepairing: true)),
      ]
    )
  }

  @Test(arguments: [true, false])
  func `names the command that mends a backup, and not one that would change it`(
    isBackup: Bool
  ) async {
    var counts = VerificationCounts()
    counts.damaged = 1
    let interactor = CheckLibraryInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      verifier: LibraryVerifyingStub([.ended(counts, isInterrupted: false)]),
      cleaner: LibraryCleaningStub(),
      place: ("/backup", { isBackup }),
      pause: Pauses.never
    )

    await interactor.verifyLibrary(request: .init(stop: StopRequest()))

    let end = CheckLibrary.VerifyLibrary.Ended.Response(
      counts: counts,
      isInterrupted: false,
      backup: isBackup ? "/backup" : nil
    )
    #expect(presenter.events == [.ended(end)])
    let hint = isBackup ? "mendBackup(place: \"/backup\")" : "repairPictures"
    let text = "verified 0 thumbnails and 0 originals: 1 damaged — <\(hint)>"
    #expect(Wording.summary(end).described == text)
  }

  private static let unreadable = StoreError(
    reason: .unreadable,
    path: "/l/gallery.sqlite",
    message: "bad"
  )
  private static let row = CheckFinding(.database, .damaged(.database("row 8 is wrong")))

  @Test(
    arguments: [
      (
        [.found(CheckFinding(.database, .unreadable(unreadable)))],
        "<restoreBackup(place: \"/usb\")>; <recoverLibrary(folder: Optional(\"/l\"))>"
      ),
      (
        [.found(row), .notRepaired(.database, .store(unreadable))],
        "<restoreBackup(place: \"/usb\")>; <recoverLibrary(folder: Optional(\"/l\"))>"
      ),
      (
        [.found(row)],
        "<rebuildIndexes>, and if that does not help, <restoreBackup(place: \"/usb\")>; or <recoverLibrary(folder: Optional(\"/l\"))>"
      ),
      ([.found(row), .repaired(.database)], nil),
      (
        [
          .found(
            CheckFinding(
              .database,
              .unreadable(StoreError(reason: .busy, path: "/l", message: ""))
            )
          )
        ], nil
      ),
    ] as [([CheckFact], String?)]
  )
  func `names what helps a damaged database, and no repair that has failed`(
    facts: [CheckFact],
    hints: String?
  ) async throws {
    let interactor = CheckLibraryInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      verifier: LibraryVerifyingStub(facts + [.ended(VerificationCounts(), isInterrupted: false)]),
      cleaner: LibraryCleaningStub(),
      remedies: { .init(folder: "/l", backup: "/usb") },
      pause: Pauses.never
    )

    await interactor.verifyLibrary(request: .init(stop: StopRequest()))

    guard case .ended(let end)? = presenter.events.last else {
      Issue.record("\(presenter.events)")
      return
    }
    let text = "verified 0 thumbnails and 0 originals: all is as it was stored"
    #expect(Wording.summary(end).described == text + (hints.map { " — \($0)" } ?? ""))
  }

  @Test(
    arguments: [(nil, ""), ("/usb", "<restoreBackup(place: \"/usb\")>; ")] as [(String?, String)]
  )
  func `names the backup of a library that cannot be opened`(backup: String?, hint: String) {
    let failure: RequestFailure =
      backup == nil
      ? .library(Self.unreadable, .verify)
      : .damagedLibrary(Self.unreadable, .verify, backup: backup)
    let rest =
      "the pictures in '/l/originals' are plain files, and <recoverLibrary(folder: Optional(\"/l\"))>"
    #expect(
      Wording.message(failure).described
        == "cannot verify the library: '/l/gallery.sqlite' is damaged, or is not a library: bad — \(hint)\(rest)"
    )
  }

  @Test(arguments: [
    (0, ""), (1, "; 1 picture of folders was not read"),
    (1_300, "; 1,300 pictures of folders were not read"),
  ])
  func `says how many pictures stay in folders, where they are not read`(
    number: Int,
    end: String
  ) {
    let response = CheckLibrary.VerifyLibrary.Ended.Response(
      counts: VerificationCounts(),
      isInterrupted: false,
      inFolders: number
    )
    let text = "verified 0 thumbnails and 0 originals: all is as it was stored"
    #expect(Wording.summary(response).described == text + end)
  }

  @Test func `says that a whole backup is whole`() {
    let end = CheckLibrary.VerifyLibrary.Ended.Response(
      counts: VerificationCounts(),
      isInterrupted: false,
      backup: "/backup"
    )
    let text = "verified 0 thumbnails and 0 originals: all is as it was stored"
    #expect(Wording.summary(end).described == text)
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

  @Test(.timeLimit(.minutes(60)))
  func `presents how far it is after each pause, until the end`() async {
    let stop = StopRequest()
    let interactor = CheckLibraryInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      verifier: LibraryVerifyingStub([.found(finding)]),
      cleaner: LibraryCleaningStub(),
      pause: {
        if stop.isMade { throw CancellationError() }
        stop.make()
      }
    )

    await interactor.verifyLibrary(request: .init(stop: stop))

    let end = CheckLibraryPresentationSpy.Event.ended(
      .init(counts: VerificationCounts(), isInterrupted: true)
    )
    #expect(presenter.events.last == end)
    #expect(presenter.events.count { $0 == .progress(.init(counts: VerificationCounts())) } <= 1)
  }

  @Test(arguments: [true, false])
  func `presents what was cleaned`(_ isRehearsal: Bool) async {
    var cleaned = CleanedLibrary()
    cleaned.files = 2
    let cleaner = LibraryCleaningStub(.success(cleaned))

    let plan = CleaningPlan(isRehearsal: isRehearsal, isImmediate: !isRehearsal)
    await interactor(cleaner: cleaner).cleanLibrary(request: .init(plan))

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
    await interactor.cleanLibrary(request: .init())

    #expect(verifier.events == [])
    #expect(cleaner.plans == [])
    #expect(
      presenter.events == [
        .failure(.init(failure: .library(.damaged, .verify))),
        .failure(.init(failure: .library(.damaged, .clean))),
      ]
    )
  }

  @Test func `presents that a library cannot be written`() async {
    await interactor(cleaner: LibraryCleaningStub(.failure(.damaged)))
      .cleanLibrary(request: .init())

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .clean)))])
  }
}

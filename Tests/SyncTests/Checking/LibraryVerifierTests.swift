import Models
import Sync
import TestSupport
import Testing
import Workers

struct LibraryVerifierTests {
  private let sound = StoredThumbnail(
    imageID: 1,
    info: PictureInfo(format: .jpeg, bytes: PictureBytes.jpeg.count, width: 640, height: 480),
    bytes: PictureBytes.jpeg
  )
  private let original = FiledOriginal(
    id: 4,
    path: "/library/originals/aa/aa.jpg",
    sha256: "aa",
    bytes: 3,
    imageIDs: [1]
  )

  private func facts(
    _ library: FakeInspection,
    _ plan: VerificationPlan = VerificationPlan(),
    repairer: FakeRepairer = FakeRepairer(),
    imaging: FakeImaging? = nil
  ) async -> [CheckFact] {
    let verifier = LibraryVerifier(library: library, repairer: repairer, imaging: imaging)
    let run = verifier.verify(plan)
    var facts: [CheckFact] = []
    for await fact in run.facts { facts.append(fact) }
    return facts
  }

  private func counts(_ change: (inout VerificationCounts) -> Void) -> VerificationCounts {
    var counts = VerificationCounts()
    change(&counts)
    return counts
  }

  @Test func `decodes each thumbnail that its bytes say nothing against`() async {
    let imaging = FakeImaging(failure: .undecodable(message: "bad code"))
    var cut = sound
    cut.imageID = 2
    cut.bytes.removeLast(2)
    let library = FakeInspection(thumbnails: [sound, cut])

    let facts = await facts(library, imaging: imaging)

    let thing = CheckedThing.thumbnail(imageID: 1)
    let finding = CheckFinding(thing, .damaged(.undecodable("bad code")))
    #expect(facts.first == .found(finding))
    #expect(facts.count == 3)
    #expect(imaging.decoded == [.bytes(sound.bytes)])
  }

  @Test(arguments: [
    ImagingError.noDecoder(lookedAt: []), .unsupported(.svg), .crashed(signal: 9),
    .timedOut(seconds: 1),
  ])
  func `takes a thumbnail as its bytes are that no decoder says anything of`(
    error: ImagingError
  ) async {
    let library = FakeInspection(thumbnails: [sound])

    let facts = await facts(library, imaging: FakeImaging(failure: error))

    let ended = counts { $0.thumbnails = 1 }
    #expect(facts == [.ended(ended, isInterrupted: false)])
  }

  @Test func `finds nothing in a sound library`() async {
    let library = FakeInspection(thumbnails: [sound], originals: [original])

    let ended = counts {
      $0.thumbnails = 1
      $0.originals = 1
    }
    #expect(await facts(library) == [.ended(ended, isInterrupted: false)])
  }

  @Test func `tells what is damaged, missing, stray and unreadable`() async {
    var cut = sound
    cut.imageID = 2
    cut.bytes.removeLast(2)
    var page = sound
    page.imageID = 3
    page.bytes = Array("<html></html>".utf8)
    let library = FakeInspection(
      thumbnails: [sound, cut, page],
      originals: [original],
      databaseFaults: ["a page is lost"],
      fault: .missing,
      strays: [StrayFile(path: "/library/originals/x", bytes: 7)]
    )

    let ended = counts {
      $0.thumbnails = 3
      $0.originals = 1
      $0.damaged = 3
      $0.missing = 1
      $0.strays = 1
    }
    #expect(
      await facts(library) == [
        .found(CheckFinding(.database, .damaged(.database("a page is lost")))),
        .found(CheckFinding(.thumbnail(imageID: 2), .damaged(.cut(.jpeg)))),
        .found(
          CheckFinding(.thumbnail(imageID: 3), .damaged(.notAPicture(looksLike: "an HTML page")))
        ),
        .found(CheckFinding(.original(path: original.path, imageIDs: [1]), .missing)),
        .found(CheckFinding(.file(path: "/library/originals/x"), .stray(bytes: 7))),
        .ended(ended, isInterrupted: false),
      ]
    )
  }

  @Test(arguments: [false, true])
  func `tells of a key that cannot be used, and replaces one that is missing`(
    isRepairing: Bool
  ) async {
    for (message, isMissing) in [("it is missing", true), ("it is damaged", false)] {
      let error = StoreError(reason: .unusableKey, path: "/library/library.key", message: message)
      let thing = CheckedThing.file(path: error.path)
      let facts = await facts(
        FakeInspection(keyFailure: error),
        VerificationPlan(isRepairing: isRepairing)
      )

      #expect(facts.first == .found(CheckFinding(thing, .unreadable(error))))
      let isRepaired = facts.contains(.repaired(thing))
      #expect(isRepaired == (isRepairing && isMissing))
      let isFailed = facts.contains(.notRepaired(thing, .store(error)))
      #expect(isFailed == (isRepairing && !isMissing))
    }
  }

  @Test func `remembers what is damaged or missing, and what is whole again`() async {
    var cut = sound
    cut.imageID = 2
    cut.bytes.removeLast(2)
    var restored = sound
    restored.imageID = 3
    restored.isMarked = true
    let thing = CheckedThing.original(path: original.path, imageIDs: [1])

    for (fault, condition) in [
      (CheckFinding.Condition.missing, StoredCondition.missing),
      (.damaged(.otherContent), .damaged),
    ] {
      let library = FakeInspection(
        thumbnails: [sound, cut, restored],
        originals: [original],
        fault: fault
      )
      _ = await facts(library)

      #expect(
        library.markings == [
          .init(thing: .thumbnail(imageID: 2), condition: .damaged),
          .init(thing: .thumbnail(imageID: 3), condition: .whole),
          .init(thing: thing, condition: condition),
        ]
      )
    }
    var marked = original
    marked.isMarked = true
    let library = FakeInspection(originals: [marked])
    _ = await facts(library)
    #expect(library.markings == [.init(thing: thing, condition: .whole)])
  }

  @Test func `remembers nothing of what could not be looked at`() async {
    let error = StoreError(reason: .forbidden, path: original.path, message: "denied")
    let library = FakeInspection(originals: [original], fault: .unreadable(error))

    _ = await facts(library)

    #expect(library.markings == [])
  }

  @Test func `takes back a stray file whose image has lost its row, when it is to repair`() async {
    let path = "/library/originals/aa/aa.jpg"
    let strays = [StrayFile(path: path, bytes: 7)]
    let library = FakeInspection(strays: strays, lost: [path: [4]])

    let repaired = await facts(library, VerificationPlan(isRepairing: true))
    let found = await facts(library)

    let ended = counts { $0.repaired = 1 }
    #expect(
      repaired == [
        .repaired(.original(path: path, imageIDs: [4])), .ended(ended, isInterrupted: false),
      ]
    )
    #expect(found.first == .found(CheckFinding(.file(path: path), .stray(bytes: 7))))
  }

  @Test func `takes back a stray original for the images at its address, and counts the others`()
    async
  {
    let (path, other) = ("/library/originals/aa/aa.jpg", "/library/originals/ab/ab.jpg")
    let strays = [path, other].map { StrayFile(path: $0, bytes: 7, isOriginal: true) }
    let library = FakeInspection(strays: strays, lost: [path: [104]])

    let repaired = await facts(library, VerificationPlan(isRepairing: true))
    let found = await facts(library)

    let ended = counts { ($0.repaired, $0.strays, $0.strayOriginals) = (1, 1, 1) }
    #expect(repaired.first == .repaired(.original(path: path, imageIDs: [104])))
    #expect(repaired.last == .ended(ended, isInterrupted: false))
    let told = counts { ($0.strays, $0.strayOriginals) = (2, 2) }
    #expect(found.last == .ended(told, isInterrupted: false))
  }

  @Test func `takes the newest of an image's former and present originals back first`() async {
    let paths = ["aa", "bb", "cc"].map { "/library/originals/\($0)/\($0).jpg" }
    let strays = zip(paths, [1, 3, 2]).map {
      StrayFile(path: $0, bytes: 7, isOriginal: true, changed: $1)
    }
    let lost = Dictionary(uniqueKeysWithValues: paths.map { ($0, [Int64(4)]) })
    let library = FakeInspection(strays: strays, lost: lost)

    let repaired = await facts(library, VerificationPlan(isRepairing: true))

    let expected = [1, 2, 0].map {
      CheckFact.repaired(.original(path: paths[$0], imageIDs: [4]))
    }
    #expect(Array(repaired.prefix(3)) == expected)
  }

  @Test func `tells a thumbnail of another format or length than was stored`() async {
    var other = sound
    other.info?.format = .png
    var long = sound
    long.imageID = 2
    long.info?.bytes = 9_999
    let facts = await facts(FakeInspection(thumbnails: [other, long]))

    #expect(
      facts.dropLast() == [
        .found(CheckFinding(.thumbnail(imageID: 1), .damaged(.otherFormat(.jpeg)))),
        .found(
          CheckFinding(
            .thumbnail(imageID: 2),
            .damaged(.otherLength(PictureBytes.jpeg.count, expected: 9_999))
          )
        ),
      ]
    )
  }

  @Test func `repairs the database once, then pictures, and only when it is asked to`() async {
    let faulty = FakeInspection(
      originals: [original],
      databaseFaults: ["a page is lost", "a row is missing from an index"],
      fault: .damaged(.otherContent)
    )
    let repairer = FakeRepairer()
    _ = await facts(faulty, repairer: repairer)
    #expect(repairer.things == [])
    #expect(faulty.databaseRepairs == 0)

    let told = await facts(faulty, VerificationPlan(isRepairing: true), repairer: repairer)

    let thing = CheckedThing.original(path: original.path, imageIDs: [1])
    #expect(faulty.databaseRepairs == 1)
    #expect(repairer.things == [thing])
    #expect(told.contains(.repaired(.database)))
    #expect(told.contains(.repaired(thing)))
    guard case .ended(let counts, _) = told.last else { return #expect(told.isEmpty) }
    #expect(counts.repaired == 2)
    #expect(counts.damaged == 3)
  }

  @Test func `removes the camera's data from whole thumbnails, when it is to repair`() async {
    var cut = sound
    cut.imageID = 2
    cut.bytes.removeLast(2)
    var other = sound
    other.imageID = 3
    let library = FakeInspection(thumbnails: [sound, cut, other])
    let repairer = FakeRepairer(telling: [1, 2])

    let found = await facts(library, repairer: repairer)
    let told = await facts(library, VerificationPlan(isRepairing: true), repairer: repairer)

    let damage = CheckFact.found(CheckFinding(.thumbnail(imageID: 2), .damaged(.cut(.jpeg))))
    #expect(found.dropLast() == [damage])
    #expect(
      told.dropLast() == [
        .repaired(.thumbnail(imageID: 1)), damage, .repaired(.thumbnail(imageID: 2)),
      ]
    )
    #expect(repairer.things == [.thumbnail(imageID: 2)])
  }

  @Test func `says so when the camera's data could not be removed from a thumbnail`() async {
    let repairer = FakeRepairer(failure: .status(404), telling: [1])

    let told = await facts(
      FakeInspection(thumbnails: [sound]),
      VerificationPlan(isRepairing: true),
      repairer: repairer
    )

    #expect(told.first == .notRepaired(.thumbnail(imageID: 1), .status(404)))
    #expect(told.count == 2)
  }

  @Test func `tells what could not be repaired`() async {
    let library = FakeInspection(originals: [original], fault: .missing)
    let repairer = FakeRepairer(failure: .status(404))

    let told = await facts(library, VerificationPlan(isRepairing: true), repairer: repairer)

    let thing = CheckedThing.original(path: original.path, imageIDs: [1])
    #expect(told.contains(.notRepaired(thing, .status(404))))
  }

  @Test(arguments: [false, true])
  func `counts what a repair does not restore, by what hinders it`(isRepairing: Bool) async {
    var cut = sound
    cut.bytes.removeLast(2)
    let thumbnails = ([1, 2, 3, 4] as [Int64]).map { id in
      var thumbnail = cut
      thumbnail.imageID = id
      return thumbnail
    }
    let library = FakeInspection(thumbnails: thumbnails, originals: [original], fault: .missing)
    let repairer = FakeRepairer(
      failure: .status(404),
      obstacles: [1: .failed, 2: .removedFeed, 3: .lostFile]
    )

    let told = await facts(
      library,
      VerificationPlan(isRepairing: isRepairing),
      repairer: repairer
    )

    let ended = counts {
      ($0.thumbnails, $0.damaged, $0.originals, $0.missing) = (4, 4, 1, 1)
      ($0.notFetched, $0.ofRemovedFeeds, $0.ofLostFiles) = (2, 1, 1)
    }
    #expect(told.last == .ended(ended, isInterrupted: false))
    #expect(ended.unrepairable == 4)
  }

  @Test func `asks for no obstacle to what was repaired`() async {
    let library = FakeInspection(originals: [original], fault: .missing)
    let repairer = FakeRepairer(obstacles: [1: .failed])

    let told = await facts(library, VerificationPlan(isRepairing: true), repairer: repairer)

    let ended = counts { ($0.originals, $0.missing, $0.repaired) = (1, 1, 1) }
    #expect(told.last == .ended(ended, isInterrupted: false))
  }

  @Test func `goes on where an interrupted one stopped, unless it starts over`() async {
    let mark = VerificationMark(thumbnail: 1, original: 4)
    let library = FakeInspection(thumbnails: [sound], originals: [original], mark: mark)

    let told = await facts(library)

    #expect(told == [.resumed, .ended(VerificationCounts(), isInterrupted: false)])
    #expect(library.mark.isAtStart)
    library.mark = mark
    let anew = await facts(library, VerificationPlan(restarts: true))
    let ended = counts {
      $0.thumbnails = 1
      $0.originals = 1
    }
    #expect(anew == [.ended(ended, isInterrupted: false)])
  }

  @Test func `remembers where it was when it is stopped`() async {
    let later = FiledOriginal(id: 5, path: "/b", sha256: "bb", bytes: 3, imageIDs: [2])
    let library = FakeInspection(
      thumbnails: [sound],
      originals: [original, later],
      fault: .damaged(.otherContent)
    )
    let repairer = HaltingRepairer()
    let verifier = LibraryVerifier(library: library, repairer: repairer)

    let run = verifier.verify(VerificationPlan(isRepairing: true))
    await repairer.begun.passed()
    run.stop()
    repairer.end.open()
    var last: CheckFact?
    for await fact in run.facts { last = fact }

    guard case .ended(_, isInterrupted: true) = last else { return #expect(last == nil) }
    #expect(library.mark == VerificationMark(thumbnail: 1, original: 4))
  }

  @Test func `looks at what is left when a part cannot be looked at`() async {
    let damage = StoreError(reason: .unreadable, path: "/library/gallery.sqlite", message: "bad")
    let folder = StoreError(reason: .forbidden, path: "/library/partial", message: "no")
    let library = FakeInspection(
      originals: [original],
      fault: .missing,
      mark: VerificationMark(thumbnail: 3, original: 0),
      thumbnailFailure: damage,
      strayFailure: folder
    )

    let told = await facts(library, VerificationPlan(restarts: true))

    let ended = counts {
      $0.originals = 1
      $0.missing = 1
      $0.unreadable = 2
    }
    #expect(
      told == [
        .found(CheckFinding(.database, .unreadable(damage))),
        .found(CheckFinding(.original(path: original.path, imageIDs: [1]), .missing)),
        .found(CheckFinding(.file(path: "/library/partial"), .unreadable(folder))),
        .ended(ended, isInterrupted: false),
      ]
    )
    #expect(library.mark.isAtStart)
  }

  @Test func `says once what keeps it from looking at anything`() async {
    let damage = StoreError(reason: .unreadable, path: "/library/gallery.sqlite", message: "bad")
    let library = FakeInspection(thumbnailFailure: damage, strayFailure: damage)

    let told = await facts(library)

    #expect(told.count == 2)
  }

  @Test func `goes on without remembering where the library cannot be written`() async {
    let library = FakeInspection(thumbnails: [sound], canRemember: false)

    #expect(await facts(library) == [.ended(counts { $0.thumbnails = 1 }, isInterrupted: false)])
  }
}

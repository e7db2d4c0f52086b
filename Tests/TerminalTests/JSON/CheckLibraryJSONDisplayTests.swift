import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from the interactor's responses to the bytes.
struct CheckLibraryJSONDisplayTests {
  private let screen = Screen()
  private let display: RecordDisplay
  private var presenter: CheckLibraryJSONPresenter { CheckLibraryJSONPresenter(display: display) }

  init() { display = RecordDisplay(console: screen.console()) }

  @Test func `writes a finding a line`() {
    let original = CheckedThing.original(path: "/l/originals/aa/aa.jpg", imageIDs: [1, 2])
    let facts: [CheckFact] = [
      .resumed, .found(CheckFinding(.database, .damaged(.database("Page 3 is lost.")))),
      .found(CheckFinding(.thumbnail(imageID: 7), .damaged(.cut(.jpeg)))),
      .found(CheckFinding(original, .missing)), .repaired(original),
      .notRepaired(original, .status(404)),
      .found(CheckFinding(.file(path: "/l/partial/9"), .stray(bytes: 12))),
    ]
    for fact in facts { presenter.presentNote(response: .init(fact: fact)) }

    #expect(
      screen.output == """
        {"event":"damaged","kind":"database","ids":[],"file":null,"reason":"page 3 is lost"}
        {"event":"damaged","kind":"thumbnail","ids":[7],"file":null,\
        "reason":"the JPEG picture ends too early"}
        {"event":"missing","kind":"original","ids":[1,2],"file":"/l/originals/aa/aa.jpg",\
        "reason":null}
        {"event":"repaired","kind":"original","ids":[1,2],"file":"/l/originals/aa/aa.jpg",\
        "reason":null}
        {"event":"unrepaired","kind":"original","ids":[1,2],"file":"/l/originals/aa/aa.jpg",\
        "reason":"the server answered 404 (not found)"}
        {"event":"stray","kind":"file","ids":[],"file":"/l/partial/9","reason":null}

        """
    )
  }

  @Test func `counts the originals that the bytes of originals are of`() {
    var figures = LibraryFigures()
    (figures.originals, figures.originalBytes) = (30, 2_048)
    (figures.originalsInPlace, figures.bytesInPlace) = (18, 512)
    presenter.presentDescribedLibrary(response: .init(feeds: [], figures: figures))

    for member in [
      #""originals":30,"#, #""originalBytes":2048,"#, #""originalsInPlace":18,"#,
      #""bytesInPlace":512,"#, #""originalsStored":12}"#,
    ] {
      #expect(screen.output.contains(member), "\(member)")
    }
  }

  @Test func `writes what a verification came to`() {
    var counts = VerificationCounts()
    counts.thumbnails = 5
    counts.missing = 1
    (counts.ofRemovedFeeds, counts.ofLostFiles, counts.notFetched) = (1, 2, 3)
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: true))

    #expect(
      screen.output == """
        {"event":"ended","thumbnails":5,"originals":0,"objects":0,"damaged":0,"missing":1,\
        "stray":0,"unreadable":0,"repaired":0,"interrupted":true,"ofRemovedFeeds":1,"ofLostFiles":2,\
        "notFetched":3}

        """
    )
    #expect(display.outcome == .partly)
  }

  @Test func `writes what was cleaned`() {
    var cleaned = CleanedLibrary()
    cleaned.files = 2
    cleaned.bytes = 99
    cleaned.emptied = .init(count: 1, bytes: 7)
    cleaned.trash = .init(count: 3, bytes: 100)
    cleaned.objects = .init(count: 4, bytes: 44)
    let plan = CleaningPlan(isRehearsal: true)
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: plan))

    #expect(
      screen.output == """
        {"feeds":0,"images":0,"originals":0,"files":2,"bytes":99,\
        "objects":{"files":4,"bytes":44},"dryRun":true,"emptied":{"files":1,"bytes":7},"trash":{"files":3,"bytes":100}}

        """
    )
    #expect(display.outcome == .done)
  }
}

import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Lines as people read them: from the interactor's responses to the bytes.
struct CheckLibraryTextDisplayTests {
  private let screen = Screen()
  private let display: CheckLibraryTextDisplay
  private var presenter: CheckLibraryPresenter { CheckLibraryPresenter(display: display) }

  init() { display = CheckLibraryTextDisplay(console: screen.console()) }

  @Test func `writes a line a finding, led by its symbol`() {
    let original = CheckedThing.original(path: "/l/a.jpg", imageIDs: [1, 2, 3, 4, 5])
    let facts: [CheckFact] = [
      .found(CheckFinding(.thumbnail(imageID: 7), .damaged(.otherLength(1, expected: 2_000)))),
      .found(CheckFinding(original, .missing)), .repaired(original),
      .notRepaired(original, .status(404)),
      .found(CheckFinding(.file(path: "/l/\u{1B}x"), .stray(bytes: 12))),
      .found(CheckFinding(.database, .unreadable(.damaged))),
    ]
    for fact in facts { presenter.presentNote(response: .init(fact: fact)) }

    #expect(
      screen.output == """
        * thumbnail of 7: it has 1 byte instead of 2,000
        - original of 1, 2, 3 and 2 more, '/l/a.jpg': the file is gone
        = original of 1, 2, 3 and 2 more, '/l/a.jpg': repaired
        cannot repair original of 1, 2, 3 and 2 more, '/l/a.jpg': the server answered 404 \
        (not found) — its stored data stays
        + '/l/\(HarmlessText.line("\u{1B}"))x': nothing refers to it (12 B)
        ! the database: \(Wording.reason(StoreError.damaged))

        """
    )
  }

  @Test func `never says to delete what may be the originals of lost rows`() {
    var counts = VerificationCounts()
    (counts.strays, counts.strayOriginals) = (3, 2)
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false))

    #expect(
      screen.output == """
        verified 0 thumbnails and 0 originals: all is as it was stored; 3 files that nothing refers to — kept; \
        after a sync of the feeds, 'gallery verify --repair' takes them back for images that are here again

        """
    )
  }

  @Test func `says what helps pictures that a repair does not restore`() {
    var counts = VerificationCounts()
    (counts.thumbnails, counts.damaged) = (9, 2)
    (counts.ofRemovedFeeds, counts.ofLostFiles) = (1, 1)
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false))
    (counts.damaged, counts.missing) = (5, 2)
    (counts.ofRemovedFeeds, counts.ofLostFiles, counts.notFetched) = (2, 2, 2)
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false))
    (counts.damaged, counts.missing, counts.repaired) = (3, 0, 2)
    (counts.ofRemovedFeeds, counts.ofLostFiles, counts.notFetched) = (0, 0, 1)
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false, isRepairing: true))

    #expect(
      screen.output == """
        verified 9 thumbnails and 0 originals: 2 damaged — 1 is of removed feeds: 'gallery clean' removes it; 1 is of \
        a file that its folder has no longer: once it is there again, 'gallery sync --retry-failed' helps
        verified 9 thumbnails and 0 originals: 5 damaged, 2 missing — 'gallery verify --repair' repairs what can be \
        fetched again; 2 are of removed feeds: 'gallery clean' removes them; 2 are of files that their folders have no \
        longer: once they are there again, 'gallery sync --retry-failed' helps; 2 could not be fetched or made again: \
        'gallery verify --repair' tries once more
        verified 9 thumbnails and 0 originals: 3 damaged, 2 repaired — 1 could not be fetched or made again: \
        'gallery verify --repair' tries once more

        """
    )
  }

  @Test func `sums up`() {
    var counts = VerificationCounts()
    counts.thumbnails = 1_234
    counts.originals = 1
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false))
    #expect(display.outcome == .done)
    counts.damaged = 2
    counts.repaired = 1
    counts.strays = 1
    presenter.presentEnd(response: .init(counts: counts, isInterrupted: false))
    presenter.presentEnd(
      response: .init(counts: counts, isInterrupted: true, isRepairing: true)
    )

    #expect(
      screen.output == """
        verified 1,234 thumbnails and 1 original: all is as it was stored
        verified 1,234 thumbnails and 1 original: 2 damaged, 1 repaired — 'gallery verify \
        --repair' repairs what can be fetched again; 1 file that nothing refers to — 'gallery clean' \
        removes it
        verified 1,234 thumbnails and 1 original: 2 damaged, 1 repaired; 1 file that nothing \
        refers to — 'gallery clean' removes it; interrupted — the next verification continues \
        from here

        """
    )
    #expect(display.outcome == .partly)
  }

  @Test func `writes what was cleaned`() {
    var cleaned = CleanedLibrary()
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: CleaningPlan()))
    cleaned.trash = .init(count: 1, bytes: 12)
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: CleaningPlan()))
    cleaned.trash = .init()
    cleaned.feeds = 1
    cleaned.images = 2
    cleaned.bytes = 2_048
    let rehearsal = CleaningPlan(isRehearsal: true)
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: rehearsal))
    cleaned.emptied = .init(count: 2, bytes: 99)
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: CleaningPlan()))
    (cleaned.feeds, cleaned.images) = (0, 0)
    presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: rehearsal))

    #expect(
      screen.output == """
        nothing to clean
        nothing to clean; the trash keeps 1 file (12 B) for 7 days each — 'gallery clean --now' \
        deletes at once
        would remove 1 removed feed, 2 images: 2.0 KiB of files
        removed 1 removed feed, 2 images: 2.0 KiB of files; emptied the trash of 2 files (99 B)
        would empty the trash of 2 files (99 B)

        """
    )
  }
}

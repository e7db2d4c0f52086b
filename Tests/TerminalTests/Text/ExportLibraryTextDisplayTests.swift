import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Lines of an export, as people read them.
struct ExportLibraryTextDisplayTests {
  private let screen = Screen()
  private let display: RunTextDisplay
  private var presenter: RunPresenter<ExportLibrary.ExportSite> {
    RunPresenter<ExportLibrary.ExportSite>(display: display)
  }

  init() { display = RunTextDisplay(console: screen.console()) }

  private func counts(_ change: (inout SiteExportCounts) -> Void) -> SiteExportCounts {
    var counts = SiteExportCounts()
    counts.images = 1_234
    change(&counts)
    return counts
  }

  @Test func `sums up`() {
    let all = [
      counts { ($0.written, $0.writtenBytes) = (1_300, 4 << 20) },
      counts { ($0.written, $0.removed, $0.damaged) = (1, 3, 2) },
      counts { $0.isUnchanged = true },
    ]
    for counts in all {
      presenter.presentEnd(
        response: .init(folder: "site", counts: counts, isInterrupted: false)
      )
    }
    presenter.presentEnd(
      response: .init(folder: "site", counts: all[0], isInterrupted: true)
    )

    #expect(
      screen.output == """
        exported to 'site': 1,234 images, 1,300 files written (4.0 MiB)
        exported to 'site': 1,234 images, 1 file written (0 B), 3 removed, 2 damaged originals left out
        'site' is up to date: 1,234 images
        interrupted: 1,234 images, 1,300 files written (4.0 MiB) — the next export continues from here

        """
    )
    #expect(display.outcome == .partly)
  }

  @Test(
    arguments: [
      (.foreign(path: "a"), "it has other files"),
      (.followed(path: "a", feed: 7), "its pictures are those of feed 7"),
      (.otherLibrary(path: "a"), "it has the export of another library"),
      (.overlapping(path: "a"), "it overlaps the library's own folder"),
      (.busy(path: "a"), "another export writes there"), (.changing, "it does not stop changing"),
      (
        .folder(StoreError(reason: .full, path: "a/b", message: "x")),
        "no space is left for 'a/b' — its files stay usable"
      ), (.library(.damaged), "cannot export the library: "),
    ] as [(SiteExportError, String)]
  )
  func `says why there is no site`(error: SiteExportError, words: String) {
    presenter.presentFailure(response: .init(failure: .site(error)))

    #expect(screen.errors.contains(words), "\(screen.errors)")
    #expect(display.outcome == .failed)
  }

  @Test func `names an original that is left out`() {
    presenter.presentNote(response: .init(path: "/l/a.jpg"))

    #expect(
      screen.errors == """
        cannot export '/l/a.jpg': its content is not what was stored — gallery exports the image without its \
        original, and 'gallery verify --repair' repairs what can be fetched again

        """
    )
  }
}

import Workers

/// The responses that the interactor presents.
package protocol ExportLibraryPresentationLogic {
  func presentExportProgress(response: ExportLibrary.ExportSite.Progress.Response)
  func presentDamagedOriginal(response: ExportLibrary.ExportSite.Damaged.Response)
  func presentExportedSite(response: ExportLibrary.ExportSite.Ended.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package typealias ExportLibraryDisplayLogic = RunDisplayLogic

/// Makes text for people.
package struct ExportLibraryPresenter: ExportLibraryPresentationLogic {
  private let display: any ExportLibraryDisplayLogic

  package init(display: any ExportLibraryDisplayLogic) { self.display = display }

  package func presentExportProgress(response: ExportLibrary.ExportSite.Progress.Response) {
    display.displayProgress(viewModel: .init(line: Wording.progressLine(response.counts)))
  }

  package func presentDamagedOriginal(response: ExportLibrary.ExportSite.Damaged.Response) {
    display.displayNote(viewModel: .init(text: Wording.leftOut(response), isProblem: true))
  }

  package func presentExportedSite(response: ExportLibrary.ExportSite.Ended.Response) {
    display.displayEnd(
      viewModel: .init(text: Wording.summary(response), outcome: response.outcome)
    )
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension ExportLibrary.ExportSite.Ended.Response {
  var outcome: Outcome { isInterrupted || counts.damaged > 0 ? .partly : .done }
}

/// Makes records for scripts.
package struct ExportLibraryJSONPresenter: ExportLibraryPresentationLogic {
  private let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  /// Presents nothing: scripts read the final record.
  package func presentExportProgress(response: ExportLibrary.ExportSite.Progress.Response) {}

  package func presentDamagedOriginal(response: ExportLibrary.ExportSite.Damaged.Response) {
    let record: Record = ["event": "damaged", "file": .text(response.path)]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentExportedSite(response: ExportLibrary.ExportSite.Ended.Response) {
    let counts = response.counts
    let record: Record = [
      "event": "ended",
      "folder": .text(response.folder),
      "images": .number(counts.images),
      "written": .number(counts.written),
      "bytes": .number(counts.writtenBytes),
      "removed": .number(counts.removed),
      "damaged": .number(counts.damaged),
      "interrupted": .flag(response.isInterrupted),
    ]
    display.displayRecords(viewModel: .init(record, outcome: response.outcome))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

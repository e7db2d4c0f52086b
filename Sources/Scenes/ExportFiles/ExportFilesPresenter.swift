import Workers

/// The responses that the interactor presents.
package protocol ExportFilesPresentationLogic {
  func presentFields(response: ExportFiles.ListFields.Response)
  func presentExportProgress(response: ExportFiles.Export.Progress.Response)
  func presentPlannedFile(response: ExportFiles.Export.Planned.Response)
  func presentLeftFile(response: ExportFiles.Export.Left.Response)
  func presentExportedFiles(response: ExportFiles.Export.Ended.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package protocol ExportFilesDisplayLogic: RunDisplayLogic {
  func displayFields(viewModel: ExportFiles.ListFields.ViewModel)
  func displayPlannedFile(viewModel: ExportFiles.Export.Planned.ViewModel)
}

/// Makes text for people.
package struct ExportFilesPresenter: ExportFilesPresentationLogic {
  /// The maximum number of untouched files to report by name; the summary counts all of them.
  static let mostNamed = 20

  private let display: any ExportFilesDisplayLogic

  package init(display: any ExportFilesDisplayLogic) { self.display = display }

  package func presentFields(response: ExportFiles.ListFields.Response) {
    display.displayFields(
      viewModel: .init(
        fields: response.fields.map { .init(name: $0.rawValue, value: Wording.meaning(of: $0)) }
      )
    )
  }

  package func presentExportProgress(response: ExportFiles.Export.Progress.Response) {
    display.displayProgress(viewModel: .init(line: Wording.progressLine(response.counts)))
  }

  package func presentPlannedFile(response: ExportFiles.Export.Planned.Response) {
    display.displayPlannedFile(viewModel: .init(path: response.path))
  }

  package func presentLeftFile(response: ExportFiles.Export.Left.Response) {
    guard response.number <= Self.mostNamed else { return }
    display.displayNote(viewModel: .init(text: Wording.left(response), isProblem: true))
  }

  package func presentExportedFiles(response: ExportFiles.Export.Ended.Response) {
    display.displayEnd(
      viewModel: .init(text: Wording.summary(response), outcome: response.outcome)
    )
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension ExportFiles.Export.Ended.Response {
  /// A file that a person changed is not a problem, but an omitted original is.
  var outcome: Outcome { isInterrupted || counts.omitted > 0 ? .partly : .done }
}

/// Makes records for scripts.
package struct ExportFilesJSONPresenter: ExportFilesPresentationLogic {
  private let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  package func presentFields(response: ExportFiles.ListFields.Response) {
    let records: [Record] = response.fields.map { field in
      ["field": .text(field.rawValue), "meaning": .text(Wording.meaning(of: field))]
    }
    display.displayRecords(viewModel: .init(records))
  }

  /// Presents nothing: scripts read the final record.
  package func presentExportProgress(response: ExportFiles.Export.Progress.Response) {}

  package func presentPlannedFile(response: ExportFiles.Export.Planned.Response) {
    let record: Record = [
      "event": "planned", "id": .integer(response.imageID), "file": .text(response.path),
    ]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentLeftFile(response: ExportFiles.Export.Left.Response) {
    let file = response.file
    let record: Record = [
      "event": "left",
      "id": .integer(file.imageID),
      "file": .text(file.path),
      "reason": .text(file.reason.rawValue),
    ]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentExportedFiles(response: ExportFiles.Export.Ended.Response) {
    let counts = response.counts
    let record: Record = [
      "event": "ended",
      "folder": .text(response.folder),
      "images": .number(counts.images),
      "linked": .number(counts.linked),
      "cloned": .number(counts.cloned),
      "copied": .number(counts.copied),
      "bytes": .number(counts.copiedBytes),
      "sidecars": .number(counts.sidecars),
      "left": .number(counts.left),
      "omitted": .number(counts.omitted),
      "dryRun": .flag(response.isDryRun),
      "interrupted": .flag(response.isInterrupted),
    ]
    display.displayRecords(viewModel: .init(record, outcome: response.outcome))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

package import Workers

/// The responses that the interactor presents.
package protocol ExportFilesPresentationLogic: RunPresentationLogic<ExportFiles.Export> {
  func presentFields(response: ExportFiles.ListFields.Response)
}

/// A display for people.
package protocol ExportFilesDisplayLogic: RunDisplayLogic {
  func displayFields(viewModel: ExportFiles.ListFields.ViewModel)
}

/// Makes text for people.
package struct ExportFilesPresenter: ExportFilesPresentationLogic, RunTextPresentation {
  private let display: any ExportFilesDisplayLogic
  package var runDisplay: any RunDisplayLogic { display }

  package init(display: any ExportFilesDisplayLogic) { self.display = display }

  package func presentFields(response: ExportFiles.ListFields.Response) {
    display.displayFields(
      viewModel: .init(
        fields: response.fields.map { .init(name: $0.rawValue, value: Wording.meaning(of: $0)) }
      )
    )
  }
}

/// Makes records for scripts.
package struct ExportFilesJSONPresenter: ExportFilesPresentationLogic, RunRecordPresentation {
  package let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  package func presentFields(response: ExportFiles.ListFields.Response) {
    let records: [Record] = response.fields.map { field in
      ["field": .text(field.rawValue), "meaning": .text(Wording.meaning(of: field))]
    }
    display.displayRecords(viewModel: .init(records))
  }
}

extension ExportFiles.Export: RunUseCase {
  /// The maximum number of untouched files to report by name; the summary counts all of them.
  static let mostNamed = 20

  package static func progressLine(_ counts: FileExportCounts) -> ProgressLine {
    Wording.progressLine(counts)
  }

  package static func note(_ response: Note.Response) -> Run.Note.ViewModel? {
    switch response {
    case .planned(_, let path): .init(text: "\(path)", kind: .path)
    case .left(let left) where left.number > mostNamed: nil
    case .left(let left): .init(text: Wording.left(left), kind: .problem)
    }
  }

  package static func record(_ response: Note.Response) -> Record? {
    switch response {
    case .planned(let id, let path):
      ["event": "planned", "id": .integer(id), "file": .text(path)]
    case .left(let left):
      [
        "event": "left",
        "id": .integer(left.file.imageID),
        "file": .text(left.file.path),
        "reason": .text(left.file.reason.rawValue),
      ]
    }
  }

  package static func summary(_ response: Ended.Response) -> HintedText {
    Wording.summary(response)
  }

  package static func record(_ response: Ended.Response) -> Record {
    let counts = response.counts
    return [
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
  }

  /// A file that a person changed is not a problem, but an omitted original is.
  package static func outcome(_ response: Ended.Response) -> Outcome {
    response.isInterrupted || response.counts.omitted > 0 ? .partly : .done
  }
}

package import Scenes
package import Workers

/// Records the responses that the interactor of ExportFiles presents.
package final class ExportFilesPresentationSpy: ExportFilesPresentationLogic {
  package enum Event: Equatable {
    case fields(ExportFiles.ListFields.Response)
    case progress(Run.Progress.Response<FileExportCounts>)
    case note(ExportFiles.Export.Note.Response)
    case exported(ExportFiles.Export.Ended.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentFields(response: ExportFiles.ListFields.Response) {
    events.append(.fields(response))
  }

  package func presentProgress(response: Run.Progress.Response<FileExportCounts>) {
    events.append(.progress(response))
  }

  package func presentNote(response: ExportFiles.Export.Note.Response) {
    events.append(.note(response))
  }

  package func presentEnd(response: ExportFiles.Export.Ended.Response) {
    events.append(.exported(response))
  }

  package func presentFailure(response: Fail.Response) { events.append(.failure(response)) }
}

/// Records the texts that the presenter of ExportFiles makes.
package final class ExportFilesDisplaySpy: ExportFilesDisplayLogic {
  package private(set) var texts: [HintedText] = []

  package init() {}

  package func displayFields(viewModel: ExportFiles.ListFields.ViewModel) {
    texts += viewModel.fields.map { "\($0.name): \($0.value)" }
  }

  package func displayProgress(viewModel: Run.Progress.ViewModel) {}

  package func displayNote(viewModel: Run.Note.ViewModel) {
    texts.append(viewModel.text)
  }

  package func displayEnd(viewModel: Run.Ended.ViewModel) {
    texts.append(viewModel.text)
  }

  package func displayFailure(viewModel: Fail.ViewModel) { texts.append(viewModel.message) }
}

/// Returns the given facts of an export, and records the requests.
package final class FileExportingStub: FileExporting {
  package var plans: [FileExportPlan] { recorded.withLock { $0 } }
  private let recorded = Locked<[FileExportPlan]>([])
  private let facts: [FileExportFact]

  package init(_ facts: [FileExportFact] = []) { self.facts = facts }

  package func export(_ plan: FileExportPlan) -> FileExportRun {
    recorded.withLock { $0.append(plan) }
    let (stream, teller) = AsyncStream.makeStream(of: FileExportFact.self)
    for fact in facts { teller.yield(fact) }
    teller.finish()
    return FileExportRun(facts: stream, progress: Locked(FileExportCounts())) {}
  }
}

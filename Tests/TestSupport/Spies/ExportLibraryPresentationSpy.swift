package import Scenes

/// Records what the interactor of ExportLibrary presents.
package final class ExportLibraryPresentationSpy: ExportLibraryPresentationLogic {
  package enum Event: Equatable {
    case progress(ExportLibrary.ExportSite.Progress.Response)
    case damaged(ExportLibrary.ExportSite.Damaged.Response)
    case exported(ExportLibrary.ExportSite.Ended.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentExportProgress(response: ExportLibrary.ExportSite.Progress.Response) {
    events.append(.progress(response))
  }

  package func presentDamagedOriginal(response: ExportLibrary.ExportSite.Damaged.Response) {
    events.append(.damaged(response))
  }

  package func presentExportedSite(response: ExportLibrary.ExportSite.Ended.Response) {
    events.append(.exported(response))
  }

  package func presentFailure(response: Fail.Response) { events.append(.failure(response)) }
}

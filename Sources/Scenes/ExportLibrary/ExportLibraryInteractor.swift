package import Workers

/// The requests of the scene.
package protocol ExportLibraryBusinessLogic {
  func exportSite(request: ExportLibrary.ExportSite.Request) async
}

/// Exports the library as a static site.
package struct ExportLibraryInteractor: ExportLibraryBusinessLogic {
  private let presenter: any RunPresentationLogic<ExportLibrary.ExportSite>
  private let library: any LibraryReading
  private let exporter: any SiteExporting
  private let pause: Pause

  /// Creates the interactor; `pause` waits between two presentations of the progress.
  package init(
    presenter: any RunPresentationLogic<ExportLibrary.ExportSite>,
    library: any LibraryReading,
    exporter: any SiteExporting,
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.exporter = exporter
    self.pause = pause
  }

  package func exportSite(request: ExportLibrary.ExportSite.Request) async {
    do throws(RequestFailure) {
      _ = try await library.feeds(for: .export)
      try await presenter.follow(exporter.export(request.plan), stop: request.stop, pause) {
        fact throws(RequestFailure) in
        switch fact {
        case .damaged(let path): .note(.init(path: path))
        case .failed(let error): throw .site(error)
        case .ended(let counts, let isInterrupted):
          .end(
            .init(folder: request.plan.folder, counts: counts, isInterrupted: isInterrupted)
          )
        }
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }
}

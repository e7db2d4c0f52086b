package import Workers

/// The requests of the scene.
package protocol ExportLibraryBusinessLogic {
  func exportSite(request: ExportLibrary.ExportSite.Request) async
}

/// Exports the library as a static site.
package struct ExportLibraryInteractor: ExportLibraryBusinessLogic {
  private let presenter: any ExportLibraryPresentationLogic
  private let library: any LibraryReading
  private let exporter: any SiteExporting
  private let pause: Pause

  /// Creates the interactor; `pause` waits between two presentations of the progress.
  package init(
    presenter: any ExportLibraryPresentationLogic,
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
      try await follow(exporter.export(request.plan), request)
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  private func follow(
    _ run: SiteExportRun,
    _ request: ExportLibrary.ExportSite.Request
  ) async throws(RequestFailure) {
    request.stop.whenMade { run.stop() }
    for await fact in ticking(run.facts, pause) {
      switch fact {
      case nil:
        presenter.presentExportProgress(response: .init(counts: run.progress.snapshot))
      case .damaged(let path)?: presenter.presentDamagedOriginal(response: .init(path: path))
      case .failed(let error)?: throw .site(error)
      case .ended(let counts, let isInterrupted)?:
        return presenter.presentExportedSite(
          response: .init(
            folder: request.plan.folder,
            counts: counts,
            isInterrupted: isInterrupted
          )
        )
      }
    }
  }
}

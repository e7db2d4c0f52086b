import Models
package import Workers

/// The requests of the scene.
package protocol ExportFilesBusinessLogic {
  func exportFiles(request: ExportFiles.Export.Request) async
  func listFields()
}

/// Exports stored originals as files with names.
package struct ExportFilesInteractor: ExportFilesBusinessLogic {
  private let presenter: any ExportFilesPresentationLogic
  private let library: any LibraryReading
  private let exporter: any FileExporting
  private let folders: any LibraryManaging
  private let pause: Pause

  /// Creates the interactor; `pause` waits between two presentations of the progress.
  package init(
    presenter: any ExportFilesPresentationLogic,
    library: any LibraryReading,
    exporter: any FileExporting,
    folders: any LibraryManaging,
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.exporter = exporter
    self.folders = folders
    self.pause = pause
  }

  package func listFields() { presenter.presentFields(response: .init(fields: NameField.allCases)) }

  package func exportFiles(request: ExportFiles.Export.Request) async {
    do throws(RequestFailure) {
      var query = ImageQuery(search: request.search)
      let feeds = try await library.feeds(for: .export)
      if let place = request.place, let feed = feeds.first(where: place.isPath) {
        throw .site(.followed(path: request.folder, feed: feed.id))
      }
      if let feed = request.feed { try await library.narrow(&query, to: feed, for: .export) }
      let plan = FileExportPlan(
        folder: request.folder,
        query: query,
        template: request.template,
        sidecars: request.sidecars,
        access: request.isDryRun ? .looking : .making
      )
      try await follow(exporter.export(plan), request)
      try await remember(plan, request)
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// Starts or ends the export of each sync to the folder, if the request asks for that.
  private func remember(
    _ plan: FileExportPlan,
    _ request: ExportFiles.Export.Request
  ) async throws(RequestFailure) {
    guard let follow = request.follow else { return }
    do {
      guard follow.isWanted else { return try await folders.unfollow(folderAt: follow.path) }
      try await folders.follow(
        FollowedFolder(
          path: follow.path,
          query: plan.query,
          template: plan.template,
          sidecars: plan.sidecars
        )
      )
    } catch {
      throw .library(error, .export)
    }
  }

  private func follow(
    _ run: FileExportRun,
    _ request: ExportFiles.Export.Request
  ) async throws(RequestFailure) {
    var left = 0
    try await presenter.follow(run, stop: request.stop, pause) { fact throws(RequestFailure) in
      switch fact {
      case .planned(let id, let path): return .note(.planned(imageID: id, path: path))
      case .left(let file):
        left += 1
        return .note(.left(.init(folder: request.folder, file: file, number: left)))
      case .failed(let error): throw .site(error)
      case .ended(let counts, let isInterrupted):
        return .end(
          .init(
            folder: request.folder,
            counts: counts,
            isInterrupted: isInterrupted,
            isDryRun: request.isDryRun,
            isFollowed: request.follow?.isWanted,
            hasEndings: request.template.hasEnding
          )
        )
      }
    }
  }
}

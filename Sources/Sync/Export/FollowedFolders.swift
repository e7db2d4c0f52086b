package import Workers

/// Updates the folders to which each sync exports.
///
/// A missing folder, such as one on a disk that is not plugged in, is never made. One sync reports it; the next ones
/// are silent until it is back.
package struct FollowedFolders: Sendable {
  private let store: any LibraryManaging
  private let exporter: any FileExporting

  package init(store: any LibraryManaging, exporter: any FileExporting) {
    self.store = store
    self.exporter = exporter
  }

  func update(tell: (SyncNotice) -> Void) async {
    // If the library cannot be read, every feed of the sync has failed already.
    guard let folders = try? await store.followedFolders() else { return }
    for folder in folders where !Task.isCancelled { await update(folder, tell) }
  }

  private func update(_ folder: FollowedFolder, _ tell: (SyncNotice) -> Void) async {
    let run = exporter.export(
      FileExportPlan(
        folder: folder.path,
        query: folder.query,
        template: folder.template,
        sidecars: folder.sidecars,
        access: .following
      )
    )
    await withTaskCancellationHandler {
      for await fact in run.facts {
        switch fact {
        case .planned, .left: break
        case .ended(let counts, _):
          if folder.isMissing { await note(folder, isMissing: false) }
          if counts.written + counts.sidecars > 0 {
            tell(.exported(folder: folder.path, counts))
          }
        case .failed(.missing(let path)):
          if folder.isMissing { break }
          await note(folder, isMissing: true)
          tell(.notExported(.missing(path: path)))
        case .failed(let error): tell(.notExported(error))
        }
      }
    } onCancel: {
      run.stop()
    }
  }

  /// Notes whether a folder is missing; if that fails, the next sync reports it again.
  private func note(_ folder: FollowedFolder, isMissing: Bool) async {
    var folder = folder
    folder.isMissing = isMissing
    try? await store.follow(folder)
  }
}

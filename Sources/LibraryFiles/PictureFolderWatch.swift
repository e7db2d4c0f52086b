import Dispatch
import Glibc
package import Models
package import Workers

/// Watches the folders that are feeds.
package final class PictureFolderWatch: FolderWatching {
  private let whenChanged: @Sendable (WebAddress) -> Void
  private let folders = Locked<[WebAddress: WatchedFolder]>([:])

  /// - Parameter whenChanged: Called with a folder whose pictures may be others now.
  package init(whenChanged: @escaping @Sendable (WebAddress) -> Void) {
    self.whenChanged = whenChanged
  }

  deinit { for folder in folders.snapshot.values { folder.close() } }

  package func watch(_ folder: WebAddress) async -> FolderWatchStatus {
    guard let path = folder.filePath else { return .missing }
    let watched = folders.withLock { folders in
      if let known = folders[folder] { return known }
      let new = WatchedFolder(path) { [whenChanged] in whenChanged(folder) }
      folders[folder] = new
      return new
    }
    return await watched.check()
  }

  package func unwatch(_ folder: WebAddress) {
    folders.withLock { $0.removeValue(forKey: folder) }?.close()
  }
}

/// One folder that is a feed, with a queue of its own, because a disk or a network drive may hang.
private final class WatchedFolder: Sendable {
  private enum State: Sendable {
    case unwatched
    case watched(WatchedTree)
    /// It cannot be watched, for as long as its path names the same folder; nil for a drive, which is not asked again.
    case refused(FolderWatchProblem, FileIdentity?)
    case closed
  }

  private let path: String
  private let whenChanged: @Sendable () -> Void
  private let queue = DispatchQueue(label: "gallery.folder-watch")
  /// Only used in the queue.
  private let state = Locked(State.unwatched)

  init(_ path: String, whenChanged: @escaping @Sendable () -> Void) {
    (self.path, self.whenChanged) = (path, whenChanged)
  }

  /// Watches the folder, unless it is watched already.
  func check() async -> FolderWatchStatus {
    await withCheckedContinuation { waiting in
      queue.async { waiting.resume(returning: self.checkNow()) }
    }
  }

  func close() { queue.async { self.replace(with: .closed) } }

  private func checkNow() -> FolderWatchStatus {
    switch state.snapshot {
    // A drive that does not answer would also hang here.
    case .refused(let problem, nil): return .unwatched(problem)
    case .refused(let problem, let identity) where FileIdentity(path) == identity:
      return .unwatched(problem)
    // A disk may have been mounted there, or the path may lead somewhere else.
    case .watched(let tree) where FileIdentity(path) == tree.identity:
      return .watched(isNew: false)
    case .closed: return .missing
    case .unwatched, .refused, .watched: return begin()
    }
  }

  private func begin() -> FolderWatchStatus {
    do throws(FolderWatchProblem) {
      guard let tree = try WatchedTree(path) else {
        replace(with: .unwatched)
        return .missing
      }
      let inotify = tree.inotify
      replace(with: .watched(tree))
      inotify.listen(on: queue) { [weak self] events in self?.take(events, of: inotify) ?? false }
      return .watched(isNew: true)
    } catch {
      refuse(error)
      return .unwatched(error)
    }
  }

  private func refuse(_ problem: FolderWatchProblem) {
    if case .fileSystem = problem { return replace(with: .refused(problem, nil)) }
    let identity = FileIdentity(path)
    replace(with: identity == nil ? .unwatched : .refused(problem, identity))
  }

  private func replace(with new: State) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    if case .watched(let tree) = old { tree.stop() }
  }

  /// Follows changes; returns whether there may be more of them.
  private func take(_ events: [Inotify.Event], of inotify: Inotify) -> Bool {
    let old = state.withLock { state -> State in
      guard case .watched(let tree) = state, tree.inotify === inotify else { return .unwatched }
      // Only one copy of the tree may exist while it changes.
      defer { state = .unwatched }
      return state
    }
    guard case .watched(var tree) = consume old else { return false }
    var isChanged = false
    do throws(FolderWatchProblem) {
      for event in events where !tree.isLost {
        if try tree.take(event) { isChanged = true }
      }
      if !tree.isLost {
        state.withLock { $0 = .watched(tree) }
        if isChanged { whenChanged() }
        return true
      }
    } catch {
      refuse(error)
    }
    whenChanged()
    return false
  }
}

import Dispatch
import Glibc
package import Models
package import Workers

/// Watches the folders that are feeds.
package final class PictureFolderWatch: FolderWatching {
  private let whenChanged: @Sendable (WebAddress) -> Void
  private let retryInterval: Duration
  private let begin: TreeBeginning
  private let folders = Locked<[WebAddress: WatchedFolder]>([:])

  /// Begins to watch the folder at a path; nil when there is none.
  typealias TreeBeginning = @Sendable (_ path: String) throws(FolderWatchProblem) -> WatchedTree?

  /// - Parameter whenChanged: Called with a folder whose pictures may be others now.
  package convenience init(whenChanged: @escaping @Sendable (WebAddress) -> Void) {
    self.init(
      retryInterval: .seconds(600),
      begin: { (path) throws(FolderWatchProblem) in try WatchedTree(path) },
      whenChanged: whenChanged
    )
  }

  /// - Parameters:
  ///   - retryInterval: The time after which a folder that could not be watched is tried again.
  ///   - begin: Begins to watch a folder.
  ///   - whenChanged: Called with a folder whose pictures may be others now.
  init(
    retryInterval: Duration,
    begin: @escaping TreeBeginning,
    whenChanged: @escaping @Sendable (WebAddress) -> Void
  ) {
    (self.retryInterval, self.begin, self.whenChanged) = (retryInterval, begin, whenChanged)
  }

  deinit { for folder in folders.snapshot.values { folder.close() } }

  package func watch(_ folder: WebAddress) async -> FolderWatchStatus {
    guard let path = folder.filePath else { return .missing }
    let watched = folders.withLock { folders in
      if let known = folders[folder] { return known }
      let new = WatchedFolder(path, retryInterval, begin) { [whenChanged] in whenChanged(folder) }
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
    /// There is no such folder; the one above it, with this number, tells when its name is there.
    case awaited(Inotify, Int32)
    /// It cannot be watched, until its path names another folder or the time for another try has come; nil for a drive,
    /// which is not asked again.
    case refused(FolderWatchProblem, FileIdentity?, ContinuousClock.Instant)
    case closed
  }

  private let path: String
  private let retryInterval: Duration
  private let beginTree: PictureFolderWatch.TreeBeginning
  private let whenChanged: @Sendable () -> Void
  private let queue = DispatchQueue(label: "gallery.folder-watch")
  /// Only used in the queue.
  private let state = Locked(State.unwatched)

  init(
    _ path: String,
    _ retryInterval: Duration,
    _ begin: @escaping PictureFolderWatch.TreeBeginning,
    whenChanged: @escaping @Sendable () -> Void
  ) {
    (self.path, self.retryInterval, self.whenChanged) = (path, retryInterval, whenChanged)
    beginTree = begin
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
    case .refused(let problem, nil, _): return .unwatched(problem)
    // A limit may have been raised, or other programs may need less of it by now.
    case .refused(let problem, let identity, let next)
    where FileIdentity(path) == identity && ContinuousClock.now < next:
      return .unwatched(problem)
    // A disk may have been mounted there, or the path may lead somewhere else.
    case .watched(let tree) where FileIdentity(path) == tree.identity:
      return .watched(isNew: false)
    case .closed: return .missing
    case .unwatched, .refused, .watched, .awaited: return begin()
    }
  }

  private func begin() -> FolderWatchStatus {
    do throws(FolderWatchProblem) {
      var found = try beginTree(path)
      if found == nil {
        replace(with: awaited() ?? .unwatched)
        // It may have come before its name was awaited.
        found = try beginTree(path)
      }
      guard let tree = found else { return .missing }
      let inotify = tree.inotify
      replace(with: .watched(tree))
      inotify.listen(on: queue) { [weak self] events in self?.take(events, of: inotify) ?? false }
      return .watched(isNew: true)
    } catch {
      refuse(error)
      return .unwatched(error)
    }
  }

  /// Lets the folder above tell when the name of this one is there; nil when it cannot.
  private func awaited() -> State? {
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init) else { return nil }
    let above = "/" + parts.dropLast().joined(separator: "/")
    let descriptor = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    guard let inotify = try? Inotify(), let number = try? inotify.add(descriptor) else {
      return nil
    }
    inotify.listen(on: queue) { [weak self] events in
      self?.takeName(name, events, of: inotify) ?? false
    }
    return .awaited(inotify, number)
  }

  /// Tells that the name of the folder is there; returns whether it is still awaited.
  private func takeName(_ name: String, _ events: [Inotify.Event], of inotify: Inotify) -> Bool {
    guard case .awaited(let own, let number) = state.snapshot, own === inotify else { return false }
    if events.contains(where: { $0.name == name && $0.has(IN_CREATE | IN_MOVED_TO) }) {
      whenChanged()
    }
    guard events.contains(where: { $0.folder == number && $0.has(IN_IGNORED) }) else { return true }
    // The folder above is gone, and its number with it, so that no later event would end this.
    state.withLock { $0 = .unwatched }
    return false
  }

  private func refuse(_ problem: FolderWatchProblem) {
    let next = ContinuousClock.now + retryInterval
    if case .fileSystem = problem { return replace(with: .refused(problem, nil, next)) }
    let identity = FileIdentity(path)
    replace(with: identity == nil ? .unwatched : .refused(problem, identity, next))
  }

  private func replace(with new: State) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    switch old {
    case .watched(let tree): tree.stop()
    case .awaited(let inotify, let number): inotify.remove(number)
    case .unwatched, .refused, .closed: break
    }
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

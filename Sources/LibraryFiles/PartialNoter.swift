import Dispatch
import Workers

/// Flushes the bytes of an original and notes them, while more bytes arrive.
///
/// If the writer waited for each flush, the disk would be idle while bytes arrive, and the network while they are
/// flushed. One flush runs at a time. The next flush waits for it, and so does anything that changes the file or
/// removes the note. A failure is kept: the system reports it only once (fsync(2)), and the bytes that it affected must
/// not count as flushed later.
final class PartialNoter: Sendable {
  private struct State: Sendable {
    /// The flush to do next.
    var file: PartialFile?
    var kept: KeptOriginal?
    var isAtWork = false
    /// The number of bytes that the note counts.
    var noted = 0
    var failure: StoreError?
  }

  private let note: PartialNote
  private let queue = DispatchQueue(label: "gallery.partial")
  private let state: Locked<State>

  /// Takes the note, and the number of bytes that it already counts.
  init(_ note: PartialNote, noted: Int) {
    self.note = note
    state = Locked(State(noted: noted))
  }

  /// Begins to flush the content of a file, and to note it afterwards.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kept: The note to write; nil for bytes that cannot be resumed.
  /// - Throws: when an earlier flush has failed.
  func begin(_ file: PartialFile, noting kept: KeptOriginal?) throws(StoreError) {
    try settle()
    state.withLock { ($0.file, $0.kept, $0.isAtWork) = (file, kept, true) }
    // The work is in the state, not in the closure, so that the file and its lock are released when the work ends.
    queue.async { [self] in work() }
  }

  /// The number of bytes that are noted, after running work has ended.
  var noted: Int {
    wait()
    return state.withLock { $0.noted }
  }

  /// Waits until running work has ended.
  func wait() { queue.sync {} }

  /// Waits until running work has ended; throws when any of it has failed.
  func settle() throws(StoreError) {
    wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  var isAtWork: Bool { state.withLock { $0.isAtWork } }

  private func work() {
    defer { state.withLock { $0.isAtWork = false } }
    let (file, kept) = state.withLock { ($0.file.take(), $0.kept.take()) }
    guard let file else { return }
    do throws(StoreError) {
      guard file.isAtItsPath else { return }
      try file.sync()
      guard let kept else { return }
      try note.write(kept)
      state.withLock { $0.noted = kept.length }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}

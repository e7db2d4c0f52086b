import Dispatch
import Workers

/// Brings what has arrived of an original to the disk and notes it, while more arrives.
///
/// Waited for on the way, the disk would be idle while bytes come, and the network while they are
/// written. One thing is under way at a time: the next one waits for it, and so does whoever changes
/// the file or takes away the note. A failure stays: the system tells it once (fsync(2)), and what it
/// told of must not count as being on the disk at the end.
final class PartialNoter: Sendable {
  private struct State: Sendable {
    /// What is to be done next.
    var file: PartialFile?
    var kept: KeptOriginal?
    var isAtWork = false
    /// How many bytes the note tells of.
    var noted = 0
    var failure: StoreError?
  }

  private let note: PartialNote
  private let queue = DispatchQueue(label: "gallery.partial")
  private let state: Locked<State>

  /// Takes the note, and how many bytes it tells of already.
  init(_ note: PartialNote, noted: Int) {
    self.note = note
    state = Locked(State(noted: noted))
  }

  /// Begins to bring to the disk what is in a file, and to note it then.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kept: What to note; nil for bytes that cannot be gone on from.
  /// - Throws: when what was begun before has failed.
  func begin(_ file: PartialFile, noting kept: KeptOriginal?) throws(StoreError) {
    try settle()
    state.withLock { ($0.file, $0.kept, $0.isAtWork) = (file, kept, true) }
    // What is to be done is in the state, not in the closure: with the end of the work the file is let
    // go of, and with it its lock.
    queue.async { [self] in work() }
  }

  /// How many bytes are noted, once nothing is under way any more.
  var noted: Int {
    wait()
    return state.withLock { $0.noted }
  }

  /// Waits until nothing is under way any more.
  func wait() { queue.sync {} }

  /// Waits until nothing is under way any more; throws when anything that was begun has failed.
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

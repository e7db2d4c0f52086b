import Models
import PictureFiles
import Web
import Workers

/// What removes the places from originals, remembered by their hashes, so that a file is searched once.
final class PlaceRemovals: Sendable {
  private typealias Found = Result<PlaceRemoval, PlaceRemoval.Refusal>

  private struct State {
    /// With the file that was searched: another one with the same hash may be repaired.
    var found: [String: (file: FileIdentity, result: Found)] = [:]
    /// About the bytes that all of them take in memory.
    var bytes = 0
  }

  private let state = Locked(State())

  /// What removes the place from an original whose file was searched before; nil for others.
  ///
  /// - Throws: A problem that says why the original is not sent.
  func known(for file: OpenFile, _ original: StoredOriginal) throws(WebProblem) -> PlaceRemoval? {
    guard let found = state.withLock({ $0.found[original.sha256] }), found.file == file.identity
    else { return nil }
    return try Self.removal(found.result)
  }

  /// Searches an original, whose file is open; throws a problem that says why it is not sent.
  func removal(from file: OpenFile, _ original: StoredOriginal) async throws -> PlaceRemoval {
    let found: Found
    do {
      found = .success(try await file.placeRemoval(length: original.info.bytes))
    } catch let refusal as PlaceRemoval.Refusal {
      found = .failure(refusal)
    }
    remember(found, of: file, original.sha256)
    return try Self.removal(found)
  }

  private func remember(_ found: Found, of file: OpenFile, _ hash: String) {
    let size = Limits.keptHeadBytes + ((try? found.get())?.size ?? 0)
    state.withLock { state in
      // To search again costs less than to note what was used last.
      if state.bytes + size > Limits.removalBytes { state = State() }
      let former = state.found.updateValue((file.identity, found), forKey: hash)
      if former == nil { state.bytes += size }
    }
  }

  private static func removal(_ found: Found) throws(WebProblem) -> PlaceRemoval {
    let reason: String
    switch found {
    case .success(let removal): return removal
    case .failure(.kind(let noun)): reason = "which it cannot remove from \(noun)"
    case .failure(.notUnderstood): reason = "and does not understand all of this one"
    }
    throw .forbidden(
      "this server sends originals without the places where they were taken, \(reason)"
    )
  }
}

import Models
import PictureFiles
import Web
import Workers

/// What removes the places from originals, remembered by their hashes, so that a file is searched once.
final class PlaceRemovals: Sendable {
  private typealias Found = Result<PlaceRemoval, PlaceRemoval.Refusal>

  private struct State {
    /// With the file that was searched: another one with the same hash may be repaired.
    var found: [String: (file: FileIdentity, result: Found, bytes: Int)] = [:]
    /// About the bytes that all of them take in memory.
    var bytes = 0

    /// Notes a result in the place of a former one; one that alone takes too many bytes is not noted.
    mutating func note(_ result: Found, of file: FileIdentity, _ hash: String) {
      let size = Limits.keptHeadBytes + ((try? result.get())?.size ?? 0)
      if let former = found.removeValue(forKey: hash) { bytes -= former.bytes }
      guard size <= Limits.removalBytes else { return }
      // To search again costs less than to note what was used last.
      if bytes + size > Limits.removalBytes { self = State() }
      found[hash] = (file, result, size)
      bytes += size
    }
  }

  private let state = Locked(State())

  /// What removes the place from an original whose file was searched before; nil for others.
  ///
  /// - Throws: A problem that says why the original is not sent.
  func known(for file: OpenFile, _ original: StoredOriginal) throws(WebProblem) -> PlaceRemoval? {
    guard let found = state.withLock({ $0.found[original.sha256] }), found.file == file.identity
    else { return nil }
    return try Self.removal(found.result, of: original.sha256)
  }

  /// Searches an original, whose file is open; throws a problem that says why it is not sent.
  func removal(from file: OpenFile, _ original: StoredOriginal) async throws -> PlaceRemoval {
    let found: Found
    do {
      found = .success(try await file.placeRemoval(length: original.info.bytes))
    } catch let refusal as PlaceRemoval.Refusal {
      found = .failure(refusal)
    }
    state.withLock { $0.note(found, of: file.identity, original.sha256) }
    return try Self.removal(found, of: original.sha256)
  }

  private static func removal(
    _ found: Found,
    of hash: String
  ) throws(WebProblem) -> PlaceRemoval {
    let reason: String
    switch found {
    case .success(let removal): return removal
    case .failure(.kind(let noun)): reason = "which it cannot remove from \(noun)"
    case .failure(.notUnderstood): reason = "and does not understand all of this one"
    }
    var problem = WebProblem.forbidden(
      "this server sends originals without the places where they were taken, \(reason)"
    )
    problem.entityTag = "\"\(hash)\(GalleryAddress.tagWithoutPlace)\""
    throw problem
  }
}

import Models
import Workers

/// The records of a library in memory.
final class FakeObjectRecords: ObjectRecording {
  struct State: Sendable {
    var originals: [ObjectOriginal] = []
    var put: Set<SHA256Digest> = []
    /// The originals that images lack.
    var lost: Set<SHA256Digest> = []
    var packs: Set<SHA256Digest> = []
  }

  let state: Locked<State>

  init(_ originals: [ObjectOriginal]) { state = Locked(State(originals: originals)) }

  func version() -> LibraryVersion { LibraryVersion(library: "a library", epoch: 1, number: 1) }

  func originalsToPut(after id: Int64, limit: Int) async throws(StoreError) -> [ObjectOriginal] {
    state.withLock { state in
      Array(
        state.originals.filter { $0.id > id && !state.put.contains($0.hash) }.prefix(limit)
      )
    }
  }

  func notePut(_ hash: SHA256Digest, in store: String) async throws(StoreError) {
    state.withLock { _ = $0.put.insert(hash) }
  }

  func putOriginals(after hash: SHA256Digest?, limit: Int) async throws(StoreError)
    -> [ObjectOriginal]
  {
    state.withLock { state in
      let put = state.originals.filter { state.put.contains($0.hash) }
        .sorted { $0.hash.hexadecimal < $1.hash.hexadecimal }
      return Array(put.filter { $0.hash.hexadecimal > hash?.hexadecimal ?? "" }.prefix(limit))
    }
  }

  func forgetPut(_ hash: SHA256Digest) async throws(StoreError) {
    state.withLock { state in
      state.put.remove(hash)
      if state.originals.contains(where: { $0.hash == hash && $0.isAway }) {
        state.lost.insert(hash)
      }
    }
  }

  func lostOriginals(after hash: SHA256Digest?, limit: Int) async throws(StoreError)
    -> [ObjectOriginal]
  {
    state.withLock { state in
      let lost = state.originals.filter { state.lost.contains($0.hash) }
        .sorted { $0.hash.hexadecimal < $1.hash.hexadecimal }
      return Array(lost.filter { $0.hash.hexadecimal > hash?.hexadecimal ?? "" }.prefix(limit))
    }
  }

  func noteFound(_ original: ObjectOriginal, in store: String) async throws(StoreError) {
    state.withLock { state in
      state.put.insert(original.hash)
      state.lost.remove(original.hash)
    }
  }

  func unknown(
    _ hashes: [SHA256Digest],
    _ kind: ObjectKind
  ) async throws(StoreError) -> [SHA256Digest] {
    state.withLock { state in
      hashes.filter { hash in
        kind == .pack
          ? !state.packs.contains(hash) : !state.originals.contains { $0.hash == hash }
      }
    }
  }

  func packThumbnails() async throws(StoreError) -> PackedThumbnails { PackedThumbnails() }

  func compactPacks() async throws(StoreError) {}

  func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? { nil }

  func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? { nil }
}

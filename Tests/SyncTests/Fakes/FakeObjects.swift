import Foundation
import Models
import Workers

/// An object store in memory, whose clock stands still.
final class FakeObjects: ObjectStoring {
  struct State: Sendable {
    var objects: [SHA256Digest: StoredObject] = [:]
    var library: String?
    /// What is asked of it, in order.
    var asked: [String] = []
    /// Why it does nothing.
    var failure: StoreError?
    /// What happens before an object is deleted.
    var whenDeleting: (@Sendable (SHA256Digest) -> Void)?
  }

  static let now = Date(timeIntervalSince1970: 1_000_000)

  let name = "s3://photos"
  let reach = NetworkReach.anywhere
  let state = Locked(State())

  private func asked(_ what: String) throws(StoreError) {
    let failure = state.withLock { state in
      state.asked.append(what)
      return state.failure
    }
    if let failure { throw failure }
  }

  func put(_ original: ObjectOriginal) async throws(StoreError) {
    try asked("put \(original.id)")
    state.withLock {
      $0.objects[original.hash] = StoredObject(
        hash: original.hash,
        bytes: original.bytes,
        changed: Self.now
      )
    }
  }

  func address(of hash: SHA256Digest, for time: Duration) throws(StoreError) -> WebAddress {
    guard let address = WebAddress("https://s3.example/\(hash.hexadecimal)?X-Amz-Signature=a")
    else { throw StoreError(reason: .noCredentials, path: name, message: "") }
    return address
  }

  /// Pages of two.
  func objects(behind marker: String?) async throws(StoreError) -> ObjectPage {
    try asked("list")
    let all = state.withLock { $0.objects.values }.sorted {
      $0.hash.hexadecimal < $1.hash.hexadecimal
    }
    let rest = all.drop { $0.hash.hexadecimal <= marker ?? "" }
    let page = Array(rest.prefix(2))
    return ObjectPage(
      objects: page,
      next: rest.count > 2 ? page.last?.hash.hexadecimal : nil
    )
  }

  func length(of hash: SHA256Digest) async throws(StoreError) -> Int? {
    try asked("length")
    return state.withLock { $0.objects[hash]?.bytes }
  }

  func delete(_ hash: SHA256Digest) async throws(StoreError) {
    try asked("delete")
    state.withLock { $0.whenDeleting }?(hash)
    state.withLock { $0.objects[hash] = nil }
  }

  func claim(for library: String) async throws(StoreError) {
    try asked("claim")
    let other = state.withLock { state in
      state.library = state.library ?? library
      return state.library
    }
    if other != library { throw StoreError(reason: .otherLibrary, path: name, message: "") }
  }
}

/// The records of a library in memory.
final class FakeObjectRecords: ObjectRecording {
  struct State: Sendable {
    var originals: [ObjectOriginal] = []
    var put: Set<SHA256Digest> = []
  }

  let state: Locked<State>

  init(_ originals: [ObjectOriginal]) { state = Locked(State(originals: originals)) }

  func libraryID() async throws(StoreError) -> String { "a library" }

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
    state.withLock { _ = $0.put.remove(hash) }
  }

  func unknown(_ hashes: [SHA256Digest]) async throws(StoreError) -> [SHA256Digest] {
    state.withLock { state in
      hashes.filter { hash in !state.originals.contains { $0.hash == hash } }
    }
  }

  func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? { nil }

  func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? { nil }
}

package import Foundation
package import Models
package import Workers

/// An object store in memory, whose clock does not advance.
package final class FakeObjects: ObjectStoring {
  package struct State: Sendable {
    package var objects: [SHA256Digest: StoredObject] = [:]
    package var packs: [SHA256Digest: [UInt8]] = [:]
    package var library: String?
    /// The requests, in order.
    package var asked: [String] = []
    /// The error of every request; nil if requests succeed.
    package var failure: StoreError?
    /// Whether every list is empty, whatever the store has.
    package var hidesObjects = false
    /// Whether lists go on for ever: nil for a list that ends.
    package var endlessMarkers: (@Sendable (String?) -> String)?
    /// Whether the second page, the last one, has the objects of the first.
    package var repeatsLastPage = false
    /// The time of the store, which its lists tell; nil when they do not.
    package var date: Date?
    /// Called before an object is deleted.
    package var whenDeleting: (@Sendable (SHA256Digest) -> Void)?
  }

  package static let now = Date(timeIntervalSince1970: 1_000_000)

  package let name = "s3://photos"
  package let reach = NetworkReach.anywhere
  package let state = Locked(State())

  package init() {}

  private func asked(_ what: String) throws(StoreError) {
    let failure = state.withLock { state in
      state.asked.append(what)
      return state.failure
    }
    if let failure { throw failure }
  }

  package func put(_ original: ObjectOriginal) async throws(StoreError) {
    try asked("put \(original.id)")
    state.withLock {
      $0.objects[original.hash] = StoredObject(
        hash: original.hash,
        bytes: original.bytes,
        changed: Self.now
      )
    }
  }

  package func put(_ pack: ObjectPack) async throws(StoreError) {
    try asked("put pack")
    let bytes = FileManager.default.contents(atPath: pack.path) ?? Data()
    state.withLock {
      $0.packs[pack.hash] = [UInt8](bytes)
    }
  }

  package func bytes(
    ofPack hash: SHA256Digest,
    in range: Range<Int>
  ) async throws(StoreError) -> [UInt8]? {
    try asked("read \(range)")
    return state.withLock { $0.packs[hash].map { Array($0[range.clamped(to: 0..<$0.count)]) } }
  }

  package func address(of hash: SHA256Digest, for time: Duration) throws(StoreError) -> WebAddress {
    guard let address = WebAddress("https://s3.example/\(hash.hexadecimal)?X-Amz-Signature=a")
    else { throw StoreError(reason: .noCredentials, path: name, message: "") }
    return address
  }

  /// Returns pages of two objects.
  package func objects(
    _ kind: ObjectKind,
    behind marker: String?
  ) async throws(StoreError) -> ObjectPage {
    try asked("list \(kind)s")
    let (isHiding, endless) = state.withLock { ($0.hidesObjects, $0.endlessMarkers) }
    let isRepeating = state.withLock { $0.repeatsLastPage } && marker != nil
    if isHiding { return ObjectPage(objects: [], next: nil) }
    if let endless { return ObjectPage(objects: [], next: endless(marker)) }
    let objects = state.withLock { state in
      kind == .original
        ? Array(state.objects.values)
        : state.packs.map { StoredObject(hash: $0, bytes: $1.count, changed: Self.now) }
    }
    let all = objects.sorted { $0.hash.hexadecimal < $1.hash.hexadecimal }
    let rest = isRepeating ? all.prefix(2) : all.drop { $0.hash.hexadecimal <= marker ?? "" }
    let page = Array(rest.prefix(2))
    return ObjectPage(
      objects: page,
      next: rest.count > 2 ? page.last?.hash.hexadecimal : nil,
      date: state.withLock { $0.date }
    )
  }

  package func length(of hash: SHA256Digest) async throws(StoreError) -> Int? {
    try asked("length")
    return state.withLock { $0.objects[hash]?.bytes }
  }

  package func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError) {
    try asked("delete")
    state.withLock { $0.whenDeleting }?(hash)
    state.withLock { state in
      if kind == .pack { state.packs[hash] = nil } else { state.objects[hash] = nil }
    }
  }

  package func claim(for library: String) async throws(StoreError) {
    try asked("claim")
    let other = state.withLock { state in
      state.library = state.library ?? library
      return state.library
    }
    if other != library { throw StoreError(reason: .otherLibrary, path: name, message: "") }
  }

  package func owner() async throws(StoreError) -> String? {
    try asked("owner")
    return state.withLock { $0.library }
  }
}

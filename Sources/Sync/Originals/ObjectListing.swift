import Models
import Workers

/// The pages of a list of objects, which a store cannot make endless.
struct ObjectPages {
  /// The most pages in a row without an object of the library, enough for ten million others.
  private static let most = 10_000

  private let objects: any ObjectStoring
  private let kind: ObjectKind
  private var marker: String?
  /// The pages since the last object of the library.
  private var count = 0
  private var last = ""
  private var isAtEnd = false

  init(_ objects: any ObjectStoring, _ kind: ObjectKind) {
    (self.objects, self.kind) = (objects, kind)
  }

  /// The next page; nil at the end.
  ///
  /// - Throws: when the list does not advance, or has too many pages.
  mutating func next() async throws(StoreError) -> ObjectPage? {
    if isAtEnd { return nil }
    let page = try await objects.objects(kind, behind: marker)
    count += 1
    isAtEnd = page.next == nil
    let isAhead = page.objects.first.map { last < $0.hash.hexadecimal } ?? true
    let goesOn = isAtEnd || isBehindMarker(page.next ?? "") && count < Self.most
    guard isAhead, goesOn else {
      let message = "its list of objects does not end"
      throw StoreError(reason: .objectsUnreachable, path: objects.name, message: message)
    }
    (marker, last) = (page.next, page.objects.last?.hash.hexadecimal ?? last)
    return page
  }

  /// Whether a marker follows the last one in the order of a store, that of bytes.
  private func isBehindMarker(_ next: String) -> Bool {
    (marker ?? "").utf8.lexicographicallyPrecedes(next.utf8)
  }

  /// Notes that the last page has an object of the library.
  mutating func noteKnown() { count = 0 }
}

/// The objects of a store in the order of their hashes, read a page at a time.
struct ObjectListing {
  private var pages: ObjectPages
  private var page = ArraySlice<StoredObject>()

  init(_ objects: any ObjectStoring) { pages = ObjectPages(objects, .original) }

  /// The length of an object; nil if it is missing.
  ///
  /// Its hash has to follow the hashes that were asked for before.
  mutating func length(of hash: SHA256Digest) async throws(StoreError) -> Int? {
    let digits = hash.hexadecimal
    while true {
      while let object = page.first, object.hash.hexadecimal <= digits {
        page.removeFirst()
        if object.hash == hash {
          pages.noteKnown()
          return object.bytes
        }
      }
      guard page.isEmpty, let next = try await pages.next() else { return nil }
      page = next.objects[...]
    }
  }
}

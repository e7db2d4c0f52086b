import Foundation
import GalleryLibrary
import TestSupport
import Testing

struct ImageLibraryTests {
  private let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  // MARK: Images

  @Test func `pages of images follow each other in the order of the query`() async throws {
    let library = try await bench.syncedLibrary()
    var titles: [[String?]] = []
    var query: ImageQuery? = ImageQuery(order: .newest, limit: 2)
    while let wanted = query {
      let page = try await library.images(matching: wanted)
      titles.append(page.images.map(\.title))
      query = page.next
    }

    #expect(titles == [["The moon", "The sun"], ["The stars"]])
    let all = try await library.images(matching: ImageQuery(order: .title))
    #expect(all.images.map(\.title) == ["The moon", "The stars", "The sun"])
    #expect(all.next == nil)
  }

  @Test func `a query filters by feed, words, pins and stored originals`() async throws {
    let library = try await bench.syncedLibrary()
    func titles(_ change: (inout ImageQuery) -> Void) async throws(LibraryError) -> [String?] {
      var query = ImageQuery()
      change(&query)
      return try await library.images(matching: query).images.map(\.title)
    }
    let moon = try #require(try await library.images().images.first)
    try await library.pin([moon.id])

    #expect(try await titles { $0.search = "st" } == ["The stars"])
    #expect(try await titles { $0.search = "?" } == [])
    #expect(try await titles { $0.isPinned = true } == ["The moon"])
    #expect(try await titles { $0.hasOriginal = true } == [])
    #expect(try await titles { $0.feed = "night sky" }.count == 3)
    #expect(try await titles { $0.shape = .landscape }.count == 3)
    #expect(try await titles { $0.shape = .portrait } == [])
    #expect(try await titles { $0.order = .taken } == ["The moon", "The sun", "The stars"])
    #expect(try await titles { $0.search = "camera:nosuchcamera" } == [])
    #expect(try await titles { $0.since = Date(timeIntervalSince1970: 1e11) } == [])
  }

  @Test func `a query that cannot be right is refused with its reason`() async throws {
    let library = try await bench.syncedLibrary()
    func reason(_ change: (inout ImageQuery) -> Void) async -> LibraryError.Kind? {
      var query = ImageQuery()
      change(&query)
      let wanted = query
      return await refusal { () throws(LibraryError) in
        _ = try await library.images(matching: wanted)
      }?.kind
    }

    #expect(await reason { $0.feed = "nothing" } == .noSuchFeed)
    #expect(await reason { $0.feed = "" } == .unusableAddress)
    #expect(await reason { $0.feed = "-" } == .unusableAddress)
    #expect(await reason { $0.after = "x" } == .unusableCursor)
    let words = (0..<10_000).map { "word\($0)" }.joined(separator: " ")
    #expect(await reason { $0.search = words } == .unusableSearch)
  }

  @Test func `an image tells what its feed says, and a pin`() async throws {
    let library = try await bench.syncedLibrary()
    let listed = try #require(try await library.images().images.first)
    try await library.pin([listed.id])
    let image = try #require(try await library.image(listed.id))

    #expect(image.title == "The moon")
    #expect(image.feedTitle == "Night sky")
    #expect((image.width, image.height) == (400, 300))
    #expect(image.published == Date(timeIntervalSince1970: 1_773_043_200))
    #expect(image.hasThumbnail)
    #expect(image.original == nil)
    #expect(image.isPinned && !listed.isPinned)
    try await library.unpin([listed.id])
    #expect(try await library.image(listed.id)?.isPinned == false)
  }

  @Test func `pinning tells of an image that is missing, and pins the others`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)

    let error = await refusal { () throws(LibraryError) in
      try await library.pin([image.id, 999])
    }

    #expect(error?.kind == .noSuchImage)
    #expect(error?.description == "cannot pin '999': no such image")
    #expect(try await library.image(image.id)?.isPinned == true)
  }

  // MARK: Thumbnails

  @Test func `a thumbnail has the bytes that its server sent`() async throws {
    let library = try await bench.syncedLibrary()
    for (image, name) in zip(try await library.images().images, LibraryBench.names) {
      let thumbnail = try #require(try await library.thumbnail(image.id))
      #expect(thumbnail.bytes == LibraryBench.thumbnail(name))
      #expect(thumbnail.mediaType == "image/jpeg")
      #expect((thumbnail.width, thumbnail.height) == (200, 150))
    }
    let error = await refusal { () throws(LibraryError) in _ = try await library.thumbnail(999) }
    #expect(error?.kind == .noSuchImage)
  }

  @Test func `an image without a thumbnail has none until a sync brings one`() async throws {
    let library = try await bench.syncedLibrary(.documentsOnly)
    let image = try #require(try await library.images().images.first)

    #expect(!image.hasThumbnail)
    #expect(try await library.thumbnail(image.id) == nil)
  }

  @Test func `a thumbnail that has to be made names the decoder that is missing`() async throws {
    let bench = try LibraryBench(hasThumbnails: false)
    let library = try await bench.library(decoder: "/nowhere/gallery-decoder")
    var problems: [LibrarySync.Problem] = []
    for try await event in library.sync([bench.feed]) {
      if case .problem(let problem) = event { problems.append(problem) }
    }
    let image = try #require(try await library.images().images.first)
    for try await _ in library.original(image.id) {}

    let missing = LibraryError.Kind.noDecoder(lookedAt: ["/nowhere/gallery-decoder"])
    #expect(problems.map(\.error.kind) == [missing])
    #expect(problems.map(\.subject) == [.thumbnail])
    let error = await refusal { () throws(LibraryError) in
      _ = try await library.thumbnail(image.id)
    }
    #expect(error?.kind == missing)
    #expect(error?.description.contains("/nowhere/gallery-decoder") == true)
    let other = try await bench.library()
    #expect(try await other.thumbnail(image.id) != nil)
    withExtendedLifetime(bench) {}
  }

  // MARK: Changes

  @Test func `changes go on from the page before`() async throws {
    let library = try await bench.syncedLibrary()
    var (seen, cursor): ([LibraryChanges.Change], String?) = ([], nil)
    var hasMore = true
    while hasMore {
      let page = try await library.changes(since: cursor, limit: 2)
      seen += page.changes
      (cursor, hasMore) = (page.cursor, page.hasMore)
    }
    let images = try await library.images().images.map(\.id)
    #expect(Set(seen.filter { $0.kind == .image }.map(\.id)) == Set(images))
    #expect(seen.contains { $0.kind == .feed } && seen.allSatisfy { !$0.isRemoval })
    #expect(try await library.changes(since: cursor).changes == [])

    try await library.pin([images[0]])
    let pinned = try await library.changes(since: cursor)
    #expect(pinned.changes.filter { $0.kind == .pin }.map(\.id) == [images[0]])
    let feed = try #require(try await library.feeds().first)
    try await library.remove(feed.id)
    let removed = try await library.changes(since: pinned.cursor).changes
    #expect(removed.contains { $0.kind == .feed && $0.id == feed.id && $0.isRemoval })
    let gone = removed.filter { $0.kind == .image && $0.isRemoval }.map(\.id)
    #expect(Set(gone) == Set(images))
  }

  @Test func `the end of a page of another library, or of none, is refused`() async throws {
    let library = try await bench.syncedLibrary()
    let others = try LibraryBench()
    let other = try await others.syncedLibrary().changes().cursor
    withExtendedLifetime(others) {}
    func reason(since cursor: String) async -> LibraryError.Kind? {
      await refusal { () throws(LibraryError) in
        _ = try await library.changes(since: cursor)
      }?.kind
    }

    #expect(await reason(since: other) == .outdatedCursor)
    #expect(await reason(since: "") == .unusableCursor)
    #expect(await reason(since: "next") == .unusableCursor)
  }

  @Test func `a library in PostgreSQL does the same`() async throws {
    let server = try PostgresServer.shared.get()
    let schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    let library = try await bench.library(at: server.address(schema: schema))
    for try await _ in library.sync([bench.feed]) {}
    let image = try #require(try await library.images().images.first)
    var file: PictureFile?
    for try await event in library.original(image.id) {
      if case .file(let arrived) = event { file = arrived }
    }

    #expect(image.title == "The moon")
    #expect(try await library.thumbnail(image.id)?.bytes == LibraryBench.thumbnail("moon"))
    #expect(file?.path.hasPrefix(bench.folder.path) == true)
    #expect(try await library.changes().changes.filter { $0.kind == .image }.count == 3)
  }
}

extension LibrarySync.Options {
  static var documentsOnly: Self {
    var options = Self()
    options.fetchesThumbnails = false
    return options
  }
}

import Foundation
import GalleryLibrary
import TestSupport
import Testing

struct FetchingTests {
  private let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  // MARK: Originals

  @Test func `an original arrives with its progress, and its file comes last`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)

    let events = try await Array(library.original(image.id))

    let file = try #require(events.compactMap(\.file).first)
    #expect(events.last == .file(file))
    let photograph = LibraryBench.photograph("moon")
    #expect(try Array(Data(contentsOf: URL(filePath: file.path))) == photograph)
    #expect((file.mediaType, file.bytes) == ("image/jpeg", photograph.count))
    #expect((file.width, file.height, file.isOutdated) == (400, 300, false))
    #expect(events.dropLast().allSatisfy { if case .progress = $0 { true } else { false } })
    #expect(try await library.image(image.id)?.original == file)
    #expect(try await library.images().images.first?.original == file)
  }

  @Test func `a stored original is not asked for again`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    for try await _ in library.original(image.id) {}

    let events = try await Array(library.original(image.id))

    #expect(events.count == 1)
    #expect(bench.targets.filter { $0 == "/moon.jpg" }.count == 1)
  }

  @Test func `an original that its server does not have tells the status`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    bench.lose("/moon.jpg")

    let error = await refusal { () throws(LibraryError) in
      for try await _ in library.original(image.id) {}
    }
    let unknown = await refusal { () throws(LibraryError) in
      for try await _ in library.original(999) {}
    }

    #expect(error?.kind == .status(404))
    #expect(error?.description == "the server answered 404 (not found)")
    #expect(unknown?.kind == .noSuchImage)
  }

  @Test func `a cancelled fetch stores nothing, and the next one the whole`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    let gate = bench.hold("/moon.jpg")
    let task = Task {
      await refusal { () throws(LibraryError) in
        for try await _ in library.original(image.id) {}
      }
    }
    await bench.asked(for: "/moon.jpg")
    task.cancel()
    let error = await task.value

    #expect(error?.kind == .cancelled)
    #expect(try await library.image(image.id)?.original == nil)
    gate.open()
    for try await _ in library.original(image.id) {}
    #expect(try await library.image(image.id)?.original != nil)
  }

  @Test func `an iteration that has ended stays ended`() async throws {
    let library = try await bench.syncedLibrary()
    var iterator = library.original(999).makeAsyncIterator()

    await #expect(throws: LibraryError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  // MARK: Syncs

  @Test func `a sync tells the result of each feed`() async throws {
    let library = try await bench.library()
    var results: [LibrarySync.FeedResult] = []
    for try await event in library.sync([bench.feed]) {
      if case .feed(let result) = event { results.append(result) }
    }

    let result = try #require(results.first)
    #expect(results.count == 1 && !result.hasFailed)
    #expect((result.newImages, result.storedThumbnails) == (3, 3))
    #expect(result.newIDs.map(\.count).reduce(0, +) == 3)
    #expect(result.feed == (try await library.feeds().first))
    #expect(result.feed?.title == "Night sky" && result.feed?.imageCount == 3)
  }

  @Test func `a sync of all feeds of an empty library ends at once`() async throws {
    let library = try await bench.library()
    let events = try await Array(library.sync())
    #expect(events == [])
  }

  @Test func `a sync of all feeds asks for those that are followed`() async throws {
    let library = try await bench.syncedLibrary(.documentsOnly)
    var options = LibrarySync.Options()
    options.fetchesOriginals = true
    for try await _ in library.sync(options: options) {}

    #expect(try await library.images().images.allSatisfy { $0.hasThumbnail && $0.original != nil })
  }

  @Test func `a picture that fails is a problem, and the others are stored`() async throws {
    bench.lose("/sun-small.jpg")
    bench.lose("/sun.jpg")
    let library = try await bench.library()
    var problems: [LibrarySync.Problem] = []
    for try await event in library.sync([bench.feed]) {
      if case .problem(let problem) = event { problems.append(problem) }
    }

    #expect(Set(problems.map(\.error.kind)) == [.status(404)])
    #expect(problems.contains { $0.address == bench.address("/sun-small.jpg") })
    #expect(try await library.images().images.map(\.hasThumbnail) == [true, false, true])
  }

  @Test(arguments: ["", "-", "htps://example.org/feed", "ftp://example.org/feed"])
  func `a feed that cannot be asked for fails the whole sync`(feed: String) async throws {
    let library = try await bench.library()
    let error = await refusal { () throws(LibraryError) in
      for try await _ in library.sync([feed]) {}
    }
    #expect(error?.kind == .unusableAddress)
  }

  @Test(arguments: [("none.xml", LibraryError.Kind.network), ("empty", .unreadableDocument)])
  func `a path without a feed is a problem`(name: String, kind: LibraryError.Kind) async throws {
    let folder = "\(bench.folder.path)/empty"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var problems: [LibrarySync.Problem] = []
    for try await event in try await bench.library().sync(["\(bench.folder.path)/\(name)"]) {
      if case .problem(let problem) = event { problems.append(problem) }
    }

    #expect(problems.map(\.error.kind) == [kind])
    #expect(problems.map(\.subject) == [.feed])
  }

  @Test func `a cancelled sync stores whole pictures only`() async throws {
    let gate = bench.hold("/sun-small.jpg")
    let library = try await bench.library()
    let task = Task { [feed = bench.feed] in
      await refusal { () throws(LibraryError) in for try await _ in library.sync([feed]) {} }
    }
    await bench.asked(for: "/sun-small.jpg")
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    for (image, name) in zip(try await library.images().images, LibraryBench.names) {
      let bytes = try await library.thumbnail(image.id)?.bytes
      #expect(bytes == nil || bytes == LibraryBench.thumbnail(name))
    }
    gate.open()

    for try await _ in library.sync([bench.feed]) {}
    #expect(try await library.images().images.map(\.hasThumbnail) == [true, true, true])
  }

  @Test func `leaving the loop stops the sync, and closing waits for it`() async throws {
    let gate = bench.hold("/sun-small.jpg")
    defer { gate.open() }
    let library = try await bench.library()
    for try await _ in library.sync([bench.feed])
    where bench.targets.contains("/sun-small.jpg") { break }

    // The site still holds the thumbnail back; only a sync that was stopped lets go of the lock of the feed.
    func documents() -> Int { bench.targets.filter { $0 == "/photos.xml" }.count }
    for try await _ in library.sync([bench.feed]) where documents() == 2 { break }
    #expect(documents() == 2)
    try await library.close()

    gate.open()
    let again = try await bench.library()
    for try await _ in again.sync([bench.feed]) {}
    #expect(try await again.images().images.map(\.hasThumbnail) == [true, true, true])
  }

  @Test func `closing the library ends a sync, which tells that it is not whole`() async throws {
    let gate = bench.hold("/sun-small.jpg")
    defer { gate.open() }
    let library = try await bench.library()
    let task = Task { [feed = bench.feed] in
      await refusal { () throws(LibraryError) in for try await _ in library.sync([feed]) {} }
    }
    await bench.asked(for: "/sun-small.jpg")
    try await library.close()
    #expect(await task.value?.kind == .cancelled)
  }

  // MARK: Feeds

  @Test func `following a feed stores its images, and no pictures`() async throws {
    let library = try await bench.library()
    let feeds = try await library.follow(bench.feed)

    #expect(feeds.map(\.address) == [bench.feed])
    #expect(feeds == (try await library.feeds()))
    #expect(try await library.images().images.count == 3)
    #expect(bench.targets == ["/photos.xml"])
  }

  @Test func `a document that is no feed is not followed`() async throws {
    let library = try await bench.library()
    func reason(_ path: String) async -> LibraryError.Kind? {
      await refusal { () throws(LibraryError) in
        _ = try await library.follow(bench.address(path))
      }?.kind
    }

    #expect(await reason("/moon.jpg") == .unreadableDocument)
    #expect(await reason("/page.html") == .unreadableDocument)
    #expect(await reason("/none") == .status(404))
    #expect(try await library.feeds() == [])
  }

  @Test func `a follow that is cancelled says so`() async throws {
    let gate = bench.hold("/photos.xml")
    defer { gate.open() }
    let library = try await bench.library()
    let task = Task { [feed = bench.feed] in
      await refusal { () throws(LibraryError) in _ = try await library.follow(feed) }
    }
    await bench.asked(for: "/photos.xml")
    task.cancel()

    #expect(await task.value?.kind == .cancelled)
    #expect(try await library.feeds() == [])
  }

  @Test func `a folder of pictures is followed where it is`() async throws {
    let folder = "\(bench.folder.path)/pictures"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data(LibraryBench.photograph("moon")).write(to: URL(filePath: "\(folder)/a.jpg"))
    let library = try await bench.library()
    for try await _ in library.sync([folder]) {}

    let image = try #require(try await library.images().images.first)
    #expect(image.original?.path == "\(folder)/a.jpg")
    #expect(try await library.thumbnail(image.id) != nil)
  }

  @Test func `a removed feed is hidden, and comes back with its ids`() async throws {
    let library = try await bench.syncedLibrary()
    let before = try await library.images().images.map(\.id)
    let feed = try #require(try await library.feeds().first)

    #expect(try await library.remove(feed.id) == 3)
    #expect(try await library.feeds() == [])
    #expect(try await library.images().images == [])
    #expect(try await library.image(before[0]) == nil)
    #expect(try await library.follow(bench.feed).map(\.id) == [feed.id])
    #expect(try await library.images().images.map(\.id) == before)
  }

  @Test func `images of a removed feed are deleted on request`() async throws {
    let library = try await bench.syncedLibrary()
    let before = try await library.images().images.map(\.id)
    let feed = try #require(try await library.feeds().first)

    #expect(try await library.remove(feed.id, deletingImages: true) == 3)
    _ = try await library.follow(bench.feed)
    #expect(Set(try await library.images().images.map(\.id)).isDisjoint(with: before))
  }

  @Test func `a feed that is not followed cannot be removed`() async throws {
    let library = try await bench.syncedLibrary()
    let error = await refusal { () throws(LibraryError) in try await library.remove(999) }

    #expect(error?.kind == .noSuchFeed)
    #expect(try await library.feeds().count == 1)
  }
}

extension OriginalFetch.Event {
  fileprivate var file: PictureFile? { if case .file(let file) = self { file } else { nil } }
}

extension Array {
  /// All elements of a sequence.
  fileprivate init<Elements: AsyncSequence>(_ elements: Elements) async throws
  where Elements.Element == Element {
    self = []
    for try await element in elements { append(element) }
  }
}

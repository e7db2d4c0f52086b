import Foundation
import GalleryLibrary
import GalleryScenes
import Logging
import TestSupport
import Testing
import Workers

/// What becomes of a library at any place, and after its end.
struct OpeningTests {
  private let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  // MARK: Opening

  @Test func `a library that does not exist is empty, and opening makes nothing`() async throws {
    let library = try await bench.library()

    #expect(try await library.images().images == [])
    #expect(try await library.feeds() == [])
    #expect(try await library.image(1) == nil)
    #expect(try await library.changes().changes == [])
    #expect(!FileManager.default.fileExists(atPath: "\(bench.folder.path)/library"))
    let pin = await refusal { () throws(LibraryError) in try await library.pin([1]) }
    #expect(pin?.kind == .noLibrary)
    let removal = await refusal { () throws(LibraryError) in try await library.remove(1) }
    #expect(removal?.kind == .noSuchFeed)
  }

  @Test func `a database that is no library is refused`() async throws {
    let other = "\(bench.folder.path)/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: "\(other)/gallery.sqlite"))

    let error = await refusal { () throws(LibraryError) in
      _ = try await ImageLibrary(at: other)
    }

    #expect(error?.kind == .damagedLibrary)
    #expect(error?.description.contains(other) == true)
  }

  @Test func `an empty folder, and one with the files of others, have no images`() async throws {
    for name in ["empty", "documents"] {
      try FileManager.default.createDirectory(
        atPath: "\(bench.folder.path)/\(name)",
        withIntermediateDirectories: false
      )
    }
    try Data("1".utf8).write(to: URL(filePath: "\(bench.folder.path)/documents/letter.txt"))

    for (name, files) in [("empty", []), ("documents", ["letter.txt"])] {
      let folder = "\(bench.folder.path)/\(name)"
      #expect(try await bench.library(at: folder).images().images == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == files)
    }
  }

  @Test(arguments: ["", " ", "file", "file/library", "postgresql://127.0.0.1/x?place=nowhere"])
  func `a place where no library can be is refused`(place: String) async throws {
    try Data().write(to: URL(filePath: "\(bench.folder.path)/file"))
    let place = place.hasPrefix("file") ? "\(bench.folder.path)/\(place)" : place

    #expect(await refusalToOpen(place)?.kind == .unusableAddress)
  }

  @Test func `a database whose server does not answer is told apart`() async {
    let error = await refusalToOpen("postgresql://127.0.0.1:1/gallery")

    #expect(error?.kind == .storeUnreachable)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every folder"))
  func `a folder that must not be read is told apart`() async throws {
    let folder = "\(bench.folder.path)/closed"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0]
    )
    defer { chmod(folder, 0o700) }

    #expect(await refusalToOpen(folder)?.kind == .forbidden)
    #expect(await refusalToOpen("\(folder)/library")?.kind == .forbidden)
  }

  @Test func `two libraries at one place sync at once, and each image comes once`() async throws {
    let (one, other) = (try await bench.library(), try await bench.library())
    async let first = newImages(one)
    async let second = newImages(other)

    #expect(try await first + second == 3)
    #expect(try await one.images() == other.images())
    #expect(try await one.images().images.allSatisfy(\.hasThumbnail))
  }

  private func newImages(_ library: ImageLibrary) async throws -> Int {
    var images = 0
    for try await event in library.sync([bench.feed]) {
      if case .feed(let result) = event { images += result.newImages }
    }
    return images
  }

  @Test func `reading makes no library in a database`() async throws {
    let server = try PostgresServer.shared.get()
    let schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    let library = try await bench.library(at: server.address(schema: schema))

    #expect(try await library.images().images == [])
    #expect(try await library.feeds() == [])
    #expect(try await library.changes().changes == [])
    // A schema that has tables is refused.
    try server.execute("DROP SCHEMA \(schema)")
  }

  // MARK: Logs

  @Test func `the logger of a program gets each transfer, and no secret`() async throws {
    let lines = Locked<[String]>([])
    var options = ImageLibrary.Options()
    options.environment = ["XDG_DATA_HOME": bench.folder.path]
    options.decoder = try Programs.path(of: "gallery-decoder")
    options.logger = Logger(label: "program") { _ in LogSpy(lines: lines) }
    let library = try await ImageLibrary(at: "\(bench.folder.path)/library", options: options)
    let feed = bench.feed.replacing("127.0.0.1", with: "me:secret@127.0.0.1")
    for try await _ in library.sync([feed]) {}
    try await library.close()

    let logged = lines.withLock { $0 }
    for path in ["/photos.xml", "/moon-small.jpg", "/stars-small.jpg"] {
      #expect(logged.contains { $0.contains(path) }, "\(logged)")
    }
    #expect(!logged.contains { $0.contains("secret") })
  }

  // MARK: Closing

  @Test func `what was stored is there after closing and opening`() async throws {
    let library = try await bench.syncedLibrary()
    let before = try await library.images()
    try await library.close()

    #expect(try await bench.library().images() == before)
  }

  @Test func `a library that was closed refuses every request`() async throws {
    let library = try await bench.syncedLibrary()
    let (image, copy) = (try #require(try await library.images().images.first), library)
    try await library.close()
    try await library.close()

    let requests: [@Sendable () async throws -> Void] = [
      { _ = try await copy.images() }, { _ = try await copy.image(image.id) },
      { _ = try await copy.thumbnail(image.id) }, { _ = try await copy.feeds() },
      { for try await _ in copy.original(image.id) {} }, { for try await _ in copy.sync() {} },
      { _ = try await copy.follow("/nowhere") }, { try await copy.remove(image.feedID) },
      { try await copy.pin([image.id]) }, { try await copy.unpin([image.id]) },
      { _ = try await copy.changes() },
    ]
    for request in requests {
      let error = await #expect(throws: LibraryError.self) { try await request() }
      #expect(error?.kind == .closed)
    }
  }

  @Test func `the scenes of a library that was closed present that`() async throws {
    let library = try await bench.syncedLibrary()
    let spy = FailureSpy()
    let list = ListImagesScene(of: library, presenter: spy)
    let image = ShowImageScene(of: library, presenter: spy)
    try await library.close()
    await list.interactor.fetchImages(request: .init())
    await list.interactor.selectImage(request: .init(id: 1))
    await image.interactor.fetchThumbnail(request: .init())
    await image.interactor.fetchOriginal(request: .init())
    await image.interactor.describeImage()

    #expect(spy.kinds == Array(repeating: .closed, count: 5))
  }

  private func refusalToOpen(_ place: String) async -> LibraryError? {
    var options = ImageLibrary.Options()
    options.environment = ["XDG_DATA_HOME": bench.folder.path]
    return await refusal { () throws(LibraryError) in
      _ = try await ImageLibrary(at: place, options: options)
    }
  }
}

/// Keeps what is logged.
private struct LogSpy: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}

/// Records failures; nothing else may come.
private final class FailureSpy: ListImagesPresentationLogic, ShowImagePresentationLogic {
  private(set) var kinds: [LibraryError.Kind?] = []

  func presentFailure(response: Fail.Response) { kinds.append(response.error.kind) }

  func presentFetchedImages(response: ListImages.FetchImages.Response) { kinds.append(nil) }
  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) { kinds.append(nil) }
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) { kinds.append(nil) }
  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    kinds.append(nil)
  }
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {
    kinds.append(nil)
  }
  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) { kinds.append(nil) }
  func presentDescribedImage(response: ShowImage.DescribeImage.Response) { kinds.append(nil) }
}

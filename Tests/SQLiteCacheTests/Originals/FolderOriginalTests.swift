import Foundation
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import LibraryFiles
@testable import SQLiteCache

/// Originals that are files of a folder which is a feed (`FolderQueries`).
@Suite(.onEachStore)
struct FolderOriginalTests {
  private let store: TemporaryStore
  private let scratch: ScratchFolder
  private let folder: WebAddress

  /// A feed of two files, whose images have thumbnails that were made from them.
  init() async throws {
    store = try TemporaryStore()
    scratch = try ScratchFolder()
    folder = WebAddress(filePath: scratch.path + "/", relativeTo: "/")
    try write("a.png", PictureBytes.png)
    try write("b.jpg", PictureBytes.jpeg)
    try await sync(["a.png": "a", "b.jpg": "b"])
    for id: Int64 in 1...2 { try await makeThumbnail(of: id) }
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: "\(scratch.path)/\(name)"))
  }

  private func address(_ name: String) -> WebAddress {
    WebAddress(filePath: "\(scratch.path)/\(name)", relativeTo: "/")
  }

  /// Syncs files with the ids of their entries, and records what they are.
  private func sync(_ files: KeyValuePairs<String, String>, listsEverything: Bool = true)
    async throws
  {
    let entries = files.map { name, id in
      FeedEntry(id: id, images: [FeedImage(title: name, originalAddress: address(name))])
    }
    try await store.sync(entries, to: folder, listsEverything: listsEverything)
    var originals: [FolderOriginal] = []
    for file in try await PictureFolder().contents(of: folder).files {
      let id = files.first { $0.key == file.path }?.value
      guard let id,
        case .picture(let hash, let info, let version) = await PictureFolder().read(
          file,
          in: folder
        )
      else { continue }
      originals.append(
        FolderOriginal(
          entryID: id,
          address: file.address,
          version: version,
          sha256: hash,
          info: info
        )
      )
    }
    try await store.library.note(originals, feedID: 1)
  }

  private func hash(_ bytes: [UInt8]) throws -> SHA256Digest {
    try SHA256.digest(of: bytes, path: "")
  }

  /// Stores a thumbnail as one that was made from the image's file.
  private func makeThumbnail(of id: Int64) async throws {
    let wanted = try #require(try await store.library.wantedThumbnail(madeFor: id))
    let original = try #require(try await store.library.original(imageID: id))
    var thumbnail = FetchedThumbnail.sample(wanted, bytes: [UInt8(id)])
    thumbnail.sourceSHA256 = original.sha256
    thumbnail.checkDate = try #require(original.checkDate)
    try await store.library.store(PictureBatch(new: [thumbnail]), .madeThumbnail)
  }

  private func wanted() async throws -> [Int64] {
    try await store.library.wanted(
      .madeThumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 9
    ).map(\.imageID)
  }

  @Test func `the figures count the files of folders apart from stored originals`() async throws {
    let figures = try await store.library.figures()
    try await sync(["a.png": "a"])
    try await store.library.forgetFolderOriginals(ofImages: [2])
    let fewer = try await store.library.figures()

    #expect((figures.originals, figures.originalsInPlace) == (2, 2))
    #expect(figures.bytesInPlace == PictureBytes.png.count + PictureBytes.jpeg.count)
    #expect(figures.originalBytes == 0)
    #expect((fewer.originals, fewer.originalsInPlace) == (1, 1))
    #expect(fewer.bytesInPlace == PictureBytes.png.count)
  }

  @Test func `the original of an image is the file in its folder`() async throws {
    let original = try #require(try await store.library.original(imageID: 1))

    #expect(original.path == "\(scratch.path)/a.png")
    #expect(original.isInPlace && original.isRight)
    #expect(original.info.format == .png && original.info.width == 640)
    #expect(
      try await store.library.original(hash(PictureBytes.jpeg))?.path == "\(scratch.path)/b.jpg"
    )
    #expect(try await store.library.original(hash([1])) == nil)
    #expect(try await store.images().map(\.original) == [.stored, .stored])
  }

  /// More looks than there are connections that read.
  @Test func `a folder whose drive does not answer stops no other read`() async throws {
    let (library, hash, gate) = (store.library, try hash(PictureBytes.png), Gate())
    FolderOriginal.queue(of: folder).async { gate.waitUntilOpen() }
    let looks = (1...8).flatMap { _ in
      [
        Task { try await library.original(imageID: 1)?.path },
        Task { try await library.original(hash)?.path },
      ]
    }

    for _ in looks {
      #expect(try await library.images(ids: [1, 2]).map(\.id) == [1, 2])
      #expect(try await library.tiles(ids: [1]).map(\.isOriginalStored) == [true])
      await Task.yield()
    }

    gate.open()
    for look in looks { #expect(try await look.value == "\(scratch.path)/a.png") }
  }

  @Test func `lists, mirrors and exports know the original`() async throws {
    let hash = try hash(PictureBytes.png)

    let state = try #require(try await store.library.states(ids: [1]).first)

    #expect(state.original?.info.hash == hash)
    #expect(state.original?.info.place == "\(scratch.path)/a.png")
    #expect(try await store.library.imageIDs(withPictures: [hash]) == [hash: [1]])
    #expect(try await store.library.tiles(ids: [1]).map(\.isOriginalStored) == [true])
  }

  @Test func `nothing is to be fetched or asked`() async throws {
    let library = store.library
    let later = PictureFilter(now: Date(timeIntervalSince1970: 4_000_000_000))

    for kind in [PictureKind.original, .madeThumbnail] {
      #expect(try await library.count(of: kind, feedID: 1, .missing).wanted == 0)
      #expect(try await library.due(kind, feedID: 1, later) == [])
    }
  }

  @Test func `the same document again changes nothing`() async throws {
    try await store.settle()
    let number = try await store.library.version().number

    let counts = try await store.sync(
      ["a.png", "b.jpg"].map { name in
        let image = FeedImage(title: name, originalAddress: address(name))
        return FeedEntry(id: String(name.prefix(1)), images: [image])
      },
      to: folder,
      listsEverything: true
    )

    #expect(counts == ImageCounts(total: 2))
    #expect(try await store.images().map(\.original) == [.stored, .stored])
    try await store.settle()
    #expect(try await store.library.changeCounts(after: number).images == 0)
  }

  @Test func `a file that is read again is no change, and one with other content is one`()
    async throws
  {
    try await store.settle()
    let number = try await store.library.version().number
    func changes() async throws -> Int {
      try await store.settle()
      return try await store.library.changeCounts(after: number).images
    }

    var originals = try await store.library.folderOriginals(feedID: 1).sorted {
      $0.imageID < $1.imageID
    }
    try await store.library.note(originals, feedID: 1)
    #expect(try await changes() == 0)

    // A new time alone is noted, so that the file is not read again.
    originals[0].version = "touched"
    try await store.library.note(originals, feedID: 1)
    #expect(try await changes() == 0)
    #expect(
      try await store.library.folderOriginals(feedID: 1).map(\.version).contains("touched")
    )

    originals[0].sha256 = String(repeating: "0", count: 64)
    try await store.library.note(originals, feedID: 1)
    #expect(try await changes() == 1)
    #expect(try await wanted() == [1])

    // A newer program may read more from the same content.
    originals[1].info.width = 77
    try await store.library.note(originals, feedID: 1)
    #expect(try await changes() == 2)
    #expect(try await store.library.folderOriginals(feedID: 1).contains { $0.info.width == 77 })
  }

  @Test func `a file that was not listed for a while is not due`() async throws {
    let later = PictureFilter(now: Date(timeIntervalSince1970: 4_000_000_000))
    let entries = ["a.png", "b.jpg"].map { name in
      let image = FeedImage(title: name, originalAddress: address(name))
      return FeedEntry(id: String(name.prefix(1)), images: [image])
    }

    try await sync(["b.jpg": "b"], listsEverything: false)
    try await store.sync(entries, to: folder, listsEverything: true)

    for kind in [PictureKind.original, .madeThumbnail] {
      #expect(try await store.library.due(kind, feedID: 1, later) == [])
    }
    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_check_at > 0") == [2])
  }

  @Test func `a file with another name keeps its image and its thumbnail`() async throws {
    try FileManager.default.moveItem(
      atPath: "\(scratch.path)/a.png",
      toPath: "\(scratch.path)/new.png"
    )

    try await sync(["new.png": "a", "b.jpg": "b"])

    #expect(try await store.library.original(imageID: 1)?.path == "\(scratch.path)/new.png")
    #expect(try await store.images().map(\.id) == [1, 2])
    #expect(try await store.images().map(\.original) == [.stored, .stored])
    #expect(try await wanted() == [])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1])
  }

  @Test func `a file with other content is not handed out, until a sync has read it`() async throws
  {
    try write("a.png", PictureBytes.gif)

    #expect(try await store.library.original(imageID: 1) == nil)
    #expect(try await store.library.original(hash(PictureBytes.png)) == nil)
    #expect(try await store.library.original(hash(PictureBytes.gif)) == nil)

    try await sync(["a.png": "a", "b.jpg": "b"])

    #expect(
      try await store.library.original(imageID: 1)?.sha256 == hash(PictureBytes.gif).hexadecimal
    )
    #expect(try await wanted() == [1])
  }

  @Test func `an image whose file is missing keeps its thumbnail`() async throws {
    try FileManager.default.removeItem(atPath: "\(scratch.path)/a.png")
    #expect(try await store.library.original(imageID: 1) == nil)

    try await sync(["b.jpg": "b"])
    try await store.library.forgetFolderOriginals(ofImages: [1])

    let image = try #require(try await store.library.image(id: 1))
    #expect(image.isGone && image.original == .missing)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1])
    #expect(try await store.library.folderOriginals(feedID: 1).map(\.imageID) == [2])
  }

  @Test func `a file that comes back has its image again`() async throws {
    try await sync(["b.jpg": "b"])
    try await store.library.forgetFolderOriginals(ofImages: [1])

    try await sync(["a.png": "a", "b.jpg": "b"])

    #expect(try await store.library.original(imageID: 1)?.path == "\(scratch.path)/a.png")
    #expect(try await store.library.image(id: 1)?.isGone == false)
    #expect(try await wanted() == [])
  }

  @Test func `a file is read again if a sync ended before it had recorded the new name`()
    async throws
  {
    try FileManager.default.moveItem(
      atPath: "\(scratch.path)/a.png",
      toPath: "\(scratch.path)/new.png"
    )
    let image = FeedImage(title: "new", originalAddress: address("new.png"))

    try await store.sync([FeedEntry(id: "a", images: [image])], to: folder)

    let known = try await store.library.folderOriginals(feedID: 1)
    #expect(known.first { $0.imageID == 1 }?.version == "")
    #expect(known.first { $0.imageID == 2 }?.version.isEmpty == false)
    #expect(try await store.library.original(imageID: 1)?.path == "\(scratch.path)/new.png")
  }

  @Test func `a file without an image is left out`() async throws {
    let original = try #require(try await store.library.folderOriginals(feedID: 1).first)
    var other = original
    other.entryID = "unknown"

    try await store.library.note([other], feedID: 1)
    try await store.library.note([original], feedID: 2)

    #expect(try await store.library.folderOriginals(feedID: 1).count == 2)
    #expect(try store.numbers("SELECT count(*) FROM folder_original") == [2])
  }

  @Test func `keeping the newest originals or images alone takes no file away`() async throws {
    let library = store.library
    _ = try await library.set(FeedChange(originals: .given(1)), ofFeed: 1)
    #expect(try await library.keepNewest(ofFeed: 1) == RetiredPictures())
    #expect(try await store.images().map(\.original) == [.stored, .stored])

    _ = try await library.set(FeedChange(images: .given(1)), ofFeed: 1)
    #expect(try await library.keepNewest(ofFeed: 1) == RetiredPictures(images: 1))
    #expect(try await store.images().map(\.id) == [1])

    _ = try await library.set(FeedChange(images: .usual), ofFeed: 1)
    #expect(try await library.keepNewest(ofFeed: 1) == RetiredPictures())
    #expect(try await store.images().map(\.original) == [.stored, .stored])
    #expect(try await library.original(imageID: 2)?.path == "\(scratch.path)/b.jpg")
    #expect(try await wanted() == [2])
  }

  @Test func `a feed moves to another folder with its images, and forgets its former address`()
    async throws
  {
    let moved = WebAddress(filePath: "/elsewhere/", relativeTo: "/")
    _ = try await store.library.setPinned(true, imageIDs: [2])

    #expect(try await store.library.move(feed: 1, toFolder: moved) == nil)

    #expect(try await store.library.feeds().map(\.address) == [moved])
    #expect(try await store.library.feeds().first?.aliases == [])
    #expect(try await store.images().map(\.id) == [1, 2])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1])
    #expect(try await store.library.folderOriginals(feedID: 1).count == 2)
    #expect(try await store.library.image(id: 2)?.isPinned == true)
    // Another folder at the former place is another feed.
    try await store.sync(
      [FeedEntry(id: "a", images: [FeedImage(originalAddress: address("a.png"))])],
      to: folder
    )
    #expect(try await store.library.feeds().map(\.id) == [1, 2])
    #expect(
      try await store.library.move(feed: 1, toFolder: folder)
        == .taken(feedID: 2, isRemoved: false)
    )
    _ = try await store.library.removeFeed(id: 2, purging: false)
    #expect(
      try await store.library.move(feed: 1, toFolder: folder) == .taken(feedID: 2, isRemoved: true)
    )
    _ = try await store.library.removeFeed(id: 2, purging: true)
    #expect(try await store.library.move(feed: 1, toFolder: folder) == nil)
    #expect(try await store.library.move(feed: 1, toFolder: folder) == nil)
    #expect(try await store.library.feeds().map(\.address) == [folder])
  }

  @Test func `a feed that is not followed does not move`() async throws {
    let moved = WebAddress(filePath: "/elsewhere/", relativeTo: "/")

    #expect(try await store.library.move(feed: 7, toFolder: moved) == .notFollowed)
    _ = try await store.library.removeFeed(id: 1, purging: false)
    #expect(try await store.library.move(feed: 1, toFolder: moved) == .notFollowed)

    #expect(try await store.library.feed(at: moved) == nil)
  }

  @Test func `folders are counted by the files that the library knows`() async throws {
    func counts() async throws -> [PictureFolderCount] {
      let counts = Locked<[PictureFolderCount]>([])
      try await store.library.withState { (state) throws(StoreError) in
        let found = try state.pictureFolders()
        counts.withLock { $0 = found }
      }
      return counts.withLock { $0 }
    }
    let path = scratch.path + "/"
    #expect(try await counts() == [PictureFolderCount(path: path, pictures: 2)])

    try await store.library.forgetFolderOriginals(ofImages: [1])
    #expect(try await counts() == [PictureFolderCount(path: path, pictures: 1)])

    _ = try await store.library.removeFeed(id: 1, purging: false)
    #expect(try await counts() == [])
  }

  @Test func `cleaning and purging leave the files`() async throws {
    _ = try await store.library.clean(.now)
    #expect(try await store.library.original(imageID: 1) != nil)

    _ = try await store.library.removeFeed(id: 1, purging: true)
    _ = try await store.library.clean(.now)

    #expect(try store.numbers("SELECT count(*) FROM folder_original") == [0])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
        "a.png", "b.jpg",
      ]
    )
  }
}

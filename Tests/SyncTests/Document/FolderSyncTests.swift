import Foundation
import Models
import SQLiteCache
import Store
import TestSupport
import Testing
import Workers

@testable import Sync

/// A folder of pictures as a feed.
struct FolderSyncTests {
  private let folder = FakeFolder(["a.jpg": "1", "b/c.jpg": "2", "d.jpg": "3"])
  private let bench: SyncBench

  init() { bench = SyncBench([:], folder: folder) }

  /// Syncs the folder, and returns its summary.
  private func sync(
    _ change: (inout SyncPlan) -> Void = { _ in }
  ) async throws -> FeedSyncSummary {
    var plan = SyncPlan(feeds: [FakeFolder.address], fetchesThumbnails: false)
    change(&plan)
    return try #require(await bench.summaries(plan).first)
  }

  private func images() async throws -> [WebImage] {
    let ids = try await bench.store.imageIDs(matching: ImageQuery(order: .feed))
    return try await bench.store.images(ids: ids)
  }

  /// The ids of the images with their titles, in the order of the folder.
  private func titles() async throws -> [String] {
    try await images().map { "\($0.id) \($0.title ?? "")" }
  }

  @Test func `each file is an image with its name and date`() async throws {
    let summary = try await sync()

    #expect(summary.status == .updated)
    #expect(summary.images == ImageCounts(total: 3, new: 3))
    #expect(summary.problems == [])
    #expect(summary.feed?.title == "photos")
    #expect(summary.feed?.format == .folder)
    #expect(try await titles() == ["1 a", "2 c", "3 d"])
    let image = try #require(try await images().first)
    #expect(image.originalAddress.text == "file:///photos/a.jpg")
    #expect(image.published == Date(timeIntervalSince1970: 1_000_000))
    #expect(image.width == 4 && image.height == 3)
    #expect(bench.network.requests.isEmpty)
  }

  @Test func `only files that are new or have changed are read`() async throws {
    _ = try await sync()
    #expect(folder.takeReads() == ["a.jpg", "b/c.jpg", "d.jpg"])

    let second = try await sync()
    #expect(folder.takeReads() == [])
    #expect(second.status == .unchanged && second.images.total == 3)

    folder.put(["new.jpg": "4", "a.jpg": "1", "b/c.jpg": "22", "d.jpg": "3"])
    let third = try await sync()
    #expect(folder.takeReads() == ["new.jpg", "b/c.jpg"])
    #expect(third.images == ImageCounts(total: 4, new: 1))
    #expect(try await titles() == ["4 new", "1 a", "2 c", "3 d"])
  }

  @Test func `the files of a folder that has moved are known by their content`() async throws {
    _ = try await sync()
    let library = bench.store.library
    _ = try await library.setPinned(true, imageIDs: [2])
    let moved = WebAddress(filePath: "/new place/photos/", relativeTo: "/")
    folder.put(["a.jpg": "1", "c.jpg": "2", "d.jpg": "changed", "e.jpg": "4"])

    let summary = try await sync {
      $0.feeds = [moved]
      $0.formerFolder = FakeFolder.address
    }

    #expect(summary.feed?.id == 1 && summary.feed?.address == moved)
    #expect(summary.problems == [])
    #expect(try await titles().sorted() == ["1 a", "2 c", "3 d", "4 d", "5 e"])
    let images = try await images()
    for image in images where image.id < 3 {
      #expect(image.originalAddress.text.hasPrefix("file:///new%20place/photos/"))
    }
    #expect(images.filter(\.isGone).map(\.id) == [3])
    var pinned = ImageQuery(order: .feed)
    pinned.isPinned = true
    #expect(try await bench.store.imageIDs(matching: pinned) == [2])
    #expect(try await sync { $0.feeds = [moved] }.status == .unchanged)
    #expect(try await bench.store.feed(at: FakeFolder.address) == nil)
  }

  @Test(arguments: [[:], ["x.jpg": "8", "y.jpg": "9"], nil] as [KeyValuePairs<String, String?>?])
  func `a folder does not go on where none of its pictures is, or nothing can be read`(
    files: KeyValuePairs<String, String?>?
  ) async throws {
    _ = try await sync()
    let before = try await bench.store.feeds()
    let other = WebAddress(filePath: "/other/", relativeTo: "/")
    if let files { folder.put(files) } else { folder.setMissing(true) }

    let summary = try await sync {
      $0.feeds = [other]
      $0.formerFolder = FakeFolder.address
    }

    #expect(summary.status == .failed && summary.feed == nil)
    if files?.isEmpty == false {
      let failure = FeedError.otherFolder(than: FakeFolder.address, found: 0, of: 3)
      #expect(summary.problems.map(\.failure) == [.feed(failure)])
    }
    #expect(try await bench.store.feeds() == before)
    #expect(try await images().map(\.isGone) == [false, false, false])
  }

  @Test func `another folder goes on with the feed if the user accepts that its images are gone`()
    async throws
  {
    _ = try await sync()
    let other = WebAddress(filePath: "/other/", relativeTo: "/")
    folder.put(["x.jpg": "8"])

    let summary = try await sync {
      $0.feeds = [other]
      $0.formerFolder = FakeFolder.address
      $0.acceptsRemovals = true
    }

    #expect(summary.images == ImageCounts(total: 1, new: 1, gone: 3))
    #expect(try await bench.store.feeds().map(\.id) == [1])
    #expect(try await bench.store.feeds().map(\.address) == [other])
  }

  @Test(arguments: [
    (0, of: 1, true), (1, of: 1, false), (1, of: 2, false), (1, of: 3, true), (2, of: 3, false),
    (2, of: 13, true), (6, of: 13, true), (7, of: 13, false), (5, of: 10, false), (4, of: 10, true),
  ])
  func `a folder goes on at another place if that has a half of its pictures, whatever else it has`(
    found: Int,
    of total: Int,
    isRefused: Bool
  ) async throws {
    let names = (1...total).map(String.init)
    folder.put(names.map { (path: "\($0).jpg", content: $0) })
    _ = try await sync()
    let other = WebAddress(filePath: "/other/", relativeTo: "/")
    let others = (1...20).map { "new \($0)" }
    folder.put((others + names.prefix(found)).map { (path: "in/\($0).jpg", content: $0) })

    let summary = try await sync {
      $0.feeds = [other]
      $0.formerFolder = FakeFolder.address
    }

    #expect((summary.status == .failed) == isRefused)
    if isRefused {
      let failure = FeedError.otherFolder(than: FakeFolder.address, found: found, of: total)
      #expect(summary.problems.map(\.failure) == [.feed(failure)])
    } else {
      #expect(summary.images.gone == total - found)
    }
    let place = isRefused ? FakeFolder.address : other
    #expect(try await bench.store.feeds().map(\.address) == [place])
  }

  @Test func `a picture counts once, however many files of another folder have its content`()
    async throws
  {
    _ = try await sync()
    folder.put((1...5).map { (path: "\($0).jpg", content: "1") })

    let summary = try await sync {
      $0.feeds = [WebAddress(filePath: "/other/", relativeTo: "/")]
      $0.formerFolder = FakeFolder.address
    }

    let failure = FeedError.otherFolder(than: FakeFolder.address, found: 1, of: 3)
    #expect(summary.problems.map(\.failure) == [.feed(failure)])
    #expect(try await bench.store.feeds().map(\.address) == [FakeFolder.address])
  }

  @Test func `a picture whose file is gone from its folder does not count at another place`()
    async throws
  {
    folder.put((1...4).map { (path: "\($0).jpg", content: "\($0)") })
    _ = try await sync()
    folder.put(["1.jpg": "1"])
    _ = try await sync()
    let other = WebAddress(filePath: "/other/", relativeTo: "/")

    let summary = try await sync {
      $0.feeds = [other]
      $0.formerFolder = FakeFolder.address
    }

    #expect(summary.feed?.id == 1 && summary.images.gone == 0)
    #expect(try await bench.store.feeds().map(\.address) == [other])
  }

  @Test func `a folder without a picture takes nothing over, whatever the user accepts`()
    async throws
  {
    _ = try await sync()
    let before = try await bench.store.feeds()
    folder.put(["x.jpg": "text"])

    let summary = try await sync {
      $0.feeds = [WebAddress(filePath: "/other/", relativeTo: "/")]
      $0.formerFolder = FakeFolder.address
      $0.acceptsRemovals = true
    }

    #expect(summary.problems.map(\.failure).contains(.feed(.emptyFolder)))
    #expect(try await bench.store.feeds() == before)
    #expect(try await images().map(\.isGone) == [false, false, false])
  }

  @Test func `a folder is not added when the feed is gone whose place it is to take`()
    async throws
  {
    _ = try await sync()

    let summary = try await sync {
      $0.feeds = [WebAddress(filePath: "/other/", relativeTo: "/")]
      $0.formerFolder = WebAddress(filePath: "/a/", relativeTo: "/")
    }

    #expect(summary.status == .failed)
    #expect(try await bench.store.feeds().map(\.address) == [FakeFolder.address])
  }

  @Test func `a folder that another process has moved meanwhile is only synced`() async throws {
    _ = try await sync()

    let summary = try await sync { $0.formerFolder = WebAddress(filePath: "/a/", relativeTo: "/") }

    #expect(summary.status == .unchanged && summary.feed?.id == 1)
  }

  @Test func `a folder that is named by another path is the feed that it has been`() async throws {
    let link = WebAddress(filePath: "/link/", relativeTo: "/")
    let other = WebAddress(filePath: "/other/", relativeTo: "/")
    folder.link(link)
    _ = try await sync()

    let linked = try await sync { $0.feeds = [link] }
    let rehearsed = try await sync {
      $0.feeds = [link]
      $0.isDryRun = true
    }
    let both = await bench.summaries(
      SyncPlan(feeds: [link, FakeFolder.address], fetchesThumbnails: false)
    )
    _ = try await sync { $0.feeds = [other] }

    for summary in [linked, rehearsed] + both {
      #expect(summary.status == .unchanged && summary.feed?.id == 1)
    }
    #expect(both.count == 1)
    #expect(try await bench.store.feeds().map(\.address) == [FakeFolder.address, other])
  }

  @Test func `a folder that is taken over by another path of it gets that path`() async throws {
    let link = WebAddress(filePath: "/link/", relativeTo: "/")
    folder.link(link)
    _ = try await sync()

    let summary = try await sync {
      $0.feeds = [link]
      $0.formerFolder = FakeFolder.address
    }

    #expect(summary.feed?.id == 1 && summary.images.total == 3 && summary.images.new == 0)
    #expect(try await bench.store.feeds().map(\.address) == [link])
  }

  @Test func `a forced sync reads each file, and keeps the images`() async throws {
    _ = try await sync()
    _ = folder.takeReads()

    let summary = try await sync { $0.isForced = true }

    #expect(folder.takeReads().sorted() == ["a.jpg", "b/c.jpg", "d.jpg"])
    #expect(summary.images == ImageCounts(total: 3))
  }

  @Test func `a file with another name is the same image`() async throws {
    _ = try await sync()

    folder.put(["a.jpg": "1", "moved.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()

    #expect(summary.images == ImageCounts(total: 3, changed: 1))
    #expect(try await titles() == ["1 a", "2 moved", "3 d"])
  }

  @Test func `an edited file whose old content has another name is a new image`() async throws {
    _ = try await sync()

    folder.put(["a.jpg": "11", "old/a.jpg": "1", "b/c.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()

    #expect(summary.images == ImageCounts(total: 4, new: 1, changed: 1))
    #expect(
      try await images().first { $0.id == 1 }?.originalAddress.text == "file:///photos/old/a.jpg"
    )
    #expect(try await images().first { $0.id == 4 }?.originalAddress.text == "file:///photos/a.jpg")
  }

  @Test func `a file that replaces another one keeps its image, and the other one has no file`()
    async throws
  {
    _ = try await sync()

    folder.put(["a.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()

    #expect(summary.images.total == 2 && summary.images.gone == 1)
    #expect(try await images().first { $0.isGone }?.id == 1)
    #expect(try await images().first { $0.id == 2 }?.originalAddress.text == "file:///photos/a.jpg")
    #expect(try await bench.store.folderOriginals(feedID: 1).map(\.imageID).sorted() == [2, 3])

    _ = folder.takeReads()
    #expect(try await sync().status == .unchanged)
    #expect(folder.takeReads() == [])
  }

  @Test func `two files with the same content are two images, and stay so`() async throws {
    folder.put(["a.jpg": "1", "copy.jpg": "1"])
    _ = try await sync()
    #expect(try await titles() == ["1 a", "2 copy"])

    folder.put(["a.jpg": "1", "renamed.jpg": "1"])
    _ = try await sync()
    #expect(try await titles() == ["1 a", "2 renamed"])

    folder.put(["renamed.jpg": "1"])
    let summary = try await sync()
    #expect(summary.images.gone == 1)
    #expect(try await images().first { $0.isGone }?.id == 1)
  }

  @Test func `a missing file is gone, and is the same image when it comes back`() async throws {
    _ = try await sync()

    folder.put(["a.jpg": "1", "d.jpg": "3"])
    let gone = try await sync()
    folder.put(["a.jpg": "1", "elsewhere.jpg": "2", "d.jpg": "3"])
    let back = try await sync()

    #expect(gone.images == ImageCounts(total: 2, gone: 1))
    #expect(back.images == ImageCounts(total: 3, changed: 1))
    #expect(try await titles() == ["1 a", "2 elsewhere", "3 d"])
  }

  @Test func `a folder that is missing or has no pictures fails, and no image is gone`()
    async throws
  {
    _ = try await sync()

    folder.setMissing(true)
    let missing = try await sync()
    folder.setMissing(false)
    folder.put([:])
    let empty = try await sync()

    for summary in [missing, empty] {
      #expect(summary.status == .failed)
      #expect(summary.problems.map(\.subject) == [.feed])
    }
    #expect(empty.problems.map(\.failure) == [.feed(.emptyFolder)])
    #expect(try await images().filter(\.isGone).isEmpty)
    #expect(try await images().count == 3)
  }

  @Test func `a file that holds no picture any more keeps its image`() async throws {
    _ = try await sync()

    folder.put(["a.jpg": "text", "b/c.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()

    #expect(summary.images == ImageCounts(total: 3))
    #expect(summary.problems.map(\.failure) == [.flaw(.notPictures(1, first: "a.jpg"))])
  }

  @Test func `each sync that names a folder counts its files without a picture`()
    async throws
  {
    folder.put(["a.jpg": "text", "b/c.jpg": "2", "d.jpg": "text"])
    let named = SyncPlan(feeds: [FakeFolder.address], fetchesThumbnails: false)
    var plain = named
    plain.isEveryFeed = true

    let first = await bench.facts(named)
    let second = await bench.facts(plain)
    let third = await bench.facts(named)
    folder.put(["a.jpg": "1", "b/c.jpg": "text", "d.jpg": "3"])
    let last = await bench.facts(named)

    let notice = SyncNotice.leftOut(LeftOutFiles(notPictures: 2), folder: FakeFolder.address)
    #expect(first.notices == [notice])
    #expect(second.notices == [])
    #expect(third.notices == [notice])
    // A file that was a picture stays its image.
    #expect(last.notices == [])
  }

  @Test func `a folder that is empty at first is not followed`() async throws {
    folder.put(["a.jpg": "text"])

    let summary = try await sync()

    #expect(summary.status == .failed)
    #expect(try await bench.store.feeds() == [])
  }

  @Test func `what was not listed is not gone`() async throws {
    _ = try await sync()

    folder.put(["a.jpg": "1"])
    folder.setFlaws([.unreadableFolders(1, first: "b")])
    let cut = try await sync()
    #expect(cut.images == ImageCounts(total: 1))
    #expect(cut.problems.map(\.failure) == [.flaw(.unreadableFolders(1, first: "b"))])

    folder.put(["a.jpg": "1", "b/c.jpg": "2", "d.jpg": "3"])
    folder.setFlaws([])
    _ = folder.takeReads()
    let whole = try await sync()
    #expect(folder.takeReads() == [])
    #expect(whole.images == ImageCounts(total: 3))
    #expect(whole.status == .unchanged)
  }

  @Test func `a changed file that cannot be read stays its image, and is tried again`() async throws
  {
    _ = try await sync()

    folder.put(["a.jpg": nil, "b/c.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()
    #expect(summary.images.gone == 0 && summary.images.total == 3)
    #expect(summary.problems.map(\.failure) == [.flaw(.unreadableFiles(1, first: "a.jpg"))])

    _ = folder.takeReads()
    folder.put(["a.jpg": "11", "b/c.jpg": "2", "d.jpg": "3"])
    _ = try await sync()
    #expect(folder.takeReads() == ["a.jpg"])
    #expect(try await titles() == ["1 a", "2 c", "3 d"])
  }

  @Test func `a file that cannot be read hides no deletion, and may be a renamed one`() async throws
  {
    _ = try await sync()

    folder.put(["damaged.jpg": nil, "b/c.jpg": "2", "d.jpg": "3"])
    let summary = try await sync()
    #expect(summary.images.gone == 1 && summary.status == .updated)
    #expect(try await images().filter(\.isGone).map(\.id) == [1])
    #expect(try await sync().images.gone == 0)

    folder.put(["damaged.jpg": "1", "b/c.jpg": "2", "d.jpg": "3"])
    _ = try await sync()
    #expect(try await images().filter(\.isGone).isEmpty)
    #expect(try await titles() == ["1 damaged", "2 c", "3 d"])
  }

  @Test func `files that all have other names stay their images`() async throws {
    _ = try await sync()

    folder.put(["new/a.jpg": "1", "new/c.jpg": "2", "x.jpg": "3"])
    let summary = try await sync()

    #expect(summary.status == .updated && summary.problems == [])
    #expect(try await titles() == ["1 a", "2 c", "3 x"])
    #expect(try await images().filter(\.isGone).isEmpty)
  }

  @Test func `an explanation says what is taken, and what is left out and why`() async throws {
    folder.put(["a.jpg": "1", "b/c.jpg": "text", "d.jpg": nil, "e.jpg": "5"])
    var plan = SyncPlan(feeds: [FakeFolder.address], isDryRun: true, isExplained: true)
    plan.bounds.images = 3

    let entries = await bench.facts(plan).flatMap { fact -> [EntryExplanation] in
      if case .explained(let entries, FakeFolder.address) = fact { entries } else { [] }
    }

    let left = entries.flatMap(\.passed).map { "\($0.address) \($0.reason)" }
    #expect(
      left.sorted() == [
        "b/c.jpg otherContent", "d.jpg unreadable", "e.jpg excessive", "notes.txt otherName",
      ]
    )
    let taken = entries.filter { !$0.images.isEmpty }
    #expect(taken.map(\.title) == ["a"])
    let choice = EntryExplanation.Choice(
      address: WebAddress(filePath: "/photos/a.jpg", relativeTo: "/"),
      place: .file,
      side: 4
    )
    #expect(taken.flatMap(\.images) == [.init(original: choice, thumbnail: nil)])
  }

  @Test func `an explanation names files that have not changed, too`() async throws {
    _ = try await sync()
    var plan = SyncPlan(feeds: [FakeFolder.address], isDryRun: true, isExplained: true)
    plan.fetchesThumbnails = false

    let entries = await bench.facts(plan).flatMap { fact -> [EntryExplanation] in
      if case .explained(let entries, _) = fact { entries } else { [] }
    }

    #expect(entries.filter { !$0.images.isEmpty }.map(\.title) == ["a", "c", "d"])
  }

  @Test func `a dry run stores nothing`() async throws {
    let summary = try await sync { $0.isDryRun = true }

    #expect(summary.images == ImageCounts(total: 3, new: 3))
    #expect(try await bench.store.feeds() == [])
  }

  @Test func `images beyond the limit of a feed are left out, the oldest first`() async throws {
    let summary = try await sync { $0.bounds.images = 2 }

    #expect(summary.status == .failed)
    #expect(try await titles() == ["1 a", "2 c"])
    #expect(folder.takeReads() == ["a.jpg", "b/c.jpg"])
  }

  @Test func `originals of a folder are never fetched`() async throws {
    let summary = try await sync { $0.fetchesOriginals = true }

    #expect(summary.originals == TransferCounts())
    #expect(summary.problems == [])
    #expect(bench.network.requests.isEmpty)
  }
}

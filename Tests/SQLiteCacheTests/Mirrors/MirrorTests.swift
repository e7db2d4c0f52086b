import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// A library that keeps a copy of another one, page by page.
@Suite(.onEachStore)
struct MirrorTests {
  private let origin: TemporaryStore
  private let copy: TemporaryStore

  init() async throws {
    origin = try TemporaryStore()
    copy = try TemporaryStore()
    try await origin.sync([
      .sample("a", id: "a", title: "Sea", thumbnail: "ta", published: .first),
      .sample("b", id: "b", title: "Forest", caption: "Trees"), .sample("c", id: "c"),
    ])
    try await origin.sync([.sample("d", id: "d", title: "Sun")], to: .otherFeed, title: "Sun")
  }

  /// The pages of a library as another process requests them; the cursor is the position as a text.
  private func page(
    _ library: TemporaryStore,
    _ cursor: String?,
    limit: Int
  ) async throws -> MirrorPage {
    let parts = (cursor ?? "0 0 0").split(separator: " ").compactMap { Int64($0) }
    let kind = try #require(ChangedKind(rawValue: Int(parts[1])))
    try await library.settle()
    let page = try await library.library.changePage(
      ChangeRequest(
        position: ChangePosition(number: parts[0], kind: kind, id: parts[2]),
        limit: limit
      )
    )
    let end = page.next ?? ChangePosition(number: page.version.number, kind: .pin, id: .max)
    return MirrorPage(
      lines: page.lines,
      cursor: "\(end.number) \(end.kind.rawValue) \(end.id)",
      hasMore: page.next != nil
    )
  }

  private func target(_ library: TemporaryStore) -> MirrorTarget {
    let base = WebAddress.address("https://gallery.example/\(library.path)/")
    return MirrorTarget(
      gallery: GalleryAddress(base: base, isStatic: false),
      library: library.path,
      now: .second
    )
  }

  private func base(_ library: TemporaryStore) -> WebAddress { target(library).gallery.base }

  @discardableResult
  private func follow(
    _ library: TemporaryStore? = nil,
    by follower: TemporaryStore? = nil,
    limit: Int = 1_000,
    pages: Int = .max
  ) async throws -> MirrorCounts {
    let (origin, follower) = (library ?? origin, follower ?? copy)
    let target = target(origin)
    var counts = MirrorCounts()
    for _ in 0..<pages {
      let cursor = try await follower.library.mirror(of: target.gallery.base)?.cursor
      let page = try await page(origin, cursor, limit: limit)
      counts.add(try await follower.library.apply(page, to: target))
      if !page.hasMore { break }
    }
    return counts
  }

  /// The content that a copy must share with its origin, in the order of the feeds, without ids.
  private func contents(_ store: TemporaryStore) async throws -> [String] {
    let feeds = try await store.library.feeds().filter { !$0.isGallery }
    var contents = feeds.map { "\($0.address.text) \($0.title ?? "") \($0.imageCount)" }
    for feed in feeds {
      let ids = try await store.library.imageIDs(
        matching: ImageQuery(order: .feed, feedID: feed.id)
      )
      for id in ids {
        let image = try #require(try await store.library.image(id: id))
        let state = try #require(try await store.library.states(ids: [id]).first)
        contents.append(
          "\(image.originalAddress.text) \(image.title ?? "") \(image.caption ?? "") \(image.firstSeen) "
            + "\(state.position) \(state.date) \(state.entryID ?? "") \(state.isGone) \(image.isPinned)"
        )
      }
    }
    return contents.sorted()
  }

  private func expectEqual() async throws {
    let expected = try await contents(origin)
    #expect(try await contents(copy) == expected)
    try copy.checkIndexes()
    #expect(try faults() == [])
  }

  /// The rows of the copy whose checksums are wrong.
  private func faults() throws -> [String] {
    guard let library = try? copy.sqlite else { return [] }
    return try RowSeal.image.faults(limit: 9, library.connection())
  }

  @Test(arguments: [1, 2, 1_000]) func `is equal after the last page`(limit: Int) async throws {
    _ = try await origin.library.setPinned(true, imageID: 2)

    let counts = try await follow(limit: limit)

    #expect(counts.new == 4)
    try await expectEqual()
    #expect(try await copy.names(ImageQuery(search: "trees")) == ["b"])
    #expect(try await follow() == MirrorCounts())
  }

  @Test func `follows changes, and what is removed`() async throws {
    try await follow()
    _ = try await origin.library.set(.title("Mine"), ofFeed: 1)
    _ = try await origin.library.removeFeed(id: 2, purging: false)
    try await origin.sync([
      .sample("new", id: "new"), .sample("b", id: "b", title: "Wood"), .sample("a", id: "a"),
    ])
    try await follow()

    try await expectEqual()
    #expect(try await copy.names(ImageQuery(search: "forest")) == [])

    try await origin.sync([.sample("d", id: "d", title: "Sun")], to: .otherFeed, title: "Sun")
    try await follow()
    try await expectEqual()
  }

  @Test(arguments: 0...7) func `goes on where it was`(pages: Int) async throws {
    try await follow(limit: 1, pages: pages)
    try await origin.sync([.sample("new", id: "new"), .sample("c", id: "c", title: "Now")])
    // Another process continues.
    let again = copy.reopened()
    let seen = try await again.mirror(of: base(origin))?.cursor
    #expect(try await copy.library.mirror(of: base(origin))?.cursor == seen)
    try await follow(limit: 1)

    try await expectEqual()
  }

  @Test(.only(.sqlite, "triggers"))
  func `a page that fails changes nothing`() async throws {
    try await follow(limit: 2, pages: 1)
    let before = try await contents(copy)
    let cursor = try await copy.library.mirror(of: base(origin))?.cursor
    try copy.execute(
      "CREATE TRIGGER refusal BEFORE UPDATE ON mirror BEGIN SELECT raise(ABORT, 'no'); END"
    )

    await #expect(throws: StoreError.self) { try await follow(limit: 1_000) }

    #expect(try await contents(copy) == before)
    #expect(try await copy.library.mirror(of: base(origin))?.cursor == cursor)
  }

  @Test func `galleries that mirror one another come to rest`() async throws {
    let third = try TemporaryStore()
    try await third.sync([.sample("own", id: "own")], to: .address("https://own.example/"))
    for _ in 0..<3 {
      try await follow(origin, by: copy)
      try await follow(copy, by: third)
      try await follow(third, by: origin)
    }

    let libraries = [origin, copy, third]
    let numbers = try libraries.map { try $0.numbers("SELECT change_seq FROM image ORDER BY id") }
    try await follow(origin, by: copy)
    try await follow(copy, by: third)
    try await follow(third, by: origin)
    let after = try libraries.map { try $0.numbers("SELECT change_seq FROM image ORDER BY id") }
    #expect(after == numbers)
    for library in libraries {
      #expect(try await library.library.feeds().count { !$0.isGallery } == 3)
      #expect(try await library.names().count == 5)
    }
  }

  @Test func `a feed that the user has removed stays away`() async throws {
    try await follow()
    let feeds = try await copy.library.feeds().filter { !$0.isGallery }
    _ = try await copy.library.removeFeed(id: feeds[0].id, purging: false)
    try await origin.sync([.sample("new", id: "new")])
    let counts = try await follow()

    #expect(counts.new == 0)
    #expect(try await copy.library.feeds().count { !$0.isGallery } == 1)
  }

  @Test(.only(.sqlite, "images that are shown in steps"))
  func `a feed that comes back is shown whole, also after an interruption`() async throws {
    let count = 3 * Limits.imagesPerTransaction.upperBound
    try await origin.sync((0..<count).map { .sample("more\($0)", id: "more\($0)") })
    try await follow()
    let gallery = try #require(try await copy.library.feeds().first { $0.isGallery })
    _ = try await copy.library.removeFeed(id: gallery.id, purging: false)
    let hidden = "SELECT count(*) FROM image WHERE is_hidden = 1"
    #expect(try copy.numbers(hidden) == [Int64(count + 4)])
    // As if a power cut had come after the first transactions.
    let interrupted = "UPDATE feed SET is_removed = 0 WHERE id IN (SELECT feed_id FROM mirror_feed)"
    try copy.execute(interrupted)

    let page = try await page(origin, nil, limit: 10_000)
    let feeds = MirrorPage(lines: page.lines.filter { $0.position.kind == .feed })
    let sizes = try await copy.library.apply(feeds, to: target(origin))

    #expect(sizes.new == 0)
    #expect(try copy.numbers(hidden) == [0])
  }

  @Test func `wants the thumbnails that the other gallery has`() async throws {
    let wanted = try await origin.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await origin.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    try await follow()
    let missing = try await copy.library.wantedThumbnails(from: base(origin), limit: 9)
    #expect(missing.map(\.hash) == [PictureInfo.sample.hash])
    #expect(missing.map(\.isMade) == [false])
    let fetched = missing.map { thumbnail in
      FetchedThumbnail(
        imageID: thumbnail.imageID,
        address: thumbnail.address,
        validators: Validators(),
        info: .sample,
        bytes: [1, 2, 3],
        fetched: .first,
        checkDate: .second
      )
    }
    try await copy.library.store(PictureBatch(new: fetched), .thumbnail)
    #expect(try await copy.library.wantedThumbnails(from: base(origin), limit: 9) == [])
    #expect(try await copy.library.thumbnailBytes(imageID: missing[0].imageID) == [1, 2, 3])
  }

  // MARK: Addresses that the gallery does not tell

  /// A page as the gallery sends it when its first feed is a folder, with the addresses that stand for those of files.
  private func withoutFiles(_ page: MirrorPage) -> MirrorPage {
    let gallery = target(origin).gallery
    var page = page
    page.lines = page.lines.map { line in
      let id = line.position.id
      var line = line
      switch line.state {
      case .feed(var feed) where id == 1:
        feed.address = gallery.feed(id, of: "") ?? feed.address
        line.state = .feed(feed)
      case .image(var image) where image.feedID == 1:
        image.fields.originalAddress = gallery.original(ofImage: id)?.text ?? ""
        line.state = .image(image)
      default: break
      }
      return line
    }
    return page
  }

  @Test func `a copy of files that are not told has addresses of the gallery`() async throws {
    let target = target(origin)
    let page = withoutFiles(try await page(origin, nil, limit: 1_000))
    let counts = try await copy.library.apply(page, to: target)
    let feeds = try await copy.library.feeds().filter { !$0.isGallery }
    let image = try #require(try await copy.library.image(id: 1))

    #expect(counts.new == 4)
    let address = try #require(target.gallery.feed(1, of: target.library))
    #expect(feeds.map(\.address) == [address, .otherFeed])
    #expect(image.originalAddress.text.hasPrefix(target.gallery.base.text + "images/"))
    // A line of the same images may come again, and with changes.
    #expect(try await copy.library.apply(page, to: target).news == 0)
    try await origin.sync([.sample("a", id: "a", title: "Storm")])
    let changes = withoutFiles(try await self.page(origin, page.cursor, limit: 1_000))
    #expect(try await copy.library.apply(changes, to: target).new == 0)
    #expect(try await copy.names(ImageQuery(search: "storm")).count == 1)
    #expect(try await copy.library.feeds().count { !$0.isGallery } == 2)
  }

  @Test func `the original of a file is where its gallery is now, also after that has moved`()
    async throws
  {
    let target = target(origin)
    let page = withoutFiles(try await page(origin, nil, limit: 1_000))
    _ = try await copy.library.apply(page, to: target)
    let image = try #require(try await copy.library.image(id: 1))
    let told = try #require(
      try await copy.library.imageIDs(matching: ImageQuery(search: "sun")).first
    )
    let first = try await copy.library.mirroredOriginal(imageID: 1)
    let new = GalleryAddress(base: .address("https://ann:token@new.example/"), isStatic: false)
    let moved = MirrorTarget(
      gallery: new,
      library: target.library,
      former: target.gallery.base,
      now: .second
    )
    _ = try await copy.library.apply(MirrorPage(lines: []), to: moved)
    let second = try await copy.library.mirroredOriginal(imageID: 1)

    #expect(first?.hash == nil)
    #expect(first?.untold == image.originalAddress)
    #expect(second?.gallery == new.base)
    let name = image.originalAddress.text.dropFirst(target.gallery.base.text.utf8.count)
    #expect(second?.untold?.text == new.base.text + name)
    #expect(second?.address == image.originalAddress)
    // Others have this one, too, and the gallery has not stored it.
    #expect(try await copy.library.mirroredOriginal(imageID: told) == nil)
  }

  @Test func `the original of a file whose path was told is in its gallery, too`() async throws {
    let target = target(origin)
    var page = withoutFiles(try await page(origin, nil, limit: 1_000))
    page.lines = page.lines.map { line in
      guard case .image(var image) = line.state, image.feedID == 1 else { return line }
      image.fields.originalAddress = "file:///home/ann/\(image.id).jpg"
      return ChangeLine(position: line.position, state: .image(image))
    }
    _ = try await copy.library.apply(page, to: target)
    let original = try await copy.library.mirroredOriginal(imageID: 1)

    #expect(original?.address.isFile == true)
    #expect(original?.untold?.text.hasPrefix(target.gallery.base.text + "images/") == true)
  }

  @Test func `the original of a file of a third library is not in the gallery that has told it`()
    async throws
  {
    let page = withoutFiles(try await page(origin, nil, limit: 1_000))
    _ = try await copy.library.apply(page, to: target(origin))
    let last = try TemporaryStore()
    let lines = try await self.page(copy, nil, limit: 1_000)
    _ = try await last.library.apply(lines, to: target(copy))

    // Where the ids are the same in each library, only the feed tells whose file it is.
    let ids = try last.numbers(
      """
      SELECT image_id FROM mirror_image JOIN image ON image.id = image_id
      WHERE original_address = '\(base(origin).text)images/' || origin_id || '/original'
      """
    )
    let id = try #require(ids.first)
    #expect(try await last.library.mirroredOriginal(imageID: id) == nil)
  }

  @Test func `a copy keeps the addresses that it has when they are told no more`() async throws {
    try await follow()
    try copy.execute("UPDATE image SET original_state = 1")
    let cursor = try await copy.library.mirror(of: base(origin))?.cursor
    try await origin.sync([
      .sample("a", id: "a", title: "Storm"), .sample("b", id: "b"), .sample("c", id: "c"),
    ])
    _ = try await origin.library.set(.title("Mine"), ofFeed: 1)
    let page = withoutFiles(try await page(origin, cursor, limit: 1_000))
    let counts = try await copy.library.apply(page, to: target(origin))

    #expect(counts.changed > 0 && counts.new == 0)
    #expect(try copy.numbers("SELECT count(*) FROM image WHERE original_state <> 1") == [0])
    #expect(try await copy.names(ImageQuery(search: "storm")) == ["a"])
    let feeds = try await copy.library.feeds().filter { !$0.isGallery }
    #expect(feeds.map(\.address) == [.feed, .otherFeed])
    #expect(feeds.first?.title == "Mine")
  }

  /// A copy that was made when galleries still told the addresses of files.
  @Test func `a copy with the address of a file tells the one that stands for it`() async throws {
    let target = target(origin)
    var page = try await page(origin, nil, limit: 1_000)
    page.lines = page.lines.map { line in
      guard case .feed(var feed) = line.state, feed.id == 1 else { return line }
      feed.address = .address("file:///home/ann/Pictures/")
      return ChangeLine(position: line.position, state: .feed(feed))
    }
    _ = try await copy.library.apply(page, to: target)
    let lines = try await self.page(copy, nil, limit: 1_000).lines
    let told = lines.compactMap { line in
      if case .feed(let feed) = line.state, !feed.isGallery { feed } else { nil as Feed? }
    }
    let standIn = try #require(target.gallery.feed(1, of: target.library))

    #expect(told.first?.address.isFile == true)
    #expect(told.map(\.publishedAddress) == [standIn.text, WebAddress.otherFeed.text])
    // Another copy of the gallery, which had it at another address, brings the feed a second time.
    let other = GalleryAddress(base: .address("https://copy.example/"), isStatic: false)
    let elsewhere = try #require(
      GalleryAddress(base: .address("http://10.0.0.1/"), isStatic: false)
        .feed(1, of: target.library)
    )
    let line = ChangeLine(
      position: ChangePosition(number: 1, kind: .feed, id: 5),
      state: .feed(Feed(id: 5, address: elsewhere))
    )
    let second = MirrorTarget(gallery: other, library: "other", now: .second)
    _ = try await copy.library.apply(MirrorPage(lines: [line]), to: second)
    #expect(try await copy.library.feeds().count { !$0.isGallery } == 2)
  }

  @Test func `a library does not mirror its own files from a copy`() async throws {
    try await copy.sync([.sample("own", id: "own")], to: .address("https://own.example/"))
    let own = try await copy.library.version().library
    let base = WebAddress.address("https://copy.example/")
    let gallery = GalleryAddress(base: base, isStatic: false)
    let target = MirrorTarget(gallery: gallery, library: "other", now: .second)
    func put(_ id: Int64, _ address: WebAddress?) async throws -> Int {
      let feed = Feed(id: id, address: try #require(address))
      let line = ChangeLine(
        position: ChangePosition(number: id, kind: .feed, id: id),
        state: .feed(feed)
      )
      _ = try await copy.library.apply(MirrorPage(lines: [line]), to: target)
      return try await copy.library.feeds().count { !$0.isGallery }
    }

    #expect(!own.isEmpty)
    #expect(try await put(1, gallery.feed(9, of: own)) == 1)
    #expect(try await put(2, gallery.feed(9, of: "third")) == 2)
    #expect(try await put(3, gallery.feed(3, of: "")) == 3)
  }

  @Test func `counts the bytes of texts in new and changed rows once`() async throws {
    let page = try await page(origin, nil, limit: 1_000)
    let target = target(origin)
    let first = try await copy.library.apply(page, to: target)
    let again = try await copy.library.apply(page, to: target)
    try await origin.sync([.sample("a", id: "a", title: "A much longer title")])
    let changes = try await follow()

    // The page has the feed before its images more than once, with different numbers.
    let rows = Dictionary(page.lines.map { ("\($0.position.kind) \($0.position.id)", $0) }) { $1 }
    #expect(rows.count < page.lines.count)
    #expect(first.textBytes == rows.values.reduce(0) { $0 + $1.textBytes })
    #expect((again.new, again.changed, again.textBytes) == (0, 0, 0))
    #expect(changes.changed > 0 && (1..<first.textBytes).contains(changes.textBytes))
  }

  @Test(.only(.sqlite, "a check of all feeds"))
  func `adds thousands of feeds without reading all of them for each`() async throws {
    let lines = (1...3_000).map { (number: Int64) in
      ChangeLine(
        position: ChangePosition(number: number, kind: .feed, id: number),
        state: .feed(Feed(id: number, address: .address("https://own.example/\(number)")))
      )
    }
    let target = target(origin)
    for start in stride(from: 0, to: lines.count, by: 50) {
      let page = MirrorPage(lines: Array(lines[start...].prefix(50)))
      _ = try await copy.library.apply(page, to: target)
    }

    #expect(try await copy.library.mirror(of: base(origin))?.feeds.count == 3_000)
    // The next check is due when their number has doubled.
    #expect(try copy.sqlite.library.readWritten { $0.soundFeeds.left } > 1_000)
  }

  // MARK: Thumbnails that stay those of the gallery

  /// Fetches the thumbnails that the copy lacks, made smaller from others if `source` is their hash.
  private func fetchThumbnails(source: String? = nil) async throws {
    for thumbnail in try await copy.library.wantedThumbnails(from: base(origin), limit: 9) {
      let fetched = FetchedThumbnail(
        imageID: thumbnail.imageID,
        address: thumbnail.address,
        validators: Validators(),
        info: .sample,
        bytes: [1, 2, 3],
        fetched: .first,
        checkDate: .second,
        sourceSHA256: source
      )
      let kind = thumbnail.isMade ? PictureKind.madeThumbnail : .thumbnail
      try await copy.library.store(PictureBatch(new: [fetched]), kind)
    }
  }

  /// Makes a copy of which each image has the thumbnail of the gallery, which the gallery has made, but one.
  private func copyThumbnails(source: String? = nil) async throws {
    for kind in [PictureKind.thumbnail, .madeThumbnail] {
      let wanted = try await origin.library.wanted(kind, feedID: 1, .all, after: nil, limit: 9)
      try await origin.library.store(PictureBatch(new: wanted.map { .sample($0) }), kind)
    }
    try await follow()
    try await fetchThumbnails(source: source)
    #expect(try await copy.library.wantedThumbnails(from: base(origin), limit: 9) == [])
  }

  private func storeOriginal(
    _ bytes: [UInt8],
    of id: Int64,
    in store: TemporaryStore? = nil
  ) async throws {
    let library = (store ?? copy).library
    let address = try #require(try await library.image(id: id)?.originalAddress)
    let file = try await library.openOriginalFile(imageID: id)
    try await file.restart(OriginalVersion(address: address))
    try await file.append(bytes)
    let receipt = OriginalReceipt(
      info: PictureInfo(format: .png, bytes: bytes.count, width: 3, height: 2),
      address: address,
      validators: Validators(),
      arrived: .first,
      checkDate: .second
    )
    _ = try await file.commit(receipt)
  }

  /// The image of the copy with a title.
  private func id(_ title: String) async throws -> Int64 {
    try #require(try await copy.library.imageIDs(matching: ImageQuery(search: title)).first)
  }

  private func state(ofThumbnail id: Int64) throws -> [Int64] {
    try copy.numbers("SELECT thumbnail_state FROM image WHERE id = \(id)")
  }

  @Test(arguments: [nil, String(repeating: "ab", count: 32)])
  func `an original that arrives leaves the thumbnail of the gallery`(source: String?) async throws
  {
    try await copyThumbnails(source: source)
    let (made, named) = (try await id("forest"), try await id("sea"))

    for id in [made, named] { try await storeOriginal([4, 5], of: id) }

    for (id, state) in [(made, ThumbnailState.made), (named, .stored)] {
      #expect(try self.state(ofThumbnail: id) == [state.rawValue])
      #expect(try await copy.library.wantedThumbnail(madeFor: id) == nil)
      #expect(try await copy.library.wantedThumbnail(imageID: id) == nil)
    }
  }

  @Test(arguments: ["forest", "sea"])
  func `a damaged thumbnail is wanted from the gallery, also while one is made from the original`(
    title: String
  ) async throws {
    try await copyThumbnails()
    let id = try await id(title)
    try await storeOriginal([4, 5], of: id)
    let before = try state(ofThumbnail: id)

    // A verification may find it more than once.
    for _ in 1...2 { try await copy.library.mark(.thumbnail(imageID: id), as: .damaged) }

    let wanted = try await copy.library.wantedThumbnail(imageID: id)
    #expect(wanted?.hash == PictureInfo.sample.hash && wanted?.bytes == 3)
    #expect(try await copy.library.wantedThumbnails(from: base(origin), limit: 9) == [wanted])
    // The gallery may be gone for good. What a feed names is not made.
    let making = try await copy.library.wantedThumbnail(madeFor: id)
    #expect((making == nil) == (title == "sea"))
    if let making {
      var made = FetchedThumbnail.sample(making, bytes: [7, 8, 9])
      made.sourceSHA256 = try await copy.library.original(imageID: id)?.sha256
      try await copy.library.store(PictureBatch(new: [made]), .madeThumbnail)
      #expect(try await copy.library.wantedThumbnail(madeFor: id) == nil)
      try await copy.library.mark(.thumbnail(imageID: id), as: .damaged)
    }
    // The image may come again with the same thumbnail before that.
    try await origin.sync([
      .sample("a", id: "a", title: "Sea air", thumbnail: "ta", published: .first),
      .sample("b", id: "b", title: "Forest path"), .sample("c", id: "c"),
    ])
    try await follow()
    #expect(try await copy.library.wantedThumbnail(imageID: id)?.hash == wanted?.hash)

    try await fetchThumbnails()

    #expect(try await copy.library.wantedThumbnail(imageID: id) == nil)
    #expect(try state(ofThumbnail: id) == before)
    #expect(try copy.numbers("SELECT count(*) FROM damage") == [0])
  }

  @Test func `of a damaged thumbnail that was made smaller, that of the gallery is wanted`()
    async throws
  {
    let source = String(repeating: "ab", count: 32)
    try await copyThumbnails(source: source)
    let id = try await id("forest")

    for _ in 1...2 { try await copy.library.mark(.thumbnail(imageID: id), as: .damaged) }

    let wanted = try await copy.library.wantedThumbnail(imageID: id)
    #expect(wanted?.hash == SHA256Digest(hexadecimal: source))
    // How long it is, is not known.
    #expect(wanted.map { $0.bytes > 1 << 30 } == true)
  }

  @Test
  func `a thumbnail that has not come yet is made here, and gives way to that of the gallery`()
    async throws
  {
    let made = try await origin.library.wanted(
      .madeThumbnail,
      feedID: 1,
      .all,
      after: nil,
      limit: 9
    )
    try await origin.library.store(PictureBatch(new: made.map { .sample($0) }), .madeThumbnail)
    try await follow()
    let id = try await id("forest")
    try await storeOriginal([4, 5], of: id)
    let wanted = try #require(try await copy.library.wantedThumbnail(madeFor: id))
    var thumbnail = FetchedThumbnail.sample(wanted, bytes: [7, 8, 9])
    thumbnail.sourceSHA256 = try await copy.library.original(imageID: id)?.sha256

    try await copy.library.store(PictureBatch(new: [thumbnail]), .madeThumbnail)

    #expect(try await copy.library.thumbnailBytes(imageID: id) == [7, 8, 9])
    #expect(try await copy.library.wantedThumbnail(imageID: id)?.hash == PictureInfo.sample.hash)
    try await fetchThumbnails()
    #expect(try await copy.library.thumbnailBytes(imageID: id) == [1, 2, 3])
    #expect(try await copy.library.wantedThumbnail(imageID: id) == nil)
  }

  @Test func `a thumbnail that the gallery has not is made here, and made again`() async throws {
    try await follow()
    let id = try await id("forest")
    func make() async throws {
      let wanted = try #require(try await copy.library.wantedThumbnail(madeFor: id))
      var thumbnail = FetchedThumbnail.sample(wanted)
      thumbnail.sourceSHA256 = try await copy.library.original(imageID: id)?.sha256
      try await copy.library.store(PictureBatch(new: [thumbnail]), .madeThumbnail)
      #expect(try await copy.library.wantedThumbnail(madeFor: id) == nil)
    }
    try await storeOriginal([4, 5], of: id)
    try await make()

    try await storeOriginal([6, 7], of: id)
    try await make()
    try await copy.library.mark(.thumbnail(imageID: id), as: .damaged)

    #expect(try await copy.library.wantedThumbnail(imageID: id) == nil)
    try await make()

    // A disk may only have been away.
    for condition in [StoredCondition.damaged, .whole] {
      try await copy.library.mark(.thumbnail(imageID: id), as: condition)
    }
    try await make()
  }

  @Test
  func `a thumbnail of the gallery's original is made again, also once that has given way`()
    async throws
  {
    let source = String(repeating: "cd", count: 32)
    try await follow()
    let id = try await id("forest")
    let hash = copy.bytes(hexadecimal: source)
    try copy.execute("UPDATE mirror_image SET original_sha256 = \(hash) WHERE image_id = \(id)")
    try await storeOriginal([4, 5], of: id)
    let wanted = try #require(try await copy.library.wantedThumbnail(madeFor: id))
    var thumbnail = FetchedThumbnail.sample(wanted)
    // The library has no row of that original any more.
    thumbnail.sourceSHA256 = source
    try await copy.library.store(PictureBatch(new: [thumbnail]), .madeThumbnail)

    try await copy.library.mark(.thumbnail(imageID: id), as: .damaged)

    #expect(try await copy.library.wantedThumbnail(imageID: id) == nil)
    #expect(try await copy.library.wantedThumbnail(madeFor: id) != nil)
  }

  @Test
  func `a thumbnail of the gallery's original is made again for another one of the gallery`()
    async throws
  {
    let there = try #require(
      try await origin.library.imageIDs(matching: ImageQuery(search: "forest")).first
    )
    try await storeOriginal([4, 5], of: there, in: origin)
    try await follow()
    let id = try await id("forest")
    try await storeOriginal([8, 9], of: id)
    let wanted = try #require(try await copy.library.wantedThumbnail(madeFor: id))
    var thumbnail = FetchedThumbnail.sample(wanted)
    // The library has no row of that original any more.
    thumbnail.sourceSHA256 = try await origin.library.original(imageID: there)?.sha256
    try await copy.library.store(PictureBatch(new: [thumbnail]), .madeThumbnail)
    try await follow()
    #expect(try state(ofThumbnail: id) == [ThumbnailState.made.rawValue])

    try await storeOriginal([6, 7], of: there, in: origin)
    try await follow()

    #expect(try await copy.library.wantedThumbnail(madeFor: id) != nil)
    // It is shown until then.
    #expect(try await copy.library.thumbnailBytes(imageID: id) != nil)
    // The image may come again before that.
    try await origin.sync([.sample("b", id: "b", title: "Forest path", caption: "Trees")])
    #expect(try await follow().changed > 0)
    #expect(try await copy.library.wantedThumbnail(madeFor: id) != nil)
  }

  @Test(arguments: [nil, String(repeating: "ab", count: 32)])
  func `another original of the gallery leaves the thumbnail of the gallery`(
    source: String?
  ) async throws {
    let there = try #require(
      try await origin.library.imageIDs(matching: ImageQuery(search: "forest")).first
    )
    try await storeOriginal([4, 5], of: there, in: origin)
    try await copyThumbnails(source: source)
    let id = try await id("forest")

    try await storeOriginal([6, 7], of: there, in: origin)
    try await follow()

    #expect(try await copy.library.wantedThumbnail(madeFor: id) == nil)
  }

  @Test func `does not want a thumbnail again that it has made smaller`() async throws {
    let wanted = try await origin.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await origin.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    try await follow()
    let missing = try await copy.library.wantedThumbnails(from: base(origin), limit: 9)
    let thumbnail = try #require(missing.first)
    let fetched = FetchedThumbnail(
      imageID: thumbnail.imageID,
      address: thumbnail.address,
      validators: Validators(),
      info: PictureInfo(format: .jpeg, bytes: 2, width: 32, height: 20),
      bytes: [4, 5],
      fetched: .first,
      checkDate: .second,
      sourceSHA256: thumbnail.hash.hexadecimal
    )
    try await copy.library.store(PictureBatch(new: [fetched]), .thumbnail)
    #expect(try await copy.library.wantedThumbnails(from: base(origin), limit: 9) == [])

    try await origin.sync([.sample("a", id: "a", title: "Ocean", thumbnail: "ta")])
    let changes = try await follow()
    #expect(changes.changed > 0)
    #expect(try await copy.library.wantedThumbnails(from: base(origin), limit: 9) == [])
  }
}

import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct MemberTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `remembers members in order, with what to ask them with`() async throws {
    try await sync(["a": ["1"], "b": ["2"]])

    #expect(
      try await store.library.contents(ofFeedAt: .feed).members == [member("a"), member("b")]
    )
  }

  @Test func `a member that has not changed keeps its images listed`() async throws {
    try await sync(["a": ["1", "2"], "b": ["3"]])

    let counts = try await sync(["b": ["3"]], kept: ["a"])

    #expect(counts == ImageCounts(total: 3))
    #expect(try await store.images().map(\.isGone) == [false, false, false])
  }

  @Test func `a member has no images of the unchanged one before it`() async throws {
    try await sync(["a": ["1"], "b": ["2"]])
    try await sync(["b": ["2"]], kept: ["a"])

    let counts = try await sync([:], kept: ["b"])

    #expect(counts == ImageCounts(total: 1, gone: 1))
  }

  @Test func `what a member no longer lists is gone, and its member with it`() async throws {
    try await sync(["a": ["1", "2"], "b": ["3"]])

    let counts = try await sync(["a": ["1"]])

    #expect(counts == ImageCounts(total: 1, gone: 2))
    #expect(try await store.library.contents(ofFeedAt: .feed).members == [member("a")])
  }

  @Test func `a member that could not be read keeps its place`() async throws {
    try await sync(["a": ["1"], "b": ["2"]])

    let counts = try await sync(["a": ["1"]], isWhole: false)

    #expect(counts == ImageCounts(total: 1))
    #expect(try await store.library.contents(ofFeedAt: .feed).members.count == 2)
  }

  @Test func `a picture with a new address in a member stays with it`() async throws {
    try await sync(["a": ["1"]])
    try await sync(["a": ["1"]], suffix: "-moved")

    let counts = try await sync([:], kept: ["a"])

    #expect(counts == ImageCounts(total: 1))
    #expect(try await store.images().map(\.isGone) == [false])
  }

  @Test func `finds all images of a manifest by what it says, and tells it with each`() async throws
  {
    try await sync(["a": ["1", "2"], "b": ["3"]], manifests: ["a": .hours, "b": .scroll])

    for words in ["hours", "hours anonym", "ms 5", "hours image", "image bruges"] {
      #expect(try await store.names(search: words) == ["1", "2"], "\(words)")
    }
    for words in ["物語", "源氏", "式部", "物語 image", "image 式部"] {
      #expect(try await store.names(search: words) == ["3"], "\(words)")
    }
    #expect(try await store.names(search: "hours 物語") == [])
    #expect(try await store.names(search: "image") == ["1", "2", "3"])
    #expect(try await store.library.image(id: 1)?.manifest == .hours)
    #expect(try await store.library.image(id: 3)?.manifest == .scroll)
    try store.checkIndexes()
  }

  @Test func `lists the manifests, and the images of one in every order`() async throws {
    try await sync(["a": ["1", "2"], "b": ["3"]], manifests: ["a": .hours])
    let address = member("a").address

    let found = try await store.library.manifests(at: address)
    let hours = FeedManifest(id: 1, feedID: 1, address: address, label: "Hours", imageCount: 2)
    #expect(found == [hours])
    #expect(try await store.library.manifests(at: nil).map(\.imageCount) == [2, 1])
    #expect(try await store.library.manifests(at: .otherFeed) == [])
    for order in ImageQuery.Order.allCases {
      let names = try await store.names(ImageQuery(order: order, manifestID: 1, search: "image"))
      #expect(names.sorted() == ["1", "2"])
      #expect(
        try await store.names(ImageQuery(order: order, manifestID: 1)).sorted() == ["1", "2"]
      )
    }
  }

  @Test func `forgets what a manifest said when it says something else, or goes`() async throws {
    try await sync(["a": ["1"]], manifests: ["a": .hours])
    try await sync(["a": ["1"]], manifests: ["a": .scroll])

    #expect(try await store.names(search: "hours") == [])
    #expect(try await store.names(search: "源氏") == ["1"])
    _ = try await store.library.removeFeed(id: 1, purging: true)
    #expect(try await store.library.manifests(at: nil) == [])
    #expect(try store.numbers("SELECT count(*) FROM member") == [0])
    try store.checkIndexes()
  }

  @Test func `a feed that is a manifest has what it says, and no member to ask for`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([.sample("1", title: "image"), .sample("2")])
    let end = FeedDocument(format: .iiif, manifest: .hours)
    _ = try await writer.finish(end, answer: FeedAnswer(), isWhole: true)

    #expect(try await store.names(search: "shelf hours") == ["1", "2"])
    #expect(try await store.library.image(id: 2)?.manifest == .hours)
    #expect(try await store.library.contents(ofFeedAt: .feed).members == [])
    #expect(try await store.library.manifests(at: .feed).map(\.imageCount) == [2])
  }

  /// Writes a collection whose members have images by id, some of them unchanged.
  @discardableResult
  private func sync(
    _ members: KeyValuePairs<String, [String]>,
    manifests: [String: Manifest] = [:],
    kept: [String] = [],
    suffix: String = "",
    isWhole: Bool = true
  ) async throws -> ImageCounts {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    for name in kept { try await writer.keepMember(at: member(name).address) }
    for (name, ids) in members {
      try await writer.append(ids.map { .sample($0 + suffix, id: $0, title: "image") })
      var member = member(name)
      member.manifest = manifests[name]
      try await writer.endDocument(member: member)
    }
    let end = FeedDocument(format: .iiif, listsEverything: isWhole)
    return try await writer.finish(end, answer: FeedAnswer(), isWhole: isWhole).counts
  }

  private func member(_ name: String) -> FeedMember {
    let address = WebAddress.feed.resolving("/\(name)") ?? .feed
    return FeedMember(address: address, validators: Validators(entityTag: "\"\(name)\""))
  }
}

extension Manifest {
  fileprivate static let hours = Manifest(
    label: "Hours",
    pageAddress: .picture("hours"),
    attribution: "Library of Bruges",
    rights: "CC0",
    details: [
      Detail(label: "Creator", value: "Anonymous"), Detail(label: "Shelf mark", value: "MS 5"),
    ]
  )
  fileprivate static let scroll = Manifest(
    label: "源氏物語絵巻",
    details: [Detail(label: "Author", value: "紫式部")]
  )
}

extension TemporaryStore {
  fileprivate func names(search: String) async throws -> [String] {
    try await names(ImageQuery(order: .feed, search: search))
  }
}

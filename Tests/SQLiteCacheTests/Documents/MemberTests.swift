import Models
import Testing
import Workers

@testable import SQLiteCache

struct MemberTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  @Test func `remembers members in order, with what to ask them with`() throws {
    try sync(["a": ["1"], "b": ["2"]])

    #expect(
      try store.library.members(ofFeedAt: .feed) == [member("a"), member("b")]
    )
  }

  @Test func `a member that has not changed keeps its images listed`() throws {
    try sync(["a": ["1", "2"], "b": ["3"]])

    let counts = try sync(["b": ["3"]], kept: ["a"])

    #expect(counts == ImageCounts(total: 3))
    #expect(try store.images().map(\.isGone) == [false, false, false])
  }

  @Test func `what a member no longer lists is gone, and its member with it`() throws {
    try sync(["a": ["1", "2"], "b": ["3"]])

    let counts = try sync(["a": ["1"]])

    #expect(counts == ImageCounts(total: 1, gone: 2))
    #expect(try store.library.members(ofFeedAt: .feed) == [member("a")])
  }

  @Test func `a member that could not be read keeps its place`() throws {
    try sync(["a": ["1"], "b": ["2"]])

    let counts = try sync(["a": ["1"]], isWhole: false)

    #expect(counts == ImageCounts(total: 1))
    #expect(try store.library.members(ofFeedAt: .feed).count == 2)
  }

  @Test func `a picture with a new address in a member stays with it`() throws {
    try sync(["a": ["1"]])
    try sync(["a": ["1"]], suffix: "-moved")

    let counts = try sync([:], kept: ["a"])

    #expect(counts == ImageCounts(total: 1))
    #expect(try store.images().map(\.isGone) == [false])
  }

  /// Writes a collection whose members have images by id, some of them unchanged.
  @discardableResult
  private func sync(
    _ members: KeyValuePairs<String, [String]>,
    kept: [String] = [],
    suffix: String = "",
    isWhole: Bool = true
  ) throws -> ImageCounts {
    let writer = try store.library.writer(forFeedAt: .feed, now: .first)
    for name in kept { try writer.keepMember(at: member(name).address) }
    for (name, ids) in members {
      try writer.append(ids.map { .sample($0 + suffix, id: $0) })
      try writer.endDocument(member: member(name))
    }
    let end = FeedDocument(format: .iiif, listsEverything: isWhole)
    return try writer.finish(end, answer: FeedAnswer(), isWhole: isWhole).counts
  }

  private func member(_ name: String) -> FeedMember {
    let address = WebAddress.feed.resolving("/\(name)") ?? .feed
    return FeedMember(address: address, validators: Validators(entityTag: "\"\(name)\""))
  }
}

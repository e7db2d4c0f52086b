import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct FollowedFolderTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a")])
  }

  private func folder(_ path: String, search: String? = nil) throws -> FollowedFolder {
    FollowedFolder(
      path: path,
      query: ImageQuery(feedID: 1, search: search),
      template: try NameTemplate("{id}.{ext}"),
      sidecars: .json
    )
  }

  @Test func `keeps folders by path, and the newest of one`() async throws {
    let library = store.library
    try await library.follow(folder("/b"))
    try await library.follow(folder("/a"))
    var moon = try folder("/b", search: "moon")
    moon.isMissing = true
    try await library.follow(moon)
    #expect(try await library.followedFolders() == [try folder("/a"), moon])

    try await library.unfollow(folderAt: "/a")
    try await library.unfollow(folderAt: "/none")
    #expect(try await store.reopened().followedFolders() == [moon])
  }

  /// The library of a program that does not have the second migration.
  @Test(.only(.sqlite, "migrations"))
  func `a library of the first version is read, and migrated by the first write`()
    async throws
  {
    try await store.sqlite.library.flush()
    try store.sqlite.makeFirstVersion()
    let again = store.reopened()
    #expect(try await again.followedFolders() == [])
    try await again.follow(folder("/a"))

    #expect(try await again.followedFolders() == [try folder("/a")])
    #expect(try store.numbers("SELECT user_version FROM pragma_user_version") == [Schema.version])
    #expect(try await again.feeds().map(\.id) == [1])
  }
}

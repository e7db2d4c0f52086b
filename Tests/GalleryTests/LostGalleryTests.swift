import Models
import TestSupport
import Testing
import Workers

/// Mirrors a loopback server that loses its images, or claims to be another gallery.
struct LostGalleryTests {
  private typealias Page = HostileGalleryTests
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  /// The pages of a gallery whose content a test changes.
  private final class Gallery {
    private struct Content: Sendable {
      var all: [String]
      /// The pages of changes behind the cursor of `all`; nil when that cursor is too old.
      var changes: [[String]]? = [[]]
      var library = Page.library
    }

    private let content: Locked<Content>
    private let server: LoopbackServer
    let address: String

    init(images: ClosedRange<Int>) throws {
      let content = Locked(Content(all: [Page.feed] + images.map { Page.image($0) }))
      let server = try LoopbackServer { request in
        content.withLock { Gallery.answer(request.target, $0) }
      }
      (self.content, self.server) = (content, server)
      address = server.address("/")?.text ?? ""
    }

    deinit { server.stop() }

    /// The page 1.N is that behind the cursor 1.(N - 1); a token gives no access to the tree.
    private static func answer(_ target: String, _ content: Content) -> LoopbackResponse {
      if target.contains("/tree/") { return Page.json("{}", status: 403) }
      guard let since = target.split(separator: "since=1.").dropFirst().first.flatMap({ Int($0) })
      else { return Page.page(content.all + [Page.end("1.0", library: content.library)]) }
      guard let changes = content.changes else { return Page.json("{}", status: 410) }
      let lines = since < changes.count ? changes[since] : []
      let number = min(since + 1, changes.count)
      let end = Page.end("1.\(number)", more: number < changes.count, library: content.library)
      return Page.page(lines + [end])
    }

    func change(_ pages: [[String]]) { content.withLock { $0.changes = pages } }

    /// Restores the gallery with other images, so that no cursor is valid.
    func replace(images: ClosedRange<Int>, library: String = Page.library) {
      let all = [Page.feed] + images.map { Page.image($0) }
      content.withLock { $0 = Content(all: all, changes: nil, library: library) }
    }
  }

  private static func removal(_ type: String, _ id: Int) -> String {
    #"{"seq":\#(100 + id),"op":"delete","type":"\#(type)","id":\#(id)}"#
  }

  private func sync(_ gallery: Gallery, _ words: String...) throws -> Program.Result {
    try sync(gallery, words)
  }

  private func sync(_ gallery: Gallery, _ words: [String]) throws -> Program.Result {
    let address = gallery.address + "api/v1/changes"
    return try library.program.finish(
      library.program.start(["sync", "--metadata-only", address] + words)
    )
  }

  private func images() throws -> Int {
    try library.program.run("list").output.split(separator: "\n").count
  }

  private func expectRefused(_ gallery: Gallery, _ reason: String, images: Int = 25) throws {
    let dry = try sync(gallery, "--dry-run")
    for result in [dry, try sync(gallery), try sync(gallery)] {
      #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
      let hint = "'gallery sync \(gallery.address) --accept-removals'"
      #expect(result.errors.contains(hint), "\(result)")
      #expect(try self.images() == images)
    }
  }

  @Test(arguments: [[[1, 2, 3]], [[1], [2], [3]]])
  func `a sync that would lose more than a tenth waits for the user`(pages: [[Int]]) throws {
    let gallery = try Gallery(images: 1...25)
    #expect(try sync(gallery).status == 0)
    gallery.change(pages.map { $0.map { Self.removal("image", $0) } })

    try expectRefused(gallery, "3 of the 25 images that were mirrored would go")

    let accepted = try sync(gallery, "--accept-removals")
    #expect(accepted.status == 0 && accepted.output.contains("3 removed"), "\(accepted)")
    #expect(try images() == 22)
  }

  @Test func `a tenth goes, and images that the copy does not have do not count`() throws {
    let gallery = try Gallery(images: 1...25)
    _ = try sync(gallery)
    gallery.change([[1, 2, 77, 78, 79].map { Self.removal("image", $0) }])

    let result = try sync(gallery)

    #expect(result.status == 0 && result.output.contains("2 removed"), "\(result)")
    #expect(try images() == 23)
  }

  @Test func `a copy of few images may lose most of them, and all of them if the user says so`()
    throws
  {
    let gallery = try Gallery(images: 1...19)
    _ = try sync(gallery)
    gallery.change([(1...18).map { Self.removal("image", $0) }])
    #expect(try sync(gallery).status == 0)
    #expect(try images() == 1)

    gallery.change([[], [Self.removal("image", 19)]])
    try expectRefused(gallery, "1 of the 1 image that was mirrored would go", images: 1)

    #expect(try sync(gallery, "--accept-removals").status == 0)
    #expect(try images() == 0)
  }

  @Test func `a dry run of a take-over tells what would go, and leaves the gallery where it is`()
    throws
  {
    let (gallery, other) = (try Gallery(images: 1...5), try Gallery(images: 1...5))
    _ = try sync(gallery)
    let before = try library.program.run("feeds", "--json").output
    other.replace(images: 8...9)

    let told = try sync(other, "--take-over", gallery.address, "--dry-run")

    #expect(told.output.contains("2 new, 5 gone"), "\(told)")
    #expect(try library.program.run("feeds", "--json").output == before)
    #expect(try images() == 5)
  }

  @Test func `a take-over that would lose all images, or that fails, leaves the gallery in place`()
    throws
  {
    let (gallery, other) = (try Gallery(images: 1...5), try Gallery(images: 1...5))
    _ = try sync(gallery)
    let before = try library.program.run("feeds", "--json").output
    other.replace(images: 8...9)

    let lost = try sync(other, ["--take-over", gallery.address])
    let gone = try library.program.finish(
      library.program.start(
        ["sync", "http://127.0.0.1:9/api/v1/changes", "--take-over", gallery.address]
      )
    )

    #expect(lost.status == 1 && gone.status == 1, "\(lost) \(gone)")
    #expect(lost.errors.contains("5 of the 5 images that were mirrored would go"), "\(lost)")
    let hint = "'gallery sync \(other.address) --take-over \(gallery.address) --accept-removals'"
    #expect(lost.errors.contains(hint), "\(lost)")
    #expect(try library.program.run("feeds", "--json").output == before)
    #expect(try sync(gallery).status == 0)
    #expect(try images() == 5)

    let taken = try sync(other, "--take-over", gallery.address, "--accept-removals")

    #expect(taken.status == 0, "\(taken)")
    #expect(try images() == 2)
    let feeds = try library.program.run("feeds").output
    let first = feeds.split(separator: "\n").first { $0.hasPrefix("1\t") }
    #expect(first?.contains(other.address) == true, "\(feeds)")
    #expect(!feeds.contains(gallery.address), "\(feeds)")
  }

  @Test func `a removed feed counts with its images`() throws {
    let gallery = try Gallery(images: 1...25)
    _ = try sync(gallery)
    gallery.change([[Self.removal("feed", 1)] + (1...3).map { Self.removal("image", $0) }])

    try expectRefused(gallery, "25 of the 25 images that were mirrored would go")
  }

  @Test func `a gallery that was wiped keeps its copy`() throws {
    let gallery = try Gallery(images: 1...25)
    _ = try sync(gallery)
    gallery.replace(images: 1...1)

    try expectRefused(gallery, "24 of the 25 images that were mirrored would go")

    #expect(try sync(gallery, "--accept-removals").status == 0)
    #expect(try images() == 1)
  }

  @Test func `another library at the address waits for the user, and what is pinned here stays`()
    throws
  {
    let gallery = try Gallery(images: 1...5)
    _ = try sync(gallery)
    _ = try library.program.run("pin", "3")
    gallery.replace(images: 8...9, library: "other")

    let reason = "another library is at this address, and all 5 images of the mirrored one would go"
    try expectRefused(gallery, reason, images: 5)

    #expect(try sync(gallery, "--accept-removals").status == 0)
    #expect(try images() == 3)
    #expect(try library.program.run("list", "--pinned").output.hasPrefix("3\t"))
  }

  @Test func `no gallery takes the copy of another by stating its UUID`() throws {
    let (gallery, other) = (try Gallery(images: 1...5), try Gallery(images: 1...1))
    _ = try sync(gallery)

    let claim = try sync(other)

    #expect(claim.status == 1, "\(claim)")
    let reason = "it says that it is the gallery that is mirrored from '\(gallery.address)'"
    #expect(claim.errors.contains("cannot sync '\(other.address)': \(reason)"), "\(claim)")
    let hint = "'gallery sync \(other.address) --take-over \(gallery.address)'"
    #expect(claim.errors.contains(hint), "\(claim)")
    #expect(try images() == 5)
    #expect(try sync(other, "--take-over", "https://127.0.0.1:9/").status == 1)

    let word = try sync(other, "--take-over", gallery.address)

    #expect(word.status == 0, "\(word)")
    #expect(try images() == 5)
    let feeds = try library.program.run("feeds").output
    #expect(feeds.contains(other.address) && !feeds.contains(gallery.address), "\(feeds)")
  }

  @Test func `a gallery that is followed already takes nothing over, with whatever login`() throws {
    let (gallery, other) = (try Gallery(images: 1...5), try Gallery(images: 1...1))
    other.replace(images: 1...1, library: "other")
    _ = try sync(gallery)
    _ = try sync(other)
    let before = try library.program.run("feeds").output
    let id = try #require(
      before.split(separator: "\n").first { $0.contains(other.address) }?.prefix { $0 != "\t" }
    )
    let login = other.address.replacing("http://", with: "http://ann:token@")

    for address in [other.address, login] {
      let words = ["sync", address, "--take-over", gallery.address]
      let result = try library.program.finish(library.program.start(words))

      #expect(result.status == 64, "\(result)")
      #expect(result.errors.contains("is followed already, as feed \(id)"), "\(result)")
      #expect(result.errors.contains("'gallery remove \(id) --purge'"), "\(result)")
    }
    #expect(try library.program.run("feeds").output == before)
    _ = try library.program.run("remove", String(id), "--purge")
    #expect(try sync(other, "--take-over", gallery.address).status == 1)
  }

  @Test func `a gallery takes over no copy of another library`() throws {
    let (gallery, other) = (try Gallery(images: 1...5), try Gallery(images: 1...1))
    _ = try sync(gallery)
    other.replace(images: 1...1, library: "other")

    let result = try sync(other, "--take-over", gallery.address)

    let reason = "it is not the gallery that is mirrored from '\(gallery.address)'"
    #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
    #expect(try images() == 5)
  }

  @Test(arguments: [
    (["--accept-removals"], "--accept-removals takes the galleries that it is for"),
    (["--take-over", "1"], "--take-over takes one feed: the new address of the gallery or folder"),
  ])
  func `says which galleries it takes`(words: [String], message: String) throws {
    let result = try library.program.finish(library.program.start(["sync"] + words))

    #expect(result.status == 64 && result.errors.hasPrefix("Error: \(message)\n"), "\(result)")
  }
}

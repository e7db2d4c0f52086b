import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Galleries that go on at other addresses with the copies that the library has of them.
struct TakeOverTests {
  private static let former = WebAddress.sample("former/")
  private static let removals = [1, 2].map {
    #"{"seq":5,"op":"delete","type":"image","id":\#($0)}"#
  }
  private static let unpinned = #"{"seq":5,"op":"delete","type":"pin","id":1}"#

  private static func page(_ lines: [String], _ cursor: String, more: Bool = false) -> FakeReply {
    let end =
      #"{"cursor":"\#(cursor)","more":\#(more),"library":"\#(MirrorBench.library)"}"#
    var reply = FakeReply.document((lines + [end]).map { $0 + "\n" }.joined())
    reply.mediaType = "application/x-ndjson"
    return reply
  }

  /// A copy of two images behind the cursor 1.a, at the former address, and the pages of the gallery at the new one.
  private func bench(_ pages: [String: FakeReply], takingOver former: WebAddress? = former)
    -> MirrorBench
  {
    var replies: [WebAddress: FakeReply] = [:]
    let first = Self.page([], "1.0", more: true)
    for (cursor, page) in [(nil, first)] + pages.map({ ($0.key as String?, $0.value) }) {
      if let address = MirrorBench.gallery.changes(behind: cursor) { replies[address] = page }
    }
    let images = [1, 2].map { MirroredImage(id: $0, number: $0, month: 0) }
    let mirrors = RecordingMirrors(.sample(images: 2), of: Self.former, images: images)
    return MirrorBench(replies, mirrors: mirrors, takingOver: former)
  }

  @Test func `a gallery goes on behind the cursor of its copy, once it is read to its end`() async {
    let bench = bench([
      "1.a": Self.page([Self.unpinned], "1.b", more: true), "1.b": Self.page([], "1.c"),
    ])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.map(\.cursor) == ["1.b", "1.c"])
  }

  @Test(arguments: [FakeReply(status: 304), page([], "1.a")])
  func `a gallery goes on if nothing has changed, too`(answer: FakeReply) async {
    let bench = bench(["1.a": answer])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.map(\.lines.count) == [0])
    #expect(bench.mirrors.pages.map(\.cursor) == [nil])
  }

  @Test func `a gallery that cannot be read to its end takes nothing over`() async {
    let broken = FakeReply(status: 404)
    let bench = bench(["1.a": Self.page([Self.unpinned], "1.b", more: true), "1.b": broken])

    #expect(await bench.sync().failure == .status(404))
    #expect(bench.mirrors.pages == [])
  }

  @Test func `a gallery without any image of the copy takes nothing over, on whatever page`() async
  {
    let bench = bench([
      "1.a": Self.page([Self.unpinned], "1.b", more: true), "1.b": Self.page(Self.removals, "1.c"),
    ])
    let fault = GalleryFault.removals(2, of: 2, takingOver: Self.former)

    #expect(await bench.sync().failure == .feed(.gallery(fault)))
    #expect(bench.mirrors.pages == [])
  }

  @Test func `a gallery with one image of the copy goes on`() async {
    let bench = bench(["1.a": Self.page([Self.removals[0]], "1.b")])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.map(\.lines.count) == [1])
  }

  @Test(arguments: [former, MirrorBench.gallery.base])
  func `another gallery than the named one is not synced instead of it`(known: WebAddress) async {
    var replies: [WebAddress: FakeReply] = [:]
    for cursor in [nil, "1.a"] {
      let address = MirrorBench.gallery.changes(behind: cursor)
      if let address { replies[address] = Self.page([], "1.b") }
    }
    var state = MirrorState.sample(images: 2)
    if known == Self.former { state.library = "another" }
    let mirrors = RecordingMirrors(state, of: known)

    let failure = await MirrorBench(replies, mirrors: mirrors, takingOver: Self.former).sync()
      .failure

    // A gallery that has taken the place before is synced.
    let isDone = known == MirrorBench.gallery.base
    #expect(failure == (isDone ? nil : .feed(.gallery(.unlikeFormer(Self.former)))))
    #expect(mirrors.pages.isEmpty == !isDone)
  }

  @Test func `a gallery that is not to take the copy over does not`() async {
    let bench = bench(["1.a": Self.page([], "1.b")], takingOver: nil)

    #expect(await bench.sync().failure == .feed(.gallery(.mirroredFrom(Self.former))))
    #expect(bench.mirrors.pages == [])
  }

  @Test func `a gallery that the user trusts at its own address must not lose all images, either`()
    async
  {
    let base = MirrorBench.gallery.base
    var replies: [WebAddress: FakeReply] = [:]
    if let address = MirrorBench.gallery.changes(behind: "1.a") {
      replies[address] = Self.page(Self.removals, "1.b")
    }
    let images = [1, 2].map { MirroredImage(id: $0, number: $0, month: 0) }
    // The gallery has taken the place of the former one before.
    let words: [(WebAddress?, WebAddress?)] = [(base, base), (nil, nil), (Self.former, nil)]
    for (former, named) in words {
      let mirrors = RecordingMirrors(.sample(images: 2), images: images)
      let bench = MirrorBench(replies, mirrors: mirrors, takingOver: former)
      let fault = GalleryFault.removals(2, of: 2, takingOver: named)

      #expect(await bench.sync().failure == .feed(.gallery(fault)))
      #expect(bench.mirrors.pages == [])
    }
  }
}

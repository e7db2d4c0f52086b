import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Galleries that sign their documents, and others that only say that they are such a gallery.
struct SignedGalleryTests {
  private static let key = FakeKey("a")
  private static let other = FakeKey("b")
  private static let removal = #"{"seq":5,"op":"delete","type":"pin","id":1}"#
  private static let name = DocumentSignature.name(ofChangesBehind: "1.a")

  private static func end(_ cursor: String = "1.b", more: Bool = false) -> String {
    #"{"cursor":"\#(cursor)","more":\#(more),"library":"\#(MirrorBench.library)"}"#
  }

  private static let page = key.sign(removal, end(), named: name)

  /// A copy behind the cursor 1.a whose gallery answers with this page.
  private func bench(
    _ page: String,
    known key: LibraryKey? = key.key,
    takingOver former: WebAddress? = nil,
    signatures: FakeSignatures = FakeSignatures(),
    then second: String? = nil
  ) -> MirrorBench {
    var replies: [WebAddress: FakeReply] = [:]
    for (cursor, page) in [("1.a", page), ("1.b", second)] {
      guard let page, let address = MirrorBench.gallery.changes(behind: cursor) else { continue }
      replies[address] = .document(page)
    }
    return MirrorBench(
      replies,
      mirrors: RecordingMirrors(.sample(key: key)),
      takingOver: former,
      signatures: signatures
    )
  }

  private func expect(_ fault: GalleryFault, _ bench: MirrorBench, pages: Int = 0) async {
    #expect(await bench.sync().failure == .feed(.gallery(fault)))
    #expect(bench.mirrors.pages.count == pages)
  }

  @Test func `the first key that a copy sees is kept`() async {
    for known in [nil, Self.key.key] {
      let bench = bench(Self.page, known: known)

      #expect(await bench.sync().failure == nil)
      #expect(bench.mirrors.keys == [Self.key.key])
      #expect(bench.mirrors.pages.map(\.lines.count) == [1])
    }
  }

  @Test func `the first key is kept even if the page has no news`() async {
    let bench = bench(Self.key.sign(Self.end("1.a"), named: Self.name), known: nil)

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.keys == [Self.key.key])
  }

  @Test func `a gallery without a key is mirrored as before`() async {
    let bench = bench("\(Self.removal)\n\(Self.end())\n", known: nil)

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.keys == [nil])
  }

  @Test func `a page without a signature is refused once the gallery has signed`() async {
    await expect(.unsigned, bench("\(Self.removal)\n\(Self.end())\n"))
  }

  @Test func `a page that another key has signed is refused`() async {
    let page = Self.other.sign(Self.removal, Self.end(), named: Self.name)

    await expect(.otherKey, bench(page))
  }

  @Test(arguments: [
    (#""id":1"#, #""id":2"#), ("1.b", "1.c"), ("false", "true"), (removal + "\n", ""),
    (removal, "\(removal)\n\(removal)"),
  ])
  func `a page that was changed after it was signed is refused`(
    part: String,
    replacement: String
  ) async {
    let page = Self.page.replacing(part, with: replacement)

    await expect(.wrongSignature, bench(page))
    await expect(.wrongSignature, bench(page, known: nil))
  }

  @Test func `a signed page is no answer to a request with another cursor`() async {
    let name = DocumentSignature.name(ofChangesBehind: "1.0")

    await expect(.wrongSignature, bench(Self.key.sign(Self.removal, Self.end(), named: name)))
  }

  @Test(arguments: [(2, nil), (nil, "two"), (2, "two")] as [(Int64?, String?)])
  func `a signed page of a part is no answer to a request for all changes`(
    feedID: Int64?,
    search: String?
  ) async {
    let name = DocumentSignature.name(ofChangesBehind: "1.a", feedID: feedID, search: search)

    await expect(.wrongSignature, bench(Self.key.sign(Self.removal, Self.end(), named: name)))
  }

  @Test func `every page of a sync needs the key of the first`() async {
    let first = Self.key.sign(Self.removal, Self.end(more: true), named: Self.name)
    let name = DocumentSignature.name(ofChangesBehind: "1.b")
    let second = Self.other.sign(Self.end("1.c"), named: name)

    await expect(.otherKey, bench(first, known: nil, then: second), pages: 1)
    await expect(.unsigned, bench(first, known: nil, then: Self.end("1.c") + "\n"), pages: 1)
  }

  @Test func `the user's word sets another key, or none`() async {
    let address = MirrorBench.gallery.base
    let replaced = Self.other.sign(Self.removal, Self.end(), named: Self.name)
    for (page, key) in [(replaced, Self.other.key), ("\(Self.removal)\n\(Self.end())\n", nil)] {
      let bench = bench(page, takingOver: address)

      #expect(await bench.sync().failure == nil)
      #expect(bench.mirrors.keys == [key])
    }
    await expect(.otherKey, bench(replaced, takingOver: .sample("elsewhere/")))
  }

  @Test func `a machine that cannot check signatures says so, and mirrors what never signed`() async
  {
    let problem = StoreError(reason: .other, path: "libcrypto", message: "it is not there")
    let signatures = FakeSignatures(problem: problem)

    let known = bench(Self.page, signatures: signatures)
    #expect(await known.sync().failure == .store(problem))
    let new = bench(Self.page, known: nil, signatures: signatures)
    #expect(await new.sync().failure == nil)
    #expect(new.mirrors.keys == [nil])
  }

  // MARK: Parts

  /// The cursor behind a change, of a copy of a part; "0" is the whole gallery.
  private static func cursor(_ number: Int, of part: String) -> String {
    "1.11111111222243338444555555555555.1.0.\(part).\(number)"
  }

  /// A copy of a part whose gallery answers that its cursor is too old, refuses its tree, and has these pages of all
  /// changes, each signed.
  private func bench(
    of part: String,
    takingOver former: WebAddress? = nil,
    pages: [String]
  ) -> MirrorBench {
    let known = Self.cursor(7, of: part)
    var replies: [WebAddress: FakeReply] = [:]
    if let address = MirrorBench.gallery.changes(behind: known) {
      replies[address] = FakeReply(status: 410)
    }
    if let address = MirrorBench.gallery.treeRoot { replies[address] = FakeReply(status: 403) }
    var cursor: String?
    for (index, next) in pages.enumerated() {
      let end = Self.end(next, more: index < pages.count - 1)
      let name = DocumentSignature.name(ofChangesBehind: cursor)
      guard let address = MirrorBench.gallery.changes(behind: cursor) else { continue }
      var reply = FakeReply.document(Self.key.sign(end, named: name))
      reply.mediaType = "application/x-ndjson"
      replies[address] = reply
      cursor = next
    }
    let mirrors = RecordingMirrors(.sample(key: Self.key.key, cursor: known))
    return MirrorBench(replies, mirrors: mirrors, takingOver: former)
  }

  @Test(arguments: [("0", "1vx"), ("1vx", "0"), ("1vx", "2ab")])
  func `signed pages of another part are refused, and remove nothing`(
    known: String,
    sent: String
  ) async {
    await expect(.otherPart, bench(of: known, pages: [Self.cursor(9, of: sent)]))
    let second = [Self.cursor(8, of: known), Self.cursor(9, of: sent)]
    await expect(.otherPart, bench(of: known, pages: second), pages: 1)
  }

  @Test(arguments: ["0", "1vx"])
  func `pages of the same part are taken, whatever images the part has had`(part: String) async {
    let held = Self.cursor(9, of: "\(part)-7-1x")
    let bench = bench(of: part, pages: [Self.cursor(8, of: part), held])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.last?.cursor == held)
  }

  @Test func `the user's word takes another part`() async {
    let (sent, base) = (Self.cursor(9, of: "1vx"), MirrorBench.gallery.base)
    let bench = bench(of: "0", takingOver: base, pages: [sent])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.last?.cursor == sent)
    let elsewhere = self.bench(of: "0", takingOver: .sample("elsewhere/"), pages: [sent])
    await expect(.otherPart, elsewhere)
  }

  /// A copy that has no cursor yet takes the part that it gets, so the user has to learn of it.
  @Test(arguments: [
    ("1vx", true), ("1vx-7-1x", true), ("0", false), ("0-7-1x", false), ("", true), (nil, false),
  ])
  func `a copy of the whole knows that it has only a part`(part: String?, isLimited: Bool) {
    let cursor = part.map { Self.cursor(9, of: $0) }
    #expect(MirrorState.sample(cursor: cursor).isLimited == isLimited)
  }

  @Test(arguments: ["feeds/2", "search?q=moon"])
  func `a copy of the page of a part has all that was asked for`(page: String) {
    var mirror = MirrorState.sample(cursor: Self.cursor(9, of: "1vx"))
    mirror.feed.address = .sample(page)
    #expect(!mirror.isLimited)
  }

  @Test(arguments: ["2.b", "1.a", ""])
  func `a cursor that names no part tells nothing`(cursor: String) {
    #expect(!MirrorState.sample(cursor: cursor).isLimited)
  }

  @Test func `a gallery whose cursors name no part is mirrored as before`() async {
    let bench = bench(of: "0", pages: ["2.b"])

    #expect(await bench.sync().failure == nil)
    #expect(bench.mirrors.pages.last?.cursor == "2.b")
  }

  // MARK: The tree

  private static let node = SHA256Digest(of: Array("the feed".utf8))

  /// A copy that compares a root, which leads to this node of a feed.
  private func tree(_ node: String, by signer: FakeKey? = key) -> MirrorBench {
    var root = RootNode(
      hash: "",
      library: MirrorBench.library,
      cursor: "1.b",
      feeds: [RootNode.Feed(id: 1, seq: 9, hash: Self.node.hexadecimal)],
      pins: []
    )
    root.hash = SHA256Digest(of: Array(root.text.utf8)).hexadecimal
    let json =
      #"{"hash":"\#(root.hash)","library":"\#(root.library)","cursor":"1.b","pins":[],"feeds":["#
      + #"{"id":1,"seq":9,"hash":"\#(Self.node.hexadecimal)"}]}"#
    let name = DocumentSignature.name(ofNode: "root")
    var replies: [WebAddress: FakeReply] = [:]
    if let address = MirrorBench.gallery.treeRoot {
      replies[address] = .document(signer?.sign(json, named: name) ?? json)
    }
    if let address = MirrorBench.gallery.treeNode(Self.node) { replies[address] = .document(node) }
    if let address = MirrorBench.gallery.changes(behind: "1.a") {
      replies[address] = FakeReply(status: 410)
    }
    return MirrorBench(replies, mirrors: RecordingMirrors(.sample(key: Self.key.key)))
  }

  private static let feedNode =
    #"{"hash":"\#(node.hexadecimal)","id":1,"feed":{"seq":9,"op":"put","type":"feed","id":1,"#
    + #""data":{"url":"https://own.example/"}},"months":[]}"#

  @Test func `the root of the tree and its nodes need the key`() async {
    let name = DocumentSignature.name(ofNode: Self.node.hexadecimal)
    let signed = Self.key.sign(Self.feedNode, named: name)

    let good = tree(signed)
    #expect(await good.sync().failure == nil)
    #expect(good.mirrors.pages.last?.cursor == "1.b")
    #expect(Set(good.mirrors.keys) == [Self.key.key])

    await expect(.unsigned, tree(Self.feedNode + "\n"))
    await expect(.otherKey, tree(Self.other.sign(Self.feedNode, named: name)))
    await expect(.wrongSignature, tree(signed.replacing("own.example", with: "bad.example")))
    await expect(.unsigned, tree(signed, by: nil))
    await expect(.otherKey, tree(signed, by: Self.other))
  }
}

import Foundation
import TestSupport
import Testing
import Workers

/// Originals that may use only a limited amount of disk space.
struct BoundCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  /// A feed of eight images, the newest first, with originals of 60 KB to 67 KB.
  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let entries = (1...8).map { number in
      let day = "2024-01-\(20 - number)T00:00:00Z"
      site.set("/\(number).jpg", Self.picture(60_000 + 1_000 * number))
      return
        "{\"id\":\(number),\"url\":\"/\(number).jpg\",\"thumbnail\":\"/moon-small.jpg\",\"date_published\":\"\(day)\"}"
    }
    let list = "[\(entries.joined(separator: ","))]"
    site.set("/list.json", .init(type: "application/json", body: Array(list.utf8)))
  }

  private static func picture(_ bytes: Int) -> PhotoSite.Page {
    let rest = PictureBytes.longJPEG(0).count
    return .init(type: "image/jpeg", body: PictureBytes.longJPEG(bytes - rest))
  }

  /// The sizes of all originals and of all partial files, by their paths.
  private static func sizes(in folder: String) -> [String: Int] {
    let paths = ["originals", "partial"].flatMap { part in
      FileManager.default.enumerator(atPath: "\(folder)/\(part)")?
        .compactMap { $0 as? String }.filter { !$0.hasSuffix(".note") }
        .map { "\(folder)/\(part)/\($0)" } ?? []
    }
    return paths.reduce(into: [:]) { sizes, path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return }
      sizes[path] = attributes?[.size] as? Int ?? 0
    }
  }

  /// The ids of the images whose originals are stored.
  func stored() throws -> [Int] {
    try (1...8).filter { id in
      try library.program.run("show", "\(id)", "--info", "--json").output
        .contains("\"originalStored\":true")
    }
  }

  @Test func `a sync keeps the newest, and never more than it may`() throws {
    let most = Locked(0)
    let isOver = Locked(false)
    let folder = library.path
    let hasEnded = Gate()
    let watch = Thread {
      var last: [String: Int] = [:]
      var looksAfterEnd = 0
      while looksAfterEnd < 2 {
        looksAfterEnd += isOver.withLock { $0 } ? 1 : 0
        let sizes = Self.sizes(in: folder)
        // One look may see a file before its deletion, and another one after its arrival. What two looks have seen was
        // there all at once between them.
        if sizes == last { most.withLock { $0 = max($0, sizes.values.reduce(0, +)) } }
        last = sizes
      }
      hasEnded.open()
    }
    watch.start()
    let first = try library.program.run(
      "sync",
      site.address("/list.json"),
      "--originals",
      "--keep",
      "200K"
    )
    // An original that arrived while older ones were being fetched had no room, so the next sync fetches it.
    try library.program.run("sync", "--originals", "--keep", "200K")
    // After a user has looked at it, the oldest original takes the place of the next oldest one.
    let shown = try library.program.run("show", "8", "--keep", "200K")
    let kept = try stored()
    try library.program.run("sync", "--originals", "--keep", "200K")
    isOver.withLock { $0 = true }
    hasEnded.waitUntilOpen()

    #expect(first.status == 0)
    #expect(
      first.errors.contains(
        "originals wait: originals have reached their limit of 200 KiB, and no other original can give way"
      ),
      "\(first.errors)"
    )
    #expect(shown.output.contains("/originals/"))
    #expect(kept == [1, 2, 8])
    #expect(try stored() == [1, 2, 8])
    #expect((120_000...(200 << 10)).contains(most.withLock { $0 }), "\(most.withLock { $0 })")
    #expect(try library.program.run("verify").status == 0)
  }

  @Test func `a bound acts at once, in every command that has one`() throws {
    try library.program.run("sync", site.address("/list.json"), "--originals")
    try library.program.run("pin", "7")

    let rehearsed = try library.program.run("sync", "--dry-run", "--keep", "400K")
    let before = try stored()
    let synced = try library.program.run("sync", "--keep", "400K")
    let quiet = try library.program.run("clean", "--quiet", "--keep", "200K")
    let cleaned = try stored()
    let shown = try library.program.run("show", "1", "--keep", "70K")

    #expect(before == Array(1...8) && !rehearsed.errors.contains("gave way"))
    let told = synced.errors.split(separator: "\n").filter { $0.contains("gave way") }
    #expect(told.count == 1 && told[0].hasPrefix("2 originals, "), "\(synced.errors)")
    #expect(told[0].hasSuffix("gave way: originals take at most 400 KiB"))
    #expect(quiet.errors == "" && cleaned == [1, 2, 7], "\(quiet.errors) \(cleaned)")
    // The pinned one and the one that was viewed are too large together.
    #expect(shown.errors.contains("gave way: originals take at most 70.0 KiB"), "\(shown.errors)")
    #expect(shown.errors.contains("what was just shown takes"), "\(shown.errors)")
    #expect(try stored() == [1, 7])
    try library.program.run("clean", "--keep", "70K")
    #expect(try stored() == [7])
    #expect(try library.program.run("verify").status == 0)
  }

  @Test(arguments: [["sync"], ["show", "1"], ["clean"], ["serve"], ["status"]])
  func `a bound of a few bytes is a mistake`(_ command: [String]) throws {
    for (option, size) in [("--keep", "20"), ("--keep-free", "5")] {
      let result = try library.program.finish(library.program.start(command + [option, size]))
      #expect(result.status == 64)
      #expect(
        result.errors.contains("'\(size)' is a number of bytes; did you mean \(size)G?"),
        "\(result.errors)"
      )
    }
  }

  @Test func `a pinned image keeps its original`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")
    try library.program.run("show", "7", "6", "--keep", "140K")
    try library.program.run("pin", "7")

    try library.program.run("show", "5", "--keep", "140K")
    let refused = try library.program.run("show", "4", "--keep", "100K")

    // The bound itself then holds for the others.
    #expect(try stored() == [7])
    #expect(refused.status == 4)
    #expect(
      refused.errors.contains("originals have reached their limit of 100 KiB"),
      "\(refused.errors)"
    )
  }

  @Test func `one that is larger than the bound is refused with a reason`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")

    let refused = try library.program.run("show", "1", "--keep", "50K")

    #expect(refused.status == 4)
    #expect(
      refused.errors.contains("it is larger than all originals may be together, 50.0 KiB"),
      "\(refused.errors)"
    )
  }

  @Test func `nothing gives way for more free room than the disk has`() throws {
    try library.program.run("sync", site.address("/list.json"), "--originals")

    let cleaned = try library.program.run("clean", "--keep-free", "1000T")

    #expect(try stored() == Array(1...8))
    let told = "that are to stay free: no original gives way"
    #expect(cleaned.errors.contains(told), "\(cleaned)")
  }

  @Test func `no room that must stay free is taken`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")

    let refused = try library.program.run("show", "1", "--keep-free", "1000T")

    #expect(refused.status == 4)
    #expect(refused.errors.contains("the disk has only the free space that it must keep"))
    #expect(try stored() == [])
  }

  @Test func `why tells where an image comes from and what comes next`() throws {
    try library.program.run("sync", site.address("/list.json"))
    try library.program.run("show", "1", "2")
    try library.program.run("pin", "3")

    let first = try library.program.run("why", "1", "--keep", "1M")
    let other = try library.program.run("why", "3", "4", "99")

    let fields = first.output.split(separator: "\n").map(String.init)
    #expect(fields.count == 6, "\(first.output)")
    #expect(fields[0].hasPrefix("image      1") && !fields[0].hasPrefix("image      1 1"))
    #expect(fields[1].hasPrefix("feed       1 \(site.address("/list.json")), last read "))
    #expect(fields[2] == "listed     by the feed when it was last read")
    #expect(fields[3].contains("from the address that the feed names; from "))
    #expect(fields[4].hasPrefix("original   stored "))
    #expect(
      fields[5].hasPrefix("kept       originals take 120 KiB, at most 1.0 MiB; "),
      "\(fields[5])"
    )
    #expect(other.output.contains("image      3") && other.output.contains("\nimage      4"))
    #expect(other.output.contains("kept       pinned: its original never gives way\n"))
    #expect(other.output.contains("original   missing: gallery fetches it when you view it"))
    #expect(
      other.output.contains("kept       nothing gives way: there is no bound for originals\n")
    )
    #expect(other.errors.contains("'99': no such image"))
    #expect(other.status == 2)
  }

  @Test func `why is a record for scripts`() throws {
    try library.program.run("sync", site.address("/list.json"))

    let record = try library.program.run("why", "1", "--json", "--keep", "1M").output

    #expect(record.hasPrefix("{\"id\":1,\"feed\":{\"id\":1,"), "\(record)")
    #expect(record.contains("\"originalStored\":null"), "\(record)")
    #expect(record.contains("\"keep\":1048576,\"keepFree\":null,\"originalBytes\":0"), "\(record)")
  }

  // MARK: Object stores

  @Test(arguments: ["photos", "s3://Photos", "s3://photos/a b"])
  func `names what is not a bucket`(text: String) throws {
    let result = try library.program.run("status", "--objects", text)

    #expect(result.status == 64)
    #expect(result.errors.contains("'\(text)' is not a bucket: s3://photos/originals, for example"))
  }

  @Test func `without credentials a sync keeps originals here, and says so`() throws {
    let sync = try library.program.run(
      "sync",
      site.address("/list.json"),
      "--originals",
      "--keep",
      "1G",
      "--objects",
      "s3://photos"
    )
    let status = try library.program.run("status", "--objects", "s3://photos")

    #expect(sync.errors.contains("8 originals stored here, but not in the object store yet"))
    #expect(sync.errors.contains("needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"))
    #expect(status.output.contains("object store  0 originals, 0 B; 8 waiting"))
    #expect(try stored() == Array(1...8))
  }

  @Test func `with an object store that has none, nothing gives way`() throws {
    let sync = try library.program.run(
      "sync",
      site.address("/list.json"),
      "--originals",
      "--keep",
      "200K",
      "--objects",
      "s3://photos"
    )

    #expect(sync.errors.contains("originals wait"))
    #expect(try stored().count == 3)
  }
}

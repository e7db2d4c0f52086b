import Foundation
import TestSupport
import Testing

struct CheckCommandsTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  /// The path of the only stored original.
  private func original() throws -> String {
    try library.program.run("show", "1").output.trimmingCharacters(in: .newlines)
  }

  @Test func `finds a synced library as it was stored`() throws {
    try library.program.run("sync", site.feed)
    _ = try original()

    let result = try library.program.run("verify")

    #expect(
      result.output == "verified 3 thumbnails and 1 original: all is as it was stored\n"
    )
    #expect(result.status == 0)
  }

  @Test func `finds an altered original, and repairs it though the server says not modified`()
    throws
  {
    try library.program.run("sync", site.feed)
    let path = try original()
    let file = URL(filePath: path)
    let before = try Data(contentsOf: file)
    var altered = before
    altered[altered.count / 2] ^= 0xFF
    try altered.write(to: file)

    let found = try library.program.run("verify")
    let repaired = try library.program.run("verify", "--repair")
    let again = try library.program.run("verify")

    #expect(
      found.output == """
        * original of 1, '\(path)': its content is not what was stored
        verified 3 thumbnails and 1 original: 1 damaged — 'gallery verify --repair' repairs what can be \
        fetched again

        """
    )
    #expect(found.status == 2)
    #expect(repaired.output.contains("= original of 1"))
    #expect(repaired.status == 2)
    #expect(try Data(contentsOf: file) == before)
    #expect(again.status == 0)
  }

  @Test func `repairs an original whose file was deleted`() throws {
    try library.program.run("sync", site.feed)
    let path = try original()
    try FileManager.default.removeItem(atPath: path)

    let repaired = try library.program.run("verify", "--repair", "--json")

    #expect(
      repaired.output == """
        {"event":"missing","kind":"original","ids":[1],"file":"\(path)","reason":null}
        {"event":"repaired","kind":"original","ids":[1],"file":"\(path)","reason":null}
        {"event":"ended","thumbnails":3,"originals":1,"objects":0,"damaged":0,"missing":1,\
        "stray":0,"unreadable":0,"repaired":1,"interrupted":false,"ofRemovedFeeds":0,"ofLostFiles":0,\
        "notFetched":0}

        """
    )
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `says what cannot be repaired now, and lets a later sync have it`() throws {
    try library.program.run("sync", site.feed)
    let path = try original()
    try Data("no picture".utf8).write(to: URL(filePath: path))
    site.set("/moon.jpg", nil)

    let result = try library.program.run("verify", "--repair")

    #expect(result.output.contains("cannot repair original of 1"))
    #expect(result.output.contains("the server answered 404 (not found)"))
    #expect(result.status == 2)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `says that damaged pictures of a removed feed go with a cleaning`() throws {
    try library.program.run("sync", site.feed)
    try alter(original())
    try library.program.run("remove", "1")

    let found = try library.program.run("verify")
    let repaired = try library.program.run("verify", "--repair")
    try library.program.run("clean")
    let cleaned = try library.program.run("verify")

    let hint = "1 damaged — 1 is of removed feeds: 'gallery clean' removes it\n"
    #expect(found.output.hasSuffix(hint), "\(found)")
    #expect(repaired.output.hasSuffix(hint), "\(repaired)")
    #expect(repaired.status == 2)
    #expect(cleaned.status == 0, "\(cleaned)")
  }

  @Test func `says of what could not be fetched again that a repair was tried`() throws {
    try library.program.run("sync", site.feed)
    try alter(original())
    site.set("/moon.jpg", nil)

    let found = try library.program.run("verify")
    let repaired = try library.program.run("verify", "--repair")
    let again = try library.program.run("verify")

    let tried = "1 damaged — 1 could not be fetched or made again: "
    #expect(found.output.contains("1 damaged — 'gallery verify --repair' repairs"), "\(found)")
    #expect(repaired.output.contains(tried), "\(repaired)")
    #expect(again.output.contains(tried), "\(again)")
  }

  private func alter(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `hands out no original that verify has found damaged, and tells of it`() throws {
    let program = library.program
    try program.run("sync", site.feed)
    let path = try original()
    let before = try Data(contentsOf: URL(filePath: path))
    try alter(path)
    try program.run("verify")

    let shown = try program.run("show", "1", "--offline")
    #expect(shown.output == "")
    #expect(
      shown.errors == """
        cannot show the original of '1': the stored one is damaged, and this command may not use \
        the network — --force without --output shows its file as it is

        """
    )
    #expect(shown.status == 4)
    let forced = try program.run("show", "1", "--offline", "--force")
    #expect(forced.output == "\(path)\n")
    #expect(forced.errors.hasSuffix("— this is its file as it is\n"))
    #expect(forced.status == 2)
    #expect(try program.run("list").output.contains("\tMoon\tdamaged\n"))
    #expect(try program.run("list", "--json").output.contains(#""originalDamaged":true"#))
    #expect(try program.run("show", "1", "--info").output.contains("; damaged)"))
    #expect(try program.run("feeds").output.contains("1 stored picture damaged"))
    #expect(try program.run("feeds", "--json").output.contains(#""damaged":1,"#))
    #expect(try program.run("status").output.contains(/damaged +1 stored picture\n/))
    #expect(try program.run("status", "--json").output.contains(#""damaged":1,"#))

    #expect(try program.run("show", "1").output == "\(path)\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try program.run("list").output.contains("\tMoon\toriginal\n"))
    #expect(try program.run("verify").status == 0)
    #expect(try !program.run("status").output.contains("damaged"))
  }

  @Test func `takes back what it has said once the file is whole again`() throws {
    let program = library.program
    try program.run("sync", site.feed)
    let path = try original()
    try alter(path)
    try program.run("verify")
    try alter(path)

    #expect(try program.run("verify").status == 0)
    #expect(try program.run("show", "1", "--offline").output == "\(path)\n")
  }

  @Test func `notices a damaged original while it copies it, and fetches it again`() throws {
    let program = library.program
    try program.run("sync", site.feed)
    let path = try original()
    let before = try Data(contentsOf: URL(filePath: path))
    let copy = "\(library.folder)/copy.jpg"
    try alter(path)

    let refused = try program.run("show", "1", "--offline", "--output", copy)
    #expect(refused.status == 4)
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try program.run("list").output.contains("\tMoon\tdamaged\n"))

    #expect(try program.run("show", "1", "--output", copy).output == "\(copy)\n")
    #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    try alter(path)
    #expect(try program.run("show", "1", "--output", "-").status == 4)
  }

  @Test func `leaves what it has stored in the database's own file when a command ends`() throws {
    let program = library.program
    try program.run("sync", site.feed)
    _ = try original()
    // Simulates a power cut that destroys the whole write-ahead log.
    try? FileManager.default.removeItem(atPath: "\(library.path)/gallery.sqlite-wal")
    try? FileManager.default.removeItem(atPath: "\(library.path)/gallery.sqlite-shm")

    #expect(try program.run("list").output.contains("\tMoon\toriginal\n"))
  }

  @Test func `takes back an original whose row was lost`() throws {
    let program = library.program
    try program.run("sync", site.feed)
    let before = try Data(contentsOf: URL(filePath: "\(library.path)/gallery.sqlite"))
    let path = try original()
    for name in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(library.path)/gallery.sqlite\(name)")
    }
    try before.write(to: URL(filePath: "\(library.path)/gallery.sqlite"))
    site.server.stop()

    let result = try program.run("verify", "--repair")

    #expect(result.output.hasPrefix("= original of 1, '\(path)': repaired\n"))
    #expect(result.status == 0)
    #expect(try program.run("show", "1").output == "\(path)\n")
  }

  @Test func `cleans what a removed feed has left, and tells it before`() throws {
    try library.program.run("sync", site.feed)
    let path = try original()
    try library.program.run("remove", "1")

    let rehearsal = try library.program.run("clean", "--dry-run")
    #expect(FileManager.default.fileExists(atPath: path))
    let cleaned = try library.program.run("clean")

    #expect(rehearsal.output.hasPrefix("would remove 1 removed feed, 3 images, 1 original: "))
    #expect(cleaned.output.hasPrefix("removed 1 removed feed, 3 images, 1 original: "))
    #expect(!FileManager.default.fileExists(atPath: path))
    let again = try library.program.run("clean").output
    #expect(again.hasPrefix("nothing to clean; the trash keeps 1 file ("))
    let emptied = try library.program.run("clean", "--now").output
    #expect(emptied.hasPrefix("emptied the trash of 1 file ("))
    #expect(try library.program.run("clean").output == "nothing to clean\n")
  }

  @Test func `sees a damaged index, cleans nothing by it, and builds it again`() throws {
    try library.program.run("sync", site.feed)
    let path = try original()
    // Damages the index of the images' originals: its only row, for image 1, now refers to image 3.
    let script = """
      import sqlite3, sys
      d = sqlite3.connect(sys.argv[1])
      d.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      page, = d.execute("SELECT rootpage FROM sqlite_schema WHERE name='image_original_file'").fetchone()
      size, = d.execute("PRAGMA page_size").fetchone()
      d.close()
      f = open(sys.argv[1], "r+b")
      f.seek(page * size - 4)
      end = f.read(4)
      f.seek(page * size - 4)
      f.write(bytes([end[0], end[1], end[2] ^ 1, end[3] ^ 1]))
      """
    let file = library.folder + "/damage.py"
    try script.write(toFile: file, atomically: true, encoding: .utf8)
    _ = try library.program.shell("python3 '\(file)' '\(library.path)/gallery.sqlite'")

    let verified = try library.program.run("verify")
    let cleaned = try library.program.run("clean")
    let purged = try library.program.run("remove", "1", "--purge")
    let repaired = try library.program.run("verify", "--repair")

    #expect(verified.output.contains("* the database: "))
    #expect(verified.output.contains("image_original_file"))
    #expect(verified.status == 2)
    for refused in [cleaned, purged] {
      #expect(refused.errors.contains("gallery.sqlite' is damaged: "))
      #expect(
        refused.errors.contains("nothing was deleted; you can still list and show stored images")
      )
      #expect(refused.status == 1)
    }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(
      repaired.output.contains("= the database: its indexes were built again, and it is sound")
    )
    #expect(try library.program.run("verify").status == 0)
    #expect(try library.program.run("clean").output == "nothing to clean\n")
  }

  @Test(arguments: ["verify", "clean"])
  func `makes no library where there is none`(_ command: String) throws {
    let result = try library.program.run(command)

    #expect(result.errors.contains("nothing is stored at"))
    #expect(result.status == 0)
    #expect(!FileManager.default.fileExists(atPath: library.path))
  }
}

import Foundation
import Scenes
import Terminal
import TestSupport
import Testing

/// Runs the program on library files that were damaged or replaced.
struct DamagedLibraryTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  private var database: URL { URL(filePath: "\(library.path)/gallery.sqlite") }

  private func write(_ content: Data) throws {
    try FileManager.default.createDirectory(
      atPath: library.path,
      withIntermediateDirectories: true
    )
    try content.write(to: database)
  }

  @Test func `says of a text in its place that it is damaged or none, and leaves it`() throws {
    let text = Data("Dear diary, no database today.\n".utf8)
    try write(text)
    let reason = """
      '\(database.path)' is damaged, or is not a library: the file is not an SQLite database — the pictures in \
      '\(library.path)/originals' are plain files, and \
      \(Hint.recoverLibrary(folder: library.path).commandLine)

      """

    for (arguments, verb) in [
      (["list"], "read the library"), (["show", "1"], "show the image"),
      (["feeds"], "read the library"), (["verify"], "verify the library"),
      (["clean"], "clean the library"), (["remove", "1"], "remove the feed"),
      (["sync"], "sync the library"), (["sync", site.feed], "sync '\(site.feed)'"),
    ] {
      let result = try library.program.finish(try library.program.start(arguments))
      #expect(result.errors == "cannot \(verb): \(reason)")
      #expect(result.status == 1)
    }
    #expect(try Data(contentsOf: database) == text)
  }

  @Test func `names the version of a later library, and leaves it`() throws {
    try library.program.run("sync", site.feed)
    var content = try Data(contentsOf: database)
    // The user version of the file (www.sqlite.org/fileformat.html, section 1.3.15).
    content[60] = 1
    try content.write(to: database)

    let listed = try library.program.run("list")
    let synced = try library.program.run("sync", site.feed)

    for result in [listed, synced] {
      #expect(
        result.errors.contains("was made by a later version of gallery: its version is 16777")
      )
      #expect(result.errors.hasSuffix("not changed, and a gallery of that version can read it\n"))
      #expect(result.status == 1)
    }
    let isUntouched = try Data(contentsOf: database) == content
    #expect(isUntouched)
  }

  @Test func `takes an empty file for a library that is yet to begin`() throws {
    try write(Data())

    #expect(try library.program.run("list").errors.contains("nothing is stored at"))
    #expect(try library.program.run("sync", site.feed).status == 0)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `says what is there when the database is missing, and begins nothing over it`()
    throws
  {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery sync '\(site.feed)' --originals --quiet; gallery backup saved --quiet
      rm library/gallery.sqlite*
      find library -type f | sort >before
      for command in list 'show 1' feeds status verify 'verify --repair' clean 'pin 1' 'backup saved' sync \
        'sync \(site.feed)' 'serve --sync off --listen 127.0.0.1:0'; do
        gallery $command >said 2>&1; status=$?
        grep -c "database of '\(library.path)' is missing or empty, but its folder has 3 originals" said
        echo "status $status"
      done
      gallery list
      find library -type f | sort | cmp - before
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 25, "\(result)")
    for index in stride(from: 0, to: 24, by: 2) {
      #expect(lines[index] == "1" && lines[index + 1] != "status 0", "\(result)")
    }
    #expect(
      lines[24].contains("a note of a backup at '\(library.folder)/saved' — nothing was changed; ")
    )
    #expect(lines[24].contains(" restore \(library.folder)/saved' makes a library from it"))
    #expect(lines[24].contains(" recover NEW' makes a new library of all that can be read"))
  }

  @Test func `a library without its database comes back from a backup, or else its originals`()
    throws
  {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery sync '\(site.feed)' --originals --quiet; gallery backup saved --quiet
      gallery list --format '{id} {title}\n' >before
      rm library/gallery.sqlite*
      gallery recover new; echo "status $?"
      gallery --cache new sync '\(site.feed)' --quiet
      gallery --cache new verify --repair --quiet
      gallery --cache new show 1 --offline >/dev/null; echo "status $?"
      gallery restore saved >/dev/null; echo "status $?"
      gallery list --format '{id} {title}\n' | cmp - before; gallery verify
      """
    )

    #expect(
      result.output.contains("3 files that nothing refers to — kept; after a sync"),
      "\(result)"
    )
    #expect(!result.output.contains("gallery clean"), "\(result)")
    let statuses = result.output.split(separator: "\n").filter { $0.hasPrefix("status ") }
    #expect(statuses == ["status 2", "status 0", "status 0"], "\(result)")
    #expect(result.output.hasSuffix("3 originals: all is as it was stored\n"), "\(result)")
  }

  @Test func `says that a file stands where the library would be`() throws {
    try Data().write(to: URL(filePath: library.path))

    for arguments in [["list"], ["sync", site.feed], ["verify"]] {
      let result = try library.program.finish(try library.program.start(arguments))
      #expect(result.errors.contains("'\(library.path)': not a directory"))
      #expect(result.status == 1)
    }
  }

  @Test func `makes escapes in the library's path harmless`() throws {
    let path = "\(library.folder)/new\nline\u{1B}[31mred"
    let result = try library.program.run("list", "--cache", path)

    #expect(!result.errors.dropLast().contains { $0 == "\n" || $0 == "\u{1B}" })
    #expect(result.errors.contains("new line"))
  }

  @Test func `fetches an original again that is no longer a file`() throws {
    try library.program.run("sync", site.feed)
    let path = try library.program.run("show", "1").output.trimmingCharacters(in: .newlines)
    let picture = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)

    let offline = try library.program.run("show", "1", "--offline")
    let verified = try library.program.run("verify")
    let shown = try library.program.run("show", "1")

    #expect(offline.status == 4)
    #expect(offline.output == "")
    #expect(
      verified.output.contains("* original of 1, '\(path)': it is not a file of its own any more")
    )
    #expect(verified.status == 2)
    #expect(shown.output == path + "\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == picture)
  }

  @Test func `suggests repairing the new library, and not the damaged one`() throws {
    try library.program.run("sync", site.feed)
    let pack = URL(filePath: "\(library.path)/thumbnails/1.pack")
    var (thumbnails, content) = (try Data(contentsOf: pack), try Data(contentsOf: database))
    for index in thumbnails.indices { thumbnails[index] ^= 0xFF }
    try thumbnails.write(to: pack)
    content.replaceSubrange(..<4_096, with: Data(count: 4_096))
    try content.write(to: database)

    let recovered = try library.program.run("--cache", library.path, "recover", "new")
    let verified = try library.program.run("verify", "--cache", "new")

    for result in [recovered, verified] {
      #expect(result.output.contains("'gallery --cache new verify --repair'"), "\(result)")
      #expect(!result.output.contains("--cache \(library.path)"), "\(result)")
    }
  }

  @Test
  func `a verification of a damaged database names what helps, and no repair that has failed`()
    throws
  {
    try library.program.run("sync", site.feed)
    try library.program.run("backup", "saved")
    let sound = try Data(contentsOf: database)
    var (content, start) = (sound, sound.startIndex)
    let address = Data(site.feed.utf8)
    // A repair could turn a single bit back.
    while let found = content.range(of: address, in: start..<content.endIndex) {
      content[found.upperBound - 1] ^= 3
      start = found.upperBound
    }
    try content.write(to: database)

    let verified = try library.program.run("verify")
    let repaired = try library.program.run("verify", "--repair")
    try write(Data("no database".utf8))
    let unreadable = try library.program.run("verify")

    let backup = "restore \(library.folder)/saved' makes a library from it in a new folder"
    let recovery = "gallery --cache \(library.path) recover NEW' makes a new library"
    for text in [verified.output, repaired.output, unreadable.errors] {
      #expect(text.contains(backup) && text.contains(recovery), "\(text)")
    }
    #expect(verified.output.contains("verify --repair' builds damaged indexes again, and if"))
    #expect(!(repaired.output + repaired.errors).contains("verify --repair"), "\(repaired)")
    #expect(verified.status == 2 && repaired.status == 2 && unreadable.status == 1)
  }

  @Test func `a library without its first page comes back whole in a new folder`() throws {
    try library.program.run("sync", site.feed)
    try library.program.run("pin", "2")
    let shown = try library.program.run("show", "1").output.trimmingCharacters(in: .newlines)
    let picture = try Data(contentsOf: URL(filePath: shown))
    let listed = try library.program.run("list", "--json").output
    var content = try Data(contentsOf: database)
    content.replaceSubrange(..<4_096, with: Data(count: 4_096))
    try content.write(to: database)

    let folder = "\(library.folder)/new"
    let refused = try library.program.run("list")
    let recovered = try library.program.run("recover", folder)
    let again = try library.program.run("recover", folder)

    #expect(refused.errors.contains(" recover NEW"), "\(refused)")
    #expect(recovered.output.contains("recovered to '\(folder)': 1 feed, 3 images"), "\(recovered)")
    #expect(recovered.output.contains("1 original, 1 pin"), "\(recovered)")
    #expect(again.status == 1 && again.errors.contains("it was not changed"), "\(again)")
    let untouched = try Data(contentsOf: database)
    #expect(untouched == content)
    let relisted = try library.program.run("list", "--json", "--cache", folder).output
    #expect(relisted == listed.replacing("\(library.path)/", with: "\(folder)/"))
    let pinned = try library.program.run("list", "--pinned", "--format", "{id}", "--cache", folder)
    #expect(pinned.output == "2\n")
    let offline = try library.program.run("show", "1", "--offline", "--cache", folder)
    let kept = offline.output.trimmingCharacters(in: .newlines)
    #expect(kept.hasPrefix(folder))
    #expect(try Data(contentsOf: URL(filePath: kept)) == picture)
    #expect(try library.program.run("sync", "--cache", folder).status == 0)
    #expect(try library.program.run("verify", "--cache", folder).status == 0)
  }

  @Test func `a library without the numbers of its header comes back, too`() throws {
    try library.program.run("sync", site.feed)
    var content = try Data(contentsOf: database)
    // The user version and the application's id (www.sqlite.org/fileformat.html, section 1.3), as '.dump' loses them.
    for offset in Array(60..<64) + Array(68..<72) { content[offset] = 0 }
    try content.write(to: database)

    let refused = try library.program.run("list")
    let recovered = try library.program.run("recover", "\(library.folder)/new")

    #expect(refused.status == 1)
    #expect(refused.errors.contains("it has the tables of a library without their version"))
    #expect(refused.errors.contains(" recover NEW"))
    #expect(recovered.output.contains("1 feed, 3 images, 3 thumbnails"), "\(recovered)")
  }

  @Test func `says which folder of a recovery is which, if they are mistaken for each other`()
    throws
  {
    try library.program.run("sync", site.feed)
    let nowhere = "\(library.folder)/nowhere"

    let swapped = try library.program.run("--cache", nowhere, "recover", library.path)
    let itself = try library.program.run("recover", library.path)

    #expect(swapped.status == 1 && itself.status == 64)
    #expect(
      swapped.errors == """
        cannot recover the library: there is no library at '\(nowhere)' yet — \
        \(Hint.recoverLibrary(folder: nil).commandLine)

        """
    )
    #expect(itself.errors.contains("overlaps the folder of the damaged one, '\(library.path)'"))
  }

  @Test func `says so when its library is deleted while it syncs`() throws {
    let gate = Gate()
    let held = TestPicture.jpeg(width: 320, height: 80, filling: 10)
    for name in ["moon", "sun", "stars"] {
      site.set("/\(name)-small.jpg", .init(type: "image/jpeg", body: held, gate: gate))
    }
    let running = try library.program.start(["sync", site.feed])
    site.server.arrivals.waitToReach(4)
    // By then, the sync only waits for pictures. While it writes, the folder cannot be deleted at once.
    let isDeleted = try library.program.shell(
      """
      until gallery feeds --json | grep -q '"status":"updated"'; do sleep 0.02; done
      mv library deleted && rm -r deleted
      """
    )
    #expect(isDeleted.status == 0, "\(isDeleted)")
    gate.open()
    let result = try library.program.finish(running)

    #expect(
      result.errors.contains(
        """
        '\(database.path)' cannot be written: it was deleted or replaced meanwhile — stored data \
        stays as it is
        """
      )
    )
    #expect([1, 2].contains(result.status))
    #expect(!FileManager.default.fileExists(atPath: library.path))
  }

  @Test func `outlives a write past the length that a file may have`() throws {
    let result = try library.program.shell("ulimit -f 64; gallery sync '\(site.feed)'")

    #expect(result.status == 1)
    #expect(result.errors.contains("gallery.sqlite' cannot be written"))
    #expect(try library.program.run("sync", site.feed).status == 0)
    #expect(try library.program.run("verify").status == 0)
  }
}

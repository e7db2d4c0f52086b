import Foundation
import TestSupport
import Testing

/// `gallery move` between a folder and PostgreSQL.
struct MoveCommandTests {
  private let site: PhotoSite
  private let library: TestLibrary
  private let database: String
  private let schema: String

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let server = try PostgresServer.shared.get()
    schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    database = server.address(schema: schema)
    try library.program.run("sync", site.feed, "--originals")
    try library.program.run("pin", "2")
  }

  @Test func `a library comes to a database and back, and each says the same`() throws {
    let there = try library.program.shell(
      """
      gallery export --static site --quiet
      XDG_DATA_HOME=$PWD/data gallery move --to '\(database)' --json
      """
    )
    let back = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      gallery --cache '\(database)' move --to back
      for place in library '\(database)' back; do
        gallery --cache "$place" list --json | sed 's/"file":"[^"]*"/FILE/'
        gallery --cache "$place" show 2 --output copy.jpg --force >/dev/null && sha256sum copy.jpg
      done | sort | uniq -c | grep -vc '^ *3 '
      gallery --cache back sync | cut -d ';' -f 1
      cmp library/library.key back/library.key && stat -c %a back/library.key
      """
    )

    let moved = #"{"event":"moved","to":"postgresql://gallery@"#
    #expect(there.status == 0 && there.output.hasPrefix(moved), "\(there)")
    #expect(there.output.contains(#""images":3,"thumbnails":3,"originals":3,"#), "\(there)")
    #expect(there.output.contains(#""damaged":0,"missing":0"#), "\(there)")
    let lines = back.output.split(separator: "\n")
    #expect(
      lines == [
        "copied to '\(library.folder)/back': 3 images, 3 thumbnails, 3 originals",
        "verified 3 thumbnails and 3 originals: all is as it was stored", "0",
        "unchanged 'Night sky': 3 images", "600",
      ],
      "\(back)"
    )
  }

  @Test(arguments: ["originals", "partial", "trash"])
  func `refuses a link in the folder of a database, unless it has a library`(name: String) throws {
    let move = "XDG_DATA_HOME=$PWD/data gallery move --to '\(database)'"
    let server = try PostgresServer.shared.get()
    _ = try library.program.shell(move)
    try server.execute("DROP SCHEMA \(schema) CASCADE")
    try server.execute("CREATE SCHEMA \(schema)")
    let link = """
      mkdir other; cd data/gallery/databases/*/; mkdir -p \(name); \
      mv \(name) \(library.folder)/kept; \
      ln -s \(library.folder)/other \(name)
      """
    _ = try library.program.shell(link)
    let refused = try library.program.shell(move)
    let written = try library.program.shell("ls other; rm data/gallery/databases/*/\(name)")
    let first = try library.program.shell(move)
    _ = try library.program.shell("rm -r other kept; \(link)")
    let again = try library.program.shell(move)

    #expect(refused.status == 1 && refused.errors.contains("is a link to"), "\(refused)")
    #expect(refused.errors.contains("nothing was written"), "\(refused)")
    #expect(written.output == "", "\(written)")
    #expect(first.status == 0 && again.status == 0, "\(first) \(again)")
  }

  @Test func `the library of the data folder keeps its files when a database is purged`() throws {
    let result = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      gallery --cache data/gallery sync '\(site.feed)' --originals
      gallery --cache library move --to '\(database)'
      gallery --cache '\(database)' remove 1 --purge
      gallery --cache '\(database)' clean
      gallery --cache data/gallery verify
      """
    )

    let lines = result.output.split(separator: "\n")
    #expect(
      lines.last == "verified 3 thumbnails and 3 originals: all is as it was stored",
      "\(result)"
    )
  }

  @Test func `refuses the library itself, and another one`() throws {
    try library.program.run("--cache", "other", "sync", site.feed)

    let same = try library.program.run("move", "--to", library.path)
    let other = try library.program.run("move", "--to", "other")

    #expect(same.status == 64)
    #expect(same.errors.hasPrefix("Error: the library is at '\(library.path)' already\n"))
    #expect(other.status == 1)
    #expect(
      other.errors == """
        cannot copy the library: '\(library.folder)/other' is another library, with 1 feed — it was not \
        changed; choose another place

        """
    )
  }

  @Test(arguments: ["library/copy", "library/originals/copy", ".", "link", "link/copy"])
  func `refuses a folder that contains the library, or that it contains`(folder: String) throws {
    let before = try library.program.run("list", "--json")
    let result = try library.program.shell("ln -s library link; gallery move --to \(folder)")

    #expect(result.status == 64 && result.errors.contains("overlaps the library's own folder"))
    #expect(!FileManager.default.fileExists(atPath: "\(library.path)/copy"))
    #expect(try library.program.run("list", "--json") == before)
  }

  @Test func `says which thumbnail is damaged, and copies the others`() throws {
    let pack = "\(library.path)/thumbnails/1.pack"
    var bytes = try Data(contentsOf: URL(filePath: pack))
    bytes[40] ^= 1
    try bytes.write(to: URL(filePath: pack))

    let result = try library.program.run("move", "--to", "copy")

    #expect(result.status == 2)
    #expect(result.output.contains("it is damaged, and so not copied"), "\(result)")
    let summary = "3 images, 2 thumbnails, 3 originals, 1 not copied"
    #expect(result.output.contains(summary), "\(result)")
  }

  @Test func `a copy that was killed at ten moments is completed by the next run`() throws {
    let result = try library.program.shell(
      """
      for moment in 0.005 0.01 0.015 0.02 0.025 0.03 0.04 0.05 0.07 0.1; do
        timeout --foreground --signal=KILL $moment gallery move --to copy >/dev/null 2>&1
      done
      gallery move --to copy --quiet && gallery move --to '\(database)' --quiet
      listed() { gallery --cache "$1" list --json | sed 's/"file":"[^"]*"/FILE/'; }
      listed library >list
      for place in copy '\(database)'; do
        listed "$place" | cmp - list
        gallery --cache "$place" verify
      done
      """
    )

    let verified = "verified 3 thumbnails and 3 originals: all is as it was stored\n"
    #expect(result.output == verified + verified, "\(result)")
  }

  @Test func `two programs do not copy to one place at once`() throws {
    let result = try library.program.shell(
      """
      gallery move --to copy --quiet
      flock copy/locks/copy gallery move --to copy 2>&1
      echo "status $?"
      gallery move --to copy --quiet && gallery --cache copy list | wc -l
      """
    )

    #expect(result.output.contains("another program has held"), "\(result)")
    #expect(result.output.contains("status 1\n3\n"), "\(result)")
  }

  @Test func `the nodes of a database are all processes that have it open`() throws {
    let result = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data" GALLERY_CACHE='\(database)'
      gallery --cache library move --to '\(database)' >/dev/null
      gallery sync --watch >out 2>errors &
      watch=$!
      until gallery nodes | grep -q "$(hostname) $watch " || ! kill -0 $watch; do sleep 0.05; done
      gallery nodes
      kill $watch; wait $watch
      # The server of the database notices a little later that a process has ended.
      for try in $(seq 6000); do gallery nodes | grep -q "since 20" || break; sleep 0.02; done
      gallery nodes
      """
    )

    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2, "\(result)")
    #expect(lines.first?.contains("  since 20") == true, "\(result)")
    #expect(lines.last == "no other process uses the library", "\(result)")
  }

  @Test func `the nodes of a folder are the processes that sync a feed`() throws {
    let result = try library.program.shell(
      """
      lock=$(ls library/locks/*)
      flock "$lock" sh -c 'echo "$$ 1700000000" >"$0"; exec sleep 300' "$lock" >/dev/null &
      until gallery nodes --json | grep -q Night || ! kill -0 $!; do sleep 0.05; done
      gallery nodes
      gallery nodes --json
      kill -KILL $(cut -d ' ' -f 1 "$lock"); wait $!
      gallery nodes
      """
    )

    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 3, "\(result)")
    #expect(lines.first?.hasSuffix("  syncs 'Night sky'") == true, "\(result)")
    #expect(lines[1].contains(#""feeds":[{"id":1,"title":"Night sky","url":"\#(site.feed)""#))
    #expect(lines.last == "no other process uses the library", "\(result)")
  }
}

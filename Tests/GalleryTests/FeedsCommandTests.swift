import Foundation
import Testing

struct FeedsCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    try library.program.run("sync", site.feed, "--originals")
  }

  @Test func `lists feeds as lines and as JSON`() throws {
    let lines = try library.program.run("feeds")
    let json = try library.program.run("feeds", "--json")

    #expect(
      steady(lines.output, site: site)
        == "1\tNight sky\thttp://site/photos.xml\tmediarss\t3 images\tNOW\tupdated\t\n"
    )
    #expect(
      steady(json.output, site: site) == """
        {"id":1,"url":"http://site/photos.xml","title":"Night sky","format":"mediarss","images":3,\
        "lastSync":"NOW","status":"updated","problem":null}

        """
    )
  }

  @Test func `removing hides, and syncing again brings the same ids back`() throws {
    let removed = try library.program.run("remove", "1")
    #expect(
      removed.output == """
        removed 'Night sky': 3 images hidden — syncing its address again brings them back

        """
    )
    #expect(try library.program.run("list").output == "")
    #expect(try library.program.run("feeds").output == "")
    #expect(try library.program.run("show", "1").status == 3)

    try library.program.run("sync", site.feed)
    #expect(try library.program.shell("gallery list | cut -f 1").output == "1\n2\n3\n")
  }

  @Test func `purging deletes images and files, and never gives an id away again`() throws {
    let purged = try library.program.run("remove", site.feed, "--purge", "--json")
    #expect(
      steady(purged.output, site: site)
        == "{\"id\":1,\"url\":\"http://site/photos.xml\",\"images\":3,\"originals\":3,\"purged\":true}\n"
    )
    #expect(try library.program.shell("find library -name '*.jpg'").output == "")

    try library.program.run("sync", site.feed)
    #expect(try library.program.shell("gallery list | cut -f 1").output == "4\n5\n6\n")
  }

  @Test func `removing names a feed that is not followed`() throws {
    let result = try library.program.run("remove", "5")

    #expect(result.status == 3)
    #expect(result.errors == "no feed '5' is followed — 'gallery feeds' lists the ones that are\n")
  }

  @Test func `a list as OPML follows the same feeds in another library`() throws {
    let file = #"[{"id":1,"url":"http://127.0.0.1:1/a.jpg","title":"A & <b>"}]"#
    try Data(file.utf8).write(to: URL(filePath: library.folder).appending(path: "a & <b>.json"))
    try library.program.run("sync", "a & <b>.json")
    let list = try library.program.shell("gallery feeds --opml > feeds.opml")

    let synced = try library.program.shell(
      "gallery sync --allow-private --metadata-only --cache other feeds.opml"
    )

    let addresses = "gallery feeds | cut -f 3 && gallery feeds --cache other | cut -f 3"
    let lines = try library.program.shell("{ \(addresses); } | sort | uniq -c").output
    #expect(list == Program.Result(status: 0, output: "", errors: ""))
    #expect(synced.status == 0, "\(synced.errors)")
    #expect(lines.split(separator: "\n").count == 2)
    #expect(lines.split(separator: "\n").allSatisfy { $0.contains(" 2 ") })
  }
}

import Foundation
import TestSupport
import Testing

struct ShowCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed)
  }

  @Test func `prints the path of the original, fetched once`() throws {
    let first = try library.program.run("show", "1")
    let second = try library.program.run("show", "1")

    let path = first.output.trimmingCharacters(in: .newlines)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(moon))
    #expect(path.hasPrefix("\(library.path)/originals/"))
    #expect(path.hasSuffix(".jpg"))
    #expect(second == first)
    #expect(site.targets.filter { $0 == "/moon.jpg" }.count == 1)
  }

  @Test func `shows stored originals without a server, and says why others are missing`() throws {
    let stored = try library.program.run("show", "1")
    site.server.stop()

    #expect(try library.program.run("show", "1") == stored)
    let missing = try library.program.run("show", "2")
    #expect(missing.status == 4)
    #expect(missing.output == "")
    #expect(missing.errors.hasPrefix("cannot show the original of '2': "))
    #expect(missing.errors.hasSuffix(" — its thumbnail is stored\n"))
  }

  @Test func `a failure of show is known to why and to feeds, until the original arrives`() throws {
    let program = library.program
    let page = site.page("/sun.jpg")
    let before = try program.run("why", "2").output
    site.set("/sun.jpg", nil)
    try program.run("show", "2")
    let (after, feeds) = (try program.run("why", "2").output, try program.run("feeds").output)
    site.set("/sun.jpg", page)
    let shown = try program.run("show", "2")
    let last = try program.run("why", "2").output

    let reason = "missing: the server answered 404 (not found), tried again from 20"
    #expect(!before.contains("404"))
    #expect(after.contains("original   \(reason)"), "\(after)")
    #expect(feeds.contains("1 original"), "\(feeds)")
    #expect(shown.status == 0)
    #expect(!last.contains("404"))
  }

  @Test func `asks no server with --offline`() throws {
    let before = site.targets.count
    let result = try library.program.run("show", "2", "--offline")

    #expect(result.status == 4)
    #expect(site.targets.count == before)
  }

  @Test func `tells events as JSON`() throws {
    let result = try library.program.run("show", "--json", "1")

    let output = result.output
      .replacing(library.path, with: "LIBRARY")
      .replacing(/[0-9a-f]{64}/, with: "HASH")
    #expect(
      output == """
        {"event":"thumbnail","id":1,"title":"Moon","type":"image/jpeg","bytes":415,"width":320,\
        "height":80}
        {"event":"original","id":1,"file":"LIBRARY/originals/\(hashStart(result.output))/HASH.jpg",\
        "bytes":\(moon.count),"sha256":"HASH","type":"image/jpeg","width":4000,"height":1000,\
        "downloaded":true,"resumedFrom":0,"damaged":false}

        """
    )
  }

  @Test func `tells as JSON that the original is not to be had`() throws {
    let result = try library.program.run("show", "--json", "--offline", "3")

    #expect(
      result.output.hasSuffix(
        """
        {"event":"unavailable","id":3,"reason":"the original is not stored, and this command may not \
        use the network","detail":null}

        """
      )
    )
    #expect(result.status == 4)
  }

  @Test func `prints all that is known`() throws {
    site.server.stop()
    let text = try library.program.run("show", "--info", "1")
    let json = try library.program.run("show", "--info", "--json", "1")

    #expect(text.output.contains("original    http://127.0.0.1:\(site.server.port)/moon.jpg\n"))
    #expect(
      steady(json.output, site: site)
        .replacing(/"firstSeen":"[^"]*"/, with: #""firstSeen":"T""#)
        .replacing(/[0-9a-f]{64}/, with: "HASH") == """
          {"id":1,"feed":{"id":1,"title":"Night sky"},"title":"Moon","caption":null,"author":null,\
          "licence":null,"published":"2026-11-02T08:00:00Z","pageURL":null,\
          "thumbnailURL":"http://site/moon-small.jpg","originalURL":"http://site/moon.jpg",\
          "width":4000,"height":1000,"thumbnailStored":true,"originalStored":false,\
          "thumbnailDamaged":false,"originalDamaged":false,"gone":false,"pinned":false,"failures":[],\
          "feedURL":"http://site/photos.xml","firstSeen":"T","thumbnail":{"bytes":415,\
          "type":"image/jpeg","width":320,"height":80,"sha256":"HASH"},"original":null,"manifest":null}

          """
    )
  }

  @Test func `writes a copy, and replaces one only with --force`() throws {
    let file = "\(library.folder)/copy.jpg"
    #expect(try library.program.run("show", "1", "--output", file).output == "\(file)\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(moon))

    let refused = try library.program.run("show", "2", "--output", file)
    #expect(refused.status == 1)
    #expect(refused.errors == "cannot write '\(file)': it exists — --force replaces it\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(moon))

    #expect(try library.program.run("show", "2", "--output", file, "--force").status == 0)
    #expect(try Data(contentsOf: URL(filePath: file)) != Data(moon))
  }

  @Test func `writes the picture itself to standard output`() throws {
    let result = try library.program.shell("gallery show 1 --output - | wc -c")
    #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "\(moon.count)")
  }

  @Test func `writes a copy of the thumbnail`() throws {
    let result = try library.program.shell("gallery show 1 --thumbnail --output - | wc -c")
    #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "415")
  }

  @Test func `ends quietly when no program reads the picture`() throws {
    let result = try library.program.shell("gallery show 1 --output - | true")
    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }

  @Test func `says through a pipe that a thumbnail has no file, and how to get one`() throws {
    let none = try library.program.run("show", "1", "--thumbnail")
    let copied = try library.program.run("show", "1", "--thumbnail", "--output", "small.jpg")

    let message = """
      cannot print the path of the thumbnail of '1': it is stored, but not as a file of its own — \
      --output FILE writes it to one

      """
    #expect(none == Program.Result(status: 4, output: "", errors: message))
    #expect(copied.output == "small.jpg\n")
  }

  @Test func `counts a thumbnail that was all that was wanted as done`() throws {
    #expect(try library.program.run("show", "--thumbnail", "1", "9", "--json").status == 2)
  }

  @Test func `names an image that does not exist, and shows the others`() throws {
    let missing = try library.program.run("show", "9")
    #expect(missing.status == 3)
    #expect(
      missing.errors == "cannot show '9': no such image — 'gallery list' shows the ids\n"
    )

    let mixed = try library.program.run("show", "9", "1")
    #expect(mixed.status == 2)
    #expect(mixed.output.hasSuffix(".jpg\n"))
  }

  @Test func `refuses a page under an image's address`() throws {
    let page = Array("<html><body>Please log in</body></html>".utf8)
    site.set("/moon.jpg", .init(type: "text/html", body: page))
    let result = try library.program.run("show", "1")

    #expect(result.status == 4)
    #expect(result.errors.contains("the data is not a picture but an HTML page"))
    #expect(try library.program.shell("find library -name '*.jpg'").output == "")
  }

  private var moon: [UInt8] { TestPicture.jpeg(width: 4000, height: 1000, filling: 4000) }

  private func hashStart(_ output: String) -> Substring {
    output.split(separator: "originals/").last?.prefix(2) ?? ""
  }
}

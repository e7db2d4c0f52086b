import Foundation
import Glibc
import TestSupport
import Testing
import Threading
import Workers

struct SyncCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `ends in order when it fails before the transfer library is loaded`() throws {
    let result = try library.program.shell(
      """
      for n in $(seq 40); do
        gallery sync http://127.0.0.1:1/ --cache /dev/null/library > /dev/null 2>&1
        echo $?
      done
      """
    )

    #expect(result.output == String(repeating: "1\n", count: 40))
  }

  @Test func `says that a feed does not take the place of a gallery`() throws {
    let former = "https://127.0.0.1:9/gallery/"
    let result = try library.program.run("sync", site.feed, "--take-over", former)

    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "'\(site.feed)' is not a gallery, and so does not go on with what the library has of '\(former)'"
      ),
      "\(result)"
    )
    let other = try library.program.run("sync", "2", "--take-over", "1")
    #expect(other.status != 0)
    let known = try library.program.run("sync", site.address("/other.xml"), "--take-over", "1")
    #expect(known.status == 64)
    #expect(known.errors.contains("only a gallery can take the place of a gallery"), "\(known)")
    #expect(try library.program.run("sync", site.feed).errors == "")
  }

  @Test func `stores a feed and its thumbnails, and says so`() throws {
    let result = try library.program.run("sync", site.feed)

    #expect(
      steady(result.output, site: site)
        == "updated 'Night sky': 3 images, 3 new; 3 thumbnails stored; SIZE in TIME\n"
    )
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func `makes one conditional request for a feed that has not changed`() throws {
    try library.program.run("sync", site.feed)
    let before = site.targets.count
    let result = try library.program.run("sync")

    #expect(site.targets[before...] == ["/photos.xml"])
    #expect(site.server.requests.last?["If-None-Match"] != nil)
    #expect(
      steady(result.output, site: site) == "unchanged 'Night sky': 3 images; SIZE in TIME\n"
    )
  }

  @Test func `prints a JSON object a feed`() throws {
    let result = try library.program.run("sync", "--json", site.feed)

    #expect(
      steady(result.output, site: site) == """
        {"feed":{"id":1,"url":"http://site/photos.xml","title":"Night sky","format":"mediarss"},\
        "status":"updated","images":{"total":3,"new":3,"changed":0,"gone":0},\
        "thumbnails":{"stored":3,"failed":0,"waiting":0},\
        "originals":{"stored":0,"failed":0,"waiting":0},"bytes":B,"seconds":S,"dryRun":false,\
        "problems":[],"failures":[],"newIDs":[[1,3]],"list":null}

        """
    )
  }

  @Test func `fetches originals when asked to, and only those that are missing`() throws {
    try library.program.run("sync", site.feed, "--originals")
    let asked = site.targets.count
    let second = try library.program.run("sync", "--originals", "1")

    #expect(site.targets.contains("/moon.jpg"))
    #expect(site.targets[asked...] == ["/photos.xml"])
    #expect(second.status == 0)
  }

  @Test func `leaves thumbnails alone with --metadata-only and fetches them later`() throws {
    let first = try library.program.run("sync", site.feed, "--metadata-only")
    #expect(site.targets == ["/photos.xml"])
    #expect(first.output.contains("3 thumbnails waiting"))

    let second = try library.program.run("sync")
    #expect(second.output.contains("3 thumbnails stored"))
  }

  @Test func `asks for everything again with --force`() throws {
    try library.program.run("sync", site.feed)
    let before = site.targets.count
    try library.program.run("sync", "--force")

    #expect(
      Set(site.targets[before...])
        == ["/photos.xml", "/moon-small.jpg", "/sun-small.jpg", "/stars-small.jpg"]
    )
  }

  @Test func `tells what failed, stores the rest and exits 2`() throws {
    site.set("/sun-small.jpg", nil)
    let result = try library.program.run("sync", site.feed)

    #expect(
      steady(result.errors, site: site) == """
        cannot fetch the thumbnail 'http://site/sun-small.jpg': the server answered 404 (not found) \
        — a sync some days later tries again, one with --retry-failed at once

        """
    )
    // The one that failed is made from its original.
    #expect(result.output.contains("3 thumbnails stored, 1 failed"))
    #expect(result.status == 2)
  }

  @Test func `tells what failed alike once, and why it waits from then on`() throws {
    let program = library.program
    for name in ["sun", "moon", "stars"] {
      site.set("/\(name)-small.jpg", nil)
      site.set("/\(name).jpg", nil)
    }
    let first = try program.run("sync", site.feed)
    let second = try program.run("sync")
    let verbose = try program.run("sync", "--retry-failed", "--verbose")
    let feeds = try program.run("feeds", "--json")
    let list = try program.run("list", "--json", "--limit", "1")
    let info = try program.run("show", "1", "--info")

    let reason = "the server answered 404 (not found)"
    #expect(first.errors.hasPrefix("cannot fetch 3 thumbnails of 'Night sky': \(reason), for "))
    #expect(first.errors.hasSuffix("; --verbose lists them\n"))
    // Nor can they be made from their originals.
    #expect(first.errors.count { $0 == "\n" } == 2)
    let held = "; 3 thumbnails failed lately: \(reason), tried again from "
    #expect(second.output.contains(held))
    #expect(!second.output.contains("waiting"))
    #expect(second.status == 0)
    #expect(verbose.errors.matches(of: /cannot fetch the thumbnail 'http/).count == 3)
    #expect(feeds.output.contains(#""failures":[{"picture":"thumbnail","count":3,"#))
    #expect(list.output.contains(#""failures":[{"picture":"thumbnail","reason":"\#(reason)","#))
    #expect(info.output.contains("thumbnail, 2 times: \(reason), tried again from "))
  }

  @Test func `tells each feed that failed once, and all together at the end`() throws {
    site.set("/gone.xml", nil)
    let address = site.address("/gone.xml")
    let result = try library.program.run("sync", site.feed, address)

    #expect(result.errors.hasPrefix("cannot sync '\(address)': "))
    #expect(result.errors.count { $0 == "\n" } == 1)
    let lines = steady(result.output, site: site).split(separator: "\n")
    #expect(
      lines == [
        "updated 'Night sky': 3 images, 3 new; 3 thumbnails stored; SIZE in TIME",
        "2 feeds: 1 updated, 1 failed; 3 images, 3 new; 3 thumbnails stored; SIZE in TIME",
      ]
    )
    #expect(result.status == 2)
  }

  @Test func `keeps harmless blemishes for --verbose, and warnings from --quiet`() throws {
    let item = "<item><dc:valid/><enclosure url='/sun.jpg' type='image/jpeg'/></item>"
    let text = "<rss><channel><title>Odd</title>\(item)</channel></rss>"
    site.set("/odd.xml", .init(type: "text/xml", body: Array(text.utf8)))
    site.set("/cut.xml", .init(type: "text/xml", body: Array(text.utf8.dropLast(16))))
    let options = ["--metadata-only", "--force"]
    let odd = site.address("/odd.xml")
    func sync(_ arguments: String...) throws -> Program.Result {
      try library.program.finish(library.program.start(["sync"] + arguments + options))
    }
    let plain = try sync(odd)
    let verbose = try sync(odd, "--verbose")
    let cut = try sync(site.address("/cut.xml"))
    let quiet = try sync(site.address("/cut.xml"), "--quiet")

    #expect(plain.errors == "")
    #expect(verbose.errors.contains("has a prefix that no namespace is declared for — nothing"))
    #expect(cut.errors.contains("': the document is cut off — the rest was read\n"))
    #expect(quiet.errors == "")
    #expect(quiet.output == "")
  }

  @Test func `exits 1 when every feed failed, and what is stored can be listed`() throws {
    try library.program.run("sync", site.feed)
    site.server.stop()
    let result = try library.program.run("sync")

    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("cannot sync '\(site.feed)': "))
    #expect(result.errors.hasSuffix(" — stored data stays as it is\n"))
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `refuses a page that is not a feed, and remembers nothing of it`() throws {
    site.set("/page", .init(type: "text/html", body: Array("<!doctype html><p>Hello".utf8)))
    let result = try library.program.run("sync", site.address("/page"))

    #expect(result.status == 1)
    #expect(result.errors.contains("not a feed but an HTML page"))
    #expect(try library.program.run("feeds").output == "")
  }

  @Test func `without a feed and without any known, is a wrong use with a hint`() throws {
    let result = try library.program.run("sync")

    #expect(result.status == 64)
    #expect(result.errors == "no feed is followed yet — 'gallery sync <feed-url>' follows one\n")
  }

  @Test func `names a feed id that is not known`() throws {
    let result = try library.program.run("sync", "7")

    #expect(result.status == 3)
    #expect(result.errors == "no feed '7' is followed — 'gallery feeds' lists the ones that are\n")
  }

  @Test func `reads a feed from a file, and pictures only from below its folder`() throws {
    let folder = URL(filePath: library.folder)
    try Data(TestPicture.jpeg(width: 64, height: 64)).write(to: folder.appending(path: "a.jpg"))
    let feed = #"[{"id":1,"url":"a.jpg","thumbnailUrl":"a.jpg?small"},{"url":"../b.jpg"}]"#
    try Data(feed.utf8).write(to: folder.appending(path: "feed.json"))
    let result = try library.program.run("sync", "feed.json", "--originals")

    #expect(result.output.contains("2 images, 2 new"))
    #expect(result.errors.contains("b.jpg"))
    #expect(result.status == 2)
  }

  @Test func `keeps what came when it is interrupted, says so, and goes on later`() throws {
    let gate = Gate()
    let held = TestPicture.jpeg(width: 320, height: 80, filling: 10)
    site.set("/stars-small.jpg", .init(type: "image/jpeg", body: held, gate: gate))
    let program = library.program
    let running = try program.start(["sync", site.feed])
    site.server.arrivals.waitToReach(4)
    kill(running.process.identifier, SIGINT)
    let result = try program.finish(running)
    gate.open()

    #expect(result.status == 130)
    #expect(result.errors.contains("interrupted — gallery has stored what arrived"))
    // At least the held picture is missing; some of the others may not have arrived yet.
    let missing = try 3 - storedThumbnails
    #expect((1...3).contains(missing))
    let waiting = result.output.firstMatch(of: /(\d+)(?: thumbnails?)? waiting/)?.1
    #expect(waiting == "\(missing)", "\(result)")
    let again = try program.run("sync")
    #expect(again.output.contains("\(missing) thumbnail"), "\(again)")
    #expect(again.status == 0)
    #expect(try storedThumbnails == 3)
  }

  private var storedThumbnails: Int {
    get throws {
      let list = try library.program.run("list", "--json").output
      return list.matches(of: /"thumbnail":\{"url":"[^"]*","stored":true/).count
    }
  }

  @Test func `continues when no program reads its output`() throws {
    let result = try library.program.shell("gallery sync \(site.feed) | true")

    #expect(result.status == 0)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `takes feeds from a file and from standard input`() throws {
    let site = try PhotoSite()
    site.set(
      "/b.json",
      .init(type: "application/json", body: Array(#"[{"url":"/moon.jpg"}]"#.utf8))
    )
    let result = try library.program.shell(
      """
      printf '# mine\\n\\n  \(site.feed)  \\r\\n#no\\n' >feeds.txt
      gallery sync --metadata-only --input feeds.txt -q; echo $?
      echo '\(site.address("/b.json"))' | gallery sync --metadata-only --input - -q; echo $?
      gallery feeds | cut -f 1
      echo '# none' | gallery sync --input -; echo $?
      gallery sync --input nosuch.txt; echo $?
      gallery sync --input feeds.txt --watch; echo $?
      gallery sync --input . 2>&1 | head -n 1
      """
    )

    #expect(
      result.output
        == "0\n0\n1\n2\n64\n64\n64\nError: cannot read '.': Is a directory\n",
      "\(result)"
    )
    #expect(result.errors.contains("Error: cannot read '-': it names no feed"))
    #expect(result.errors.contains("Error: cannot read 'nosuch.txt': No such file or directory"))
  }

  @Test func `a file of feeds may have comments behind them, and paths below the home`() throws {
    let site = try PhotoSite()
    let document = #"[{"url":"\#(site.address("/moon.jpg"))"}]"#
    let result = try library.program.shell(
      """
      HOME=$PWD; export HOME
      echo '\(document)' >a.json; echo '\(document)' >'b c.json'
      printf '\(site.feed) # mine\\n~/a.json\\t# of the home\\n' >feeds.txt
      printf 'file:~/b%%20c.json\\n' >more.txt
      gallery sync --metadata-only --input='~/feeds.txt' -q; echo $?
      gallery sync --metadata-only --input more.txt -q; echo $?
      gallery sync --metadata-only '~/a.json' -q; echo $?
      gallery feeds | wc -l
      gallery feeds | cut -f 3 | grep -cxF '\(site.feed)'
      """
    )

    #expect(result.output == "0\n0\n0\n3\n1\n", "\(result)")
  }

  @Test func `says how to name a list of addresses, a document and a picture`() throws {
    let site = try PhotoSite()
    let result = try library.program.shell(
      """
      gallery sync --metadata-only \(site.feed) -q
      gallery feeds | gallery sync -; echo $?
      gallery feeds --opml | gallery sync --input -; echo $?
      gallery feeds --json | gallery --cache other sync --metadata-only -q --input -; echo $?
      gallery --cache other feeds | cut -f 1,3
      mkdir half; cp '\(Checkout.folder.path)/Scripts/demo-feed/originals/'01*.jpg half/a.jpg
      gallery sync half/*.jpg; echo $?
      """
    )

    #expect(result.output == "1\n64\n0\n1\t\(site.feed)\n1\n", "\(result)")
    #expect(
      result.errors.contains("plain text — nothing was stored; 'gallery sync --input -' reads")
    )
    #expect(result.errors.contains("it is an XML document or a page, and not a list of feeds"))
    #expect(result.errors.contains("half' follows the pictures of its folder"), "\(result)")
  }

  @Test func `another library follows the same feeds by the lines of gallery feeds`() throws {
    let result = try library.program.shell(
      """
      echo '<html><body><img src="big.jpg" width="800" height="600"></body></html>' >web.html
      mkdir photos; cp '\(Checkout.folder.path)/Scripts/demo-feed/originals/'01*.jpg photos/a.jpg
      gallery sync --metadata-only --page web.html -q; gallery sync --metadata-only photos -q
      gallery feeds | gallery --cache text sync --metadata-only -q --input -; echo $?
      gallery feeds --json | gallery --cache json sync --metadata-only -q --input -; echo $?
      gallery feeds >list; gallery --cache file sync --metadata-only -q --input list; echo $?
      for copy in text json file; do
        gallery --cache $copy sync --metadata-only -q; gallery --cache $copy feeds | cut -f 4,5
      done
      """
    )

    #expect(result.output == "0\n0\n0\n" + String(repeating: "html\t1\nfolder\t1\n", count: 3))
    #expect(result.errors == "")
  }

  @Test func `a list from a pipe cannot name a new folder, but one in a file can`() throws {
    let result = try library.program.shell(
      """
      mkdir photos; cp '\(Checkout.folder.path)/Scripts/demo-feed/originals/'01*.jpg photos/a.jpg
      for line in photos ./photos "file://$PWD/photos/" "$PWD/photos"; do
        echo "$line" | gallery sync --metadata-only --input - 2>error; echo $?
      done
      cat error | head -n 1; gallery feeds | wc -l
      echo photos >list; gallery sync --metadata-only -q --input list; echo $?
      gallery sync --metadata-only -q --input - <list; echo $?
      echo photos | gallery sync --metadata-only -q --input -; echo $?
      gallery feeds | wc -l
      """
    )

    let folder = "\(library.folder)/photos"
    #expect(
      result.output == """
        64
        64
        64
        64
        Error: cannot read '-': line 1: '\(folder)' is a folder, which a list from a pipe cannot name, because it may be \
        a stranger's; 'gallery sync \(folder)' follows it, and so does a list in a file
        0
        0
        0
        0
        1

        """,
      "\(result)"
    )
  }

  @Test func `a sync that may have no feed ends with status 0 without one`() throws {
    let program = library.program
    #expect(try program.run("sync").status == 64)
    #expect(try program.run("sync", "--if-any") == .init(status: 0, output: "", errors: ""))
    #expect(
      try program.run("sync", "--if-any", "--json") == .init(status: 0, output: "", errors: "")
    )
    #expect(try program.run("sync", "--if-any", "x.xml").status == 64)
  }

  @Test(arguments: [500, 502, 504])
  func `a new feed that is named fails at the first error of its server`(status: Int) throws {
    let server = try LoopbackServer { _ in .whole(status: status) }
    let address = "http://127.0.0.1:\(server.port)/feed.xml"
    let result = try library.program.run("sync", address)

    #expect(result.status == 1)
    #expect(result.errors.contains("the server answered \(status)"), "\(result)")
    #expect(server.arrivals.count == 1)
  }

  @Test func `a new feed that is named waits for a server that is busy, and a known one for all`()
    throws
  {
    let site = try PhotoSite()
    let answers = Locked([429, 200, 500, 200])
    let server = try LoopbackServer { request in
      let status = request.target == "/photos.xml" ? answers.withLock { $0.removeFirst() } : 200
      return status == 200
        ? site.response(to: request) : .whole(status: status, fields: ["Retry-After: 0"])
    }
    let address = "http://127.0.0.1:\(server.port)/photos.xml"
    let first = try library.program.run("sync", "--metadata-only", address)
    let second = try library.program.run("sync", "--metadata-only", address)

    #expect(first.status == 0 && second.status == 0, "\(first) \(second)")
    #expect(answers.snapshot.isEmpty)
  }

  @Test func `names the other scheme, and the places of a login`() throws {
    let plain = try LoopbackServer { _ in .whole(status: 401) }
    let closing = try LoopbackServer { _ in .hangUp }
    let login = try library.program.run("sync", "http://127.0.0.1:\(plain.port)/a.xml")
    let closed = try library.program.run("sync", "http://127.0.0.1:\(closing.port)/a.xml")

    #expect(
      closed.errors.contains(
        "'gallery sync https://127.0.0.1:\(closing.port)/a.xml' asks with TLS"
      ),
      "\(closed)"
    )
    let places = [
      "~/.netrc", "https://USER:PASSWORD@", "headers-file", "cookies-file", "?token=TOKEN",
    ]
    for place in places {
      #expect(login.errors.contains(place), "\(login)")
    }
  }
}

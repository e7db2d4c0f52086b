import Foundation
import Glibc
import TestSupport
import Testing
import Threading

/// `sync --watch` under a service manager.
@Suite(.timeLimit(.minutes(60)))
struct WatchCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed)
  }

  @Test func `prints a line for each change, begins again at SIGHUP and ends at SIGTERM`() throws {
    try publish("mars")
    let running = try library.program.start(["sync", "--watch"])
    let first = line(of: running)
    try publish("venus")
    kill(running.process.identifier, SIGHUP)
    let second = line(of: running)
    kill(running.process.identifier, SIGTERM)
    let result = try library.program.finish(running)

    #expect(first.hasPrefix("updated 'Night sky': 4 images, 1 new;"))
    #expect(second.hasPrefix("updated 'Night sky': 5 images, 1 new;"))
    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }

  @Test func `syncs a folder of pictures when something has changed in it`() throws {
    let made = try library.program.shell(
      """
      mkdir -p photos
      cp '\(Checkout.folder.path)/Scripts/demo-feed/originals/01-dandelion.jpg' photos/a.jpg
      gallery sync photos
      """
    )
    #expect(made.status == 0, "\(made)")
    // A file that is not there as a whole would be told as one that cannot be read yet.
    func copy(_ name: String, to path: String) throws {
      let photo = "'\(Checkout.folder.path)/Scripts/demo-feed/originals/\(name).jpg'"
      let copied = try library.program.shell(
        "mkdir -p photos/new; cp \(photo) copy.jpg; mv copy.jpg photos/\(path)"
      )
      #expect(copied.status == 0, "\(copied)")
    }

    let running = try library.program.start(["sync", "--watch"])
    try copy("02-picos-de-europa", to: "b.jpg")
    let first = line(of: running)
    // By now the folder is watched, and so are folders that are made later.
    try copy("03-stream", to: "new/c.jpg")
    let second = line(of: running)
    kill(running.process.identifier, SIGTERM)
    let result = try library.program.finish(running)

    #expect(first.hasPrefix("updated 'photos': 2 images, 1 new; 1 thumbnail stored"))
    #expect(second.hasPrefix("updated 'photos': 3 images, 1 new; 1 thumbnail stored"))
    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }

  /// The server of the database is not there, so the watch waits for it.
  @Test(arguments: [
    "postgresql://me:hunter2@127.0.0.1:1/p",
    "postgresql://me@127.0.0.1:1/p?password=hunter2&connect_timeout=9",
  ])
  func `masks a password on its command line`(address: String) throws {
    let result = try library.program.shell(
      """
      gallery sync --watch --cache '\(address)' & watch=$!
      line() { tr '\\0' ' ' </proc/$watch/cmdline; }
      while kill -0 $watch && ! line | grep -q '^gallery.*[*][*][*]'; do :; done
      line
      kill $watch; wait $watch
      """
    )

    #expect(result.output.contains("me"))
    #expect(result.output.contains("***"))
    #expect(!"\(result)".contains("hunter2"), "\(result)")
  }

  @Test func `tells the service manager when it is ready, what it waits for, and that it ends`()
    throws
  {
    let result = try library.program.shell(
      """
      python3 -c 'import socket
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind("notify")
      print("bound", flush=True)
      while True:
        said = s.recv(4096).decode()
        print(said, flush=True)
        if said == "STOPPING=1": break' > said & listener=$!
      while kill -0 $listener && ! grep -q bound said; do :; done
      NOTIFY_SOCKET=notify gallery sync --watch & watch=$!
      while kill -0 $watch && ! grep -q STATUS said; do :; done
      kill $watch; wait $watch; status=$?
      test $status = 0 || kill $listener
      wait $listener
      sed 's/ at .*/ at TIME/' said
      exit $status
      """
    )

    #expect(
      result.output == """
        bound
        READY=1
        STATUS=following 1 feed, the next is asked at TIME
        STOPPING=1

        """
    )
    #expect(result.status == 0)
  }

  @Test(arguments: ["1", "--dry-run", "--force", "--retry-failed", "--timings"])
  func `refuses what is for one sync`(word: String) throws {
    let result = try library.program.run("sync", "--watch", word)

    #expect(result.status == 64)
    #expect(result.errors.contains("--watch"))
  }

  /// Adds an image to the feed, and makes the feed due.
  private func publish(_ name: String) throws {
    let page = try #require(site.page("/photos.xml"))
    let item = """
      <item><title>\(name)</title><guid>\(name)</guid>
      <media:content url="/moon.jpg?\(name)" type="image/jpeg"/>
      <media:thumbnail url="/moon-small.jpg?\(name)"/></item></channel>
      """
    let text = String(decoding: page.body, as: UTF8.self).replacing("</channel>", with: item)
    site.set("/photos.xml", .init(type: page.type, body: Array(text.utf8)))
    let due = "sqlite3 library/gallery.sqlite 'UPDATE feed_schedule SET due_at = 0'"
    #expect(try library.program.shell(due).status == 0)
  }

  /// Reads a line of standard output.
  private func line(of running: RunningProgram) -> String {
    var text = Data()
    while !text.contains(0x0A) {
      let more = running.output.availableData
      if more.isEmpty { break }
      text += more
    }
    return String(decoding: text, as: UTF8.self)
  }
}

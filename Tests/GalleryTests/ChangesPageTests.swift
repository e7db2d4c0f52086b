import Foundation
import TestSupport
import Testing

/// Runs the program on the page about changes with the real server.
struct ChangesPageTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test func `the program of the page keeps a copy`() throws {
    let page = DocumentationPage("Documentation/Changes.md")
    let program = try #require(page.blocks.first { $0.language == "python" })
    try program.lines.joined(separator: "\n").write(
      toFile: "\(library.folder)/follow.py",
      atomically: true,
      encoding: .utf8
    )
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)

    let result = try library.program.shell(
      """
      gallery serve --sync off --listen 127.0.0.1:0 >out 2>errors &
      server=$!
      until grep -q token= out || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
      line=$(head -n 1 out)
      address=${line%%/?token=*}
      export GALLERY_TOKEN=${line##*token=}
      admin="Authorization: Bearer $GALLERY_TOKEN"
      count() { sqlite3 copy.sqlite "SELECT type, count(*) FROM entity GROUP BY type" | tr "\\n" " "; echo; }
      curl -s -X PUT -H "$admin" "$address/api/v1/images/3/pin"
      python3 follow.py "$address" --once && count
      curl -s -X DELETE -H "$admin" "$address/api/v1/feeds/1" -o removed
      python3 follow.py "$address" --once && count
      sqlite3 copy.sqlite "UPDATE place SET cursor = '1.00.1.0.0.7'"
      python3 follow.py "$address" --once && count
      kill -TERM $server
      wait $server
      echo "status $?"
      """
    )

    #expect(result.output == "feed|1 image|12 pin|1 \n\n\nstatus 0\n", "\(result)")
  }

  @Test(arguments: ["--http1.1", "--http2"])
  func `a stream of events tells of changes by other processes, and ends with the server`(
    version: String
  ) throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)

    let result = try library.program.shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -keyout key.pem -out certificate.pem 2>errors
      gallery serve --sync off --listen 127.0.0.1:0 --tls-cert certificate.pem --tls-key key.pem >out 2>errors &
      server=$!
      until grep -q token= out || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
      line=$(head -n 1 out)
      admin="Authorization: Bearer ${line##*token=}"
      curl -s -k -N \(version) -H "$admin" "${line%%/?token=*}/api/v1/events" >events &
      client=$!
      until grep -q "^data" events || ! kill -0 $client 2>/dev/null; do sleep 0.02; done
      gallery feeds set 1 --title Other >/dev/null
      until grep -q "feeds.:.1." events || ! kill -0 $client 2>/dev/null; do sleep 0.02; done
      kill -TERM $server
      wait $client
      echo "client $?"
      wait $server
      echo "status $?"
      grep -c "^data" events
      """
    )

    #expect(result.output == "client 0\nstatus 0\n2\n", "\(result)")
  }
}

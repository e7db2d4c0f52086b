import FoundationEssentials
import TestSupport
import Testing

/// `gallery serve`: the real program on a real port.
struct ServeCommandTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test func `prints an address that opens the library, and ends with SIGTERM`() throws {
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      curl -s "$address/healthz"
      curl -s -o page -w "%{http_code}\\n" "$address/"
      curl -s -L -c cookies -b cookies -o page -w "%{http_code}\\n" "$address/?token=$token"
      grep -c "<!DOCTYPE html>" page
      curl -s -b cookies -o page -w "%{http_code}\\n" "$address/feeds"
      """
    )

    #expect(result.output == "ok\n401\n200\n1\n200\nstatus 0\n", "\(result)")
  }

  @Test func `a token for words that no image can have is not made`() throws {
    let result = try library.program.shell(
      """
      echo '[{"url":"http://127.0.0.1:1/a.jpg","title":"Sea"}]' >feed.json
      gallery sync --metadata-only feed.json >/dev/null
      gallery token add wave --search '🌊' || echo refused
      gallery token
      """
    )

    #expect(result.output == "refused\n", "\(result)")
    #expect(result.errors.contains("'🌊' has no letter and no digit"), "\(result)")
  }

  @Test func `asks feeds that are due by itself, and tells a command of new images`() throws {
    let prepared = try library.program.shell(
      """
      echo '[{"id":1,"url":"http://127.0.0.1:1/a.jpg"}]' >feed.json
      gallery sync --metadata-only feed.json
      echo '[{"id":1,"url":"http://127.0.0.1:1/a.jpg"},{"id":2,"url":"http://127.0.0.1:1/b.jpg"}]' >feed.json
      sqlite3 library/gallery.sqlite 'UPDATE feed_schedule SET due_at = 0'
      """
    )
    let result = try library.serve(
      "--listen 127.0.0.1:0 --sync auto --exec 'cat >>told'",
      """
      for try in $(seq 6000); do test -s told && break; sleep 0.02; done
      gallery list | wc -l
      cut -c 1-8 told
      """
    )

    #expect(prepared.status == 0)
    #expect(result.output == "2\n{\"id\":2,\nstatus 0\n", "\(result)")
  }

  @Test func `sets what the file of settings says of feeds, and reads it again at SIGHUP`() throws {
    let prepared = try library.program.shell(
      """
      echo '[{"id":1,"url":"http://127.0.0.1:1/a.jpg"}]' >feed.json
      gallery sync --metadata-only feed.json
      mkdir -p .config/gallery
      printf "[feed.1]\\ntitle = 'First'\\n" >.config/gallery/config.toml
      """
    )
    let result = try library.serve(
      "--listen 127.0.0.1:0 --sync auto",
      """
      titled() {
        for try in $(seq 6000); do gallery feeds | grep -q "$1" && break; sleep 0.02; done
        gallery feeds | cut -f 2
      }
      titled First
      printf "[feed.1]\\ntitle = 'Second'\\n" >.config/gallery/config.toml
      kill -HUP $server
      titled Second
      """
    )

    #expect(prepared.status == 0)
    #expect(result.output == "First\nSecond\nstatus 0\n", "\(result)")
  }

  @Test func `begins again at a SIGHUP that comes as soon as its address is printed`() throws {
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      kill -HUP $server
      for try in $(seq 6000); do test $(grep -c token= out) = 2 && break; sleep 0.02; done
      grep -c token= out
      """
    )

    #expect(result.output == "2\nstatus 0\n", "\(result)")
  }

  @Test func `prints its addresses and tokens as JSON`() throws {
    let result = try library.serve(
      "--listen 127.0.0.1:0 --listen unix:$PWD/s --json",
      """
      grep -c '^{"event":"listening","url":"http://127.0.0.1:[0-9]*/?token=[^"]*","socket":null}$' out
      grep -c '^{"event":"listening","url":null,"socket":"/.*/s"}$' out
      gallery token add tv --expires 2d --json | sed 's/"token":"[^"]*"/T/'
      gallery --json token | sed 's/T[0-9:]*Z/T/g; s/"20..-..-..T"/D/g'
      gallery token remove tv --json
      """
    )

    #expect(
      result.output == """
        1
        1
        {"name":"tv",T}
        {"name":"tv","admin":false,"feed":null,"search":null,"created":D,"expires":D}
        {"name":"tv","removed":true}
        status 0

        """,
      "\(result)"
    )
  }

  @Test func `a name that a token has is answered with the command that removes it`() throws {
    let result = try library.program.shell("gallery token add tv && gallery token add tv")

    #expect(result.status != 0)
    #expect(result.errors.contains("'gallery token remove tv' removes it"), "\(result)")
  }

  @Test func `a token is for a feed by its title, and for one that is followed`() throws {
    let result = try library.program.shell(
      """
      echo '[{"url":"http://127.0.0.1:1/a.jpg","title":"Sea"}]' >sea.json
      echo '[{"url":"http://127.0.0.1:1/b.jpg","title":"Sky"}]' >sky.json
      gallery sync --metadata-only -q sea.json && gallery sync --metadata-only -q sky.json
      gallery feeds set 1 --title Sea -q; gallery feeds set 2 --title Sky -q
      gallery token add one --feed sea >/dev/null; gallery token add two --feed 2 >/dev/null
      gallery token add three --feed 99 || gallery token add four --feed Moon || echo refused
      gallery feeds set 2 --title Sea -q; gallery token add five --feed Sea || echo unclear
      gallery token list; gallery token remove one two && gallery token -q
      """
    )

    #expect(
      result.output == """
        refused
        unclear
        one\treads\tfeed 1 'Sea'
        two\treads\tfeed 2 'Sea'

        """,
      "\(result)"
    )
    #expect(result.errors.contains("no feed '99' is followed; 'gallery feeds' lists the feeds"))
    #expect(result.errors.contains("'Sea' is the title of several feeds; an id names one: 1, 2"))
  }

  @Test(arguments: [
    ("5", "12h, 30d or 8w, with a unit"), ("auto", "without --expires, it is valid until"),
    ("off", "without --expires, it is valid until"), ("never", "without --expires, it is valid"),
    ("0d", "'0d' is not how long a token is valid"), ("-1h", "is not how long"),
    ("99999w", "is not how long"),
  ])
  func `refuses a time that a token cannot be valid for`(time: String, message: String) throws {
    let result = try library.program.shell("gallery token add tv --expires=\(time)")

    #expect(result.status == 64 && result.errors.contains(message), "\(result)")
    #expect(try library.program.run("token", "-q").output == "")
  }

  @Test func `removes the tokens that there are, and names the others`() throws {
    let result = try library.program.shell(
      """
      for name in one two three; do gallery token add $name >log; done
      gallery token remove one nosuch two one none; echo "status $?"
      gallery token remove nosuch; echo "status $?"; gallery token remove three three; echo "status $?"
      gallery token -q
      """
    )

    #expect(result.output == "status 2\nstatus 1\nstatus 0\n", "\(result)")
    let named = result.errors.split(separator: "\n").compactMap { line in
      line.split(separator: "'").dropFirst().first
    }
    #expect(named == ["nosuch", "none", "nosuch"], "\(result)")
  }

  @Test(arguments: [
    ("'my phone'", ", as in my-phone\n"), ("'/ann/tv/'", ", as in ann-tv\n"),
    ("' admin '", "'-', '_' and '.'\n"), ("'#'", "'-', '_' and '.'\n"),
  ])
  func `proposes a name that a token may have`(name: String, end: String) throws {
    let result = try library.program.shell("gallery token add \(name)")

    #expect(result.status == 1 && result.output == "", "\(result)")
    #expect(result.errors.hasSuffix(end), "\(result)")
  }

  @Test(arguments: [
    ("'camera:PENTAX K-7'", #"--search 'camera:"PENTAX K-7"'"#), ("moon", nil),
    (#"'camera:"PENTAX K-7"'"#, nil),
  ])
  func `notes a search of a token that lacks quotation marks`(search: String, hint: String?) throws
  {
    let site = try PhotoSite()
    try library.program.run("sync", site.feed)
    let result = try library.program.shell("gallery token add tv --search \(search)")

    #expect(result.status == 0 && !result.output.isEmpty, "\(result)")
    #expect(hint.map { result.errors.contains($0) } ?? result.errors.isEmpty, "\(result)")
  }

  @Test func `tells where the server's own token is while no token has a name`() throws {
    let empty = try library.program.run("token")
    let quiet = try library.program.run("token", "list", "--quiet")

    #expect(empty.output == "" && empty.status == 0)
    #expect(empty.errors.contains("is in '\(library.path)/server-token'"), "\(empty)")
    #expect(quiet == Program.Result(status: 0, output: "", errors: ""))
  }

  @Test func `takes a named token until it is removed`() throws {
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      named=$(gallery token add reader)
      ask() { curl -s -o page -w "%{http_code}\\n" -H "Authorization: Bearer $named" "$@"; }
      ask "$address/api/v1/feeds"
      ask -X POST -H "Content-Type: application/json" -d "{}" "$address/api/v1/sync"
      gallery --cache "$GALLERY_CACHE" token list
      gallery token remove reader
      ask "$address/api/v1/feeds"
      """
    )

    #expect(result.output == "200\n403\nreader\treads\n401\nstatus 0\n", "\(result)")
  }

  @Test(arguments: [
    "images.rss", "images.atom", "images.json", "iiif/images/manifest.json", "images.json?limit=5",
    "iiif/images/manifest.json?limit=5", "images.rss?token=$token", "images.atom?token=$token",
    "images.json?token=$token",
  ])
  func `another gallery that follows a list gets the same images`(path: String) throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
    let listed = "--format '{title}|{caption}|{author}|{published}|{thumbnail.sha256}'"
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      echo "machine 127.0.0.1 login gallery password $token" >netrc
      gallery show 3 >/dev/null 2>&1
      NETRC=netrc gallery --cache other sync --originals "$address/\(path)" >log 2>&1
      gallery list \(listed) | sort >have
      gallery --cache other list \(listed) | sort >got
      wc -l <got
      cmp have got
      gallery --cache other list --stored | wc -l
      """
    )

    #expect(result.output == "12\n12\nstatus 0\n", "\(result)")
  }

  @Test func `a sync of the printed address mirrors the gallery, and shows no token`() throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      gallery --cache other sync "$address/?token=$token" >log 2>&1
      echo "sync $?"
      gallery --cache other list | wc -l
      gallery --cache other feeds >>log
      grep -c "$token" log
      """
    )

    #expect(result.output == "sync 0\n12\n0\nstatus 0\n", "\(result)")
  }

  @Test func `prints the names by which other machines know it`() throws {
    let result = try library.serve(
      "--listen 0.0.0.0:0 --host localhost --host photos.home",
      """
      curl -s -L -c cookies -b cookies -o page -w "%{http_code}\\n" "$address/?token=$token"
      sed "s,:[0-9][0-9]*/.*,," out
      """
    )

    #expect(result.output == "200\nhttp://localhost\nhttp://photos.home\nstatus 0\n", "\(result)")
  }

  @Test
  func `prints the address of a network with IPv6, and the public one, as they can be opened`()
    throws
  {
    let result = try library.serve(
      "--listen 0.0.0.0:0 --host localhost --host FD00::0005 --public-url https://photos.example/a/",
      """
      sed "s,:[0-9][0-9]*/.*,," out | sed "s,token=.*,token,"
      """
    )

    #expect(
      result.output
        == "http://[fd00::5]\nhttp://localhost\nhttps://photos.example/a/?token\nstatus 0\n",
      "\(result)"
    )
  }

  @Test(arguments: [
    ("--listen 0.0.0.0:0", "--host names the server"), ("--listen 127.0.0.1:x", "the port is not"),
    ("--listen unix:socket", "begins with a slash"), ("--base-path gallery", "begins with a slash"),
    ("--tls-cert a.pem", "belong together"), ("--sync often", "is not an interval"),
    ("--host photos.home:8470", "has no port"), ("--host '*.home'", "is one name"),
    ("--trusted-proxy proxy", "is no IP address"),
    ("--with-places --originals-without-place", "choose one of them"),
    ("--user-header Remote-User", "needs --trusted-proxy"),
    ("--user-header 'a b' --trusted-proxy ::1", "is not the name of a field"),
  ])
  func `refuses options that make no sense`(options: String, message: String) throws {
    let result = try library.program.shell("gallery serve \(options)")

    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}

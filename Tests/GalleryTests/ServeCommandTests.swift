import FoundationEssentials
import TestSupport
import Testing

/// `gallery serve`: the real program on a real port.
struct ServeCommandTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  /// Starts a server, runs shell commands, and stops the server with SIGTERM.
  ///
  /// `$address` and `$token` are the server's address and token.
  private func serve(
    _ options: String,
    startedBy starter: String = "",
    _ asking: String
  ) throws -> Program.Result {
    try library.program.shell(
      """
      \(starter) gallery serve --sync off \(options) >out 2>errors &
      server=$!
      until grep -q "token=\\|socket" out || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
      line=$(head -n 1 out)
      address=${line%%/?token=*}
      token=${line##*token=}
      \(asking)
      kill -TERM $server
      wait $server
      echo "status $?"
      """
    )
  }

  @Test func `prints an address that opens the library, and ends with SIGTERM`() throws {
    let result = try serve(
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
    let result = try serve(
      "--listen 127.0.0.1:0 --sync auto --exec 'cat >>told'",
      """
      for try in $(seq 1000); do test -s told && break; sleep 0.02; done
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
    let result = try serve(
      "--listen 127.0.0.1:0 --sync auto",
      """
      titled() {
        for try in $(seq 1000); do gallery feeds | grep -q "$1" && break; sleep 0.02; done
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

  @Test func `takes a named token until it is removed`() throws {
    let result = try serve(
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
    "iiif/images/manifest.json?limit=5",
  ])
  func `another gallery that follows a list gets the same images`(path: String) throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
    let listed = "--format '{title}|{caption}|{author}|{published}|{thumbnail.sha256}'"
    let result = try serve(
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

  /// Opens a thousand connections that send a byte of a header each second, and one that reads an original slowly.
  private static let slowClients = """
    import socket, sys, time
    port, token, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    connect = lambda: socket.create_connection(("127.0.0.1", port))
    reader = connect()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.send(f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\n"
                f"Authorization: Bearer {token}\\r\\n\\r\\n".encode())
    slow = [connect() for _ in range(1000)]
    for byte in b"GET / HTTP/1.1":
        for client in slow:
            client.send(bytes([byte]))
        reader.recv(8192)
        print(len(slow), flush=True)
        time.sleep(1)
    """

  @Test func `answers others while a thousand clients are slow`() throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
    #expect(try library.program.run("show", "3").status == 0)
    let result = try serve(
      "--listen 127.0.0.1:0",
      """
      ask() { curl -s --max-time 10 -H "Authorization: Bearer $token" "$@"; }
      original=$(ask -o page -w "%{redirect_url}" "$address/images/3/original")
      python3 -c '\(Self.slowClients)' "${address##*:}" "$token" "/o/${original##*/}" >slow &
      clients=$!
      until [ -s slow ]; do sleep 0.02; done
      for try in 1 2 3 4 5; do ask -o page -w "%{http_code}\\n" "$address/api/v1/images"; done
      kill -0 $clients && cat slow | head -n 1
      kill $clients
      """
    )

    #expect(result.output == "200\n200\n200\n200\n200\n1000\nstatus 0\n", "\(result)")
  }

  @Test func `listens at a socket that only the user can open`() throws {
    // The path of a socket has at most 107 bytes (unix(7)).
    let result = try serve(
      "--listen unix:$socket",
      startedBy: "socket=$(mktemp -d /tmp/gallery-XXXXXX)/socket;",
      """
      stat -c %a $socket
      curl -s --unix-socket $socket http://localhost/healthz
      rm -r "${socket%/*}"
      """
    )

    #expect(result.output == "600\nok\nstatus 0\n", "\(result)")
  }

  /// A service manager that listens on a port and on a socket in the file system (sd_listen_fds(3)).
  private static let activation = """
    import os, socket, sys
    port = socket.create_server(("127.0.0.1", 0))
    path = socket.socket(socket.AF_UNIX)
    path.bind("socket")
    path.listen()
    for number, listener in enumerate((port, path), 10):
        os.dup2(listener.fileno(), number)
    for number in (3, 4):
        os.dup2(number + 7, number)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2")
    os.execvp(sys.argv[1], sys.argv[1:])
    """

  @Test(arguments: ["", "--tls-cert certificate.pem --tls-key key.pem"])
  func `serves at the sockets of the service manager`(options: String) throws {
    try makeCertificate()
    let result = try serve(
      options,
      startedBy: "python3 -c '\(Self.activation)'",
      """
      curl -s -k "$address/healthz"
      curl -s -k --unix-socket socket "${address%%:*}://localhost/healthz"
      curl -s -k -I -H "Authorization: Bearer $token" "$address/feeds" | grep -ci "^date: ..., .* GMT"
      kill -HUP $server
      for try in $(seq 1000); do test $(grep -c token= out) = 2 && break; sleep 0.02; done
      curl -s -k --unix-socket socket "${address%%:*}://localhost/healthz"
      """
    )

    #expect(result.output == "ok\nok\n1\nok\nstatus 0\n", "\(result)")
  }

  @Test func `names a descriptor of the service manager that is no socket`() throws {
    let result = try library.program.shell(
      "LISTEN_FDS=1 sh -c 'LISTEN_PID=$$ exec gallery serve' 3</dev/null"
    )

    #expect(result.status == 1)
    #expect(result.errors.contains("descriptor 3 of LISTEN_FDS"), "\(result.errors)")
  }

  private func makeCertificate() throws {
    let made = try library.program.shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -keyout key.pem -out certificate.pem 2>errors
      """
    )
    #expect(made.status == 0)
  }

  @Test func `speaks HTTP/2 with TLS, and HTTP/1.1 with those who do not`() throws {
    try makeCertificate()
    let result = try serve(
      "--listen 127.0.0.1:0 --tls-cert certificate.pem --tls-key key.pem",
      """
      for version in --http2 --http1.1; do
        curl -s -k $version -o page -w "%{http_version} %{http_code}\\n" "$address/healthz"
      done
      curl -s -k -i "$address/?token=$token" | grep -c "; Secure"
      """
    )

    #expect(result.output == "2 200\n1.1 200\n1\nstatus 0\n", "\(result)")
  }

  @Test func `prints the names by which other machines know it`() throws {
    let result = try serve(
      "--listen 0.0.0.0:0 --host localhost --host photos.home",
      """
      curl -s -L -c cookies -b cookies -o page -w "%{http_code}\\n" "$address/?token=$token"
      sed "s,:[0-9][0-9]*/.*,," out
      """
    )

    #expect(result.output == "200\nhttp://localhost\nhttp://photos.home\nstatus 0\n", "\(result)")
  }

  @Test(arguments: [
    ("--listen 0.0.0.0:0", "--host names the server"), ("--listen 127.0.0.1:x", "the port is not"),
    ("--listen unix:socket", "begins with a slash"), ("--base-path gallery", "begins with a slash"),
    ("--tls-cert a.pem", "belong together"), ("--sync often", "is not an interval"),
  ])
  func `refuses options that make no sense`(options: String, message: String) throws {
    let result = try library.program.shell("gallery serve \(options)")

    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}

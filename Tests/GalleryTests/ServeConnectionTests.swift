import FoundationEssentials
import TestSupport
import Testing

/// The connections of `gallery serve`: sockets, TLS, HTTP/2, and clients that send or read little.
struct ServeConnectionTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

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
            try:
                client.send(bytes([byte]))
            except OSError:
                pass  # The server may close a connection whose header is not complete in time.
        reader.recv(8192)
        print(len(slow), flush=True)
        time.sleep(1)
    time.sleep(600)
    """

  @Test func `answers others while a thousand clients are slow`() throws {
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
    #expect(try library.program.run("show", "3").status == 0)
    let result = try library.serve(
      "--listen 127.0.0.1:0",
      """
      ask() { curl -s --max-time 60 -H "Authorization: Bearer $token" "$@"; }
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

  /// The colours of thumbnails are computed when the server starts, and each change of the library empties its memory.
  @Test(arguments: ["--http1.1", "--http2"])
  func `sends a thumbnail again with the same fields, on the same connection with TLS`(
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
      address=${line%%/?token=*}
      thumbnail=$address/t/$(gallery list --limit 1 --format '{thumbnail.sha256}')
      metric() { curl -s -k -H "$admin" "$address/metrics" | grep "^gallery_$1" | cut -d " " -f 2; }
      for try in $(seq 1000); do
        curl -s -k \(version) -H "$admin" -D head1 -o body1 $thumbnail \
          --next -s -k \(version) -H "$admin" -D head2 -o body2 $thumbnail \
          --next -s -k \(version) -H "$admin" -I -o head3 $thumbnail
        # A change of the library, such as a colour, has emptied the memory in between if it has no picture.
        kept=$(metric kept_pictures)
        if [ "$(metric kept_answers_total)" -gt 1 ] && [ "$kept" = 1 ]; then break; fi
        sleep 0.02
      done
      for head in head1 head2 head3; do
        grep -v -i "^date" $head | tr -d "\\r" | cksum | uniq
      done | uniq | wc -l
      cmp body1 body2 && head -n 1 head2 | cut -d " " -f 2
      echo $kept
      kill -TERM $server
      wait $server
      echo "status $?"
      """
    )

    #expect(result.output == "1\n200\n1\nstatus 0\n", "\(result)")
  }

  @Test func `listens at a socket that only the user can open`() throws {
    // The path of a socket has at most 107 bytes (unix(7)).
    let result = try library.serve(
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

  @Test func `trusts a proxy at a socket where all sockets are trusted`() throws {
    let result = try library.serve(
      "--listen unix:$socket --trusted-proxy unix",
      startedBy: "socket=$(mktemp -d /tmp/gallery-XXXXXX)/socket;",
      """
      curl -s -o page -w "%{http_code}\\n" -H "X-Forwarded-Host: evil.example" \
        --unix-socket $socket http://localhost/healthz
      rm -r "${socket%/*}"
      """
    )

    #expect(result.output == "421\nstatus 0\n", "\(result)")
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
    let result = try library.serve(
      options,
      startedBy: "python3 -c '\(Self.activation)'",
      """
      curl -s -k "$address/healthz"
      curl -s -k --unix-socket socket "${address%%:*}://localhost/healthz"
      curl -s -k -I -H "Authorization: Bearer $token" "$address/feeds" | grep -ci "^date: ..., .* GMT"
      kill -HUP $server
      for try in $(seq 6000); do test $(grep -c token= out) = 2 && break; sleep 0.02; done
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
    let result = try library.serve(
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

  @Test(arguments: ["", "--tls-cert certificate.pem --tls-key key.pem"])
  func `asks for a body whose client waits, unless it refuses the request`(options: String) throws {
    try makeCertificate()
    let result = try library.serve(
      "--listen 127.0.0.1:0 \(options)",
      """
      ask() {
        curl -s -k -i --expect100-timeout 60 -H "Content-Type: application/json" -H "Expect: $1" \
          -H "Authorization: Bearer $2" -X "$3" --data-binary "$4" "$address/api/v1/sync" |
          sed -n "s,^HTTP/[0-9.]* \\([0-9]*\\).*,\\1,p" | tr "\\n" " "
        echo
      }
      head -c 1048577 /dev/zero >long
      ask 100-Continue "$token" POST "{}"
      ask 100-continue wrong POST "{}"
      ask 100-continue "$token" PUT "{}"
      ask 100-continue "$token" POST @long
      ask cookies "$token" POST "{}"
      """
    )

    #expect(result.output == "100 202 \n401 \n405 \n413 \n417 \nstatus 0\n", "\(result)")
  }

  /// Sends requests without a token on two connections with HTTP/2, and allows no byte of an answer's body.
  ///
  /// It prints when each answer of the first one has begun, and when the second one is closed.
  private static let unreadAnswers = """
    import socket, ssl, sys
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    def frame(kind, flags, stream, payload):
        return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    def connect():
        raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        connection = context.wrap_socket(raw, server_hostname="localhost")
        # The window of each stream has no byte (SETTINGS_INITIAL_WINDOW_SIZE).
        settings = frame(4, 0, 0, bytes([0, 4, 0, 0, 0, 0]))
        # GET https://localhost/, from the static table of HPACK.
        fields = bytes([0x82, 0x87, 0x84, 0x41, 9]) + b"localhost"
        requests = [frame(1, 5, 2 * number + 1, fields) for number in range(100)]
        connection.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n" + settings + b"".join(requests))
        return connection
    def answers(connection):
        count, data = 0, b""
        while count < 100:
            piece = connection.recv(65536)
            if not piece:
                break
            data += piece
            while len(data) >= 9 and len(data) >= 9 + int.from_bytes(data[:3], "big"):
                count += data[3] == 1
                data = data[9 + int.from_bytes(data[:3], "big"):]
        return count
    first = connect()
    print(answers(first), flush=True)
    second = connect()
    while second.recv(65536):
        pass
    second.close()
    print("closed", flush=True)
    sys.stdin.read()
    """

  @Test func `closes a connection whose client reads none of many refusals`() throws {
    try makeCertificate()
    let result = try library.serve(
      "--listen 127.0.0.1:0 --tls-cert certificate.pem --tls-key key.pem",
      """
      mkfifo end
      python3 -c '\(Self.unreadAnswers)' "${address##*:}" <end >seen &
      exec 3>end
      for try in $(seq 6000); do grep -q closed seen && break; sleep 0.02; done
      cat seen
      # The server may still hold the refusals of the second connection.
      curl -s -k --retry 9 --retry-all-errors -o page -w "%{http_code}\\n" "$address/"
      curl -s -k -o page -w "%{http_code}\\n" -H "Authorization: Bearer $token" "$address/"
      exec 3>&-
      """
    )

    #expect(result.output == "100\nclosed\n401\n200\nstatus 0\n", "\(result)")
  }
}

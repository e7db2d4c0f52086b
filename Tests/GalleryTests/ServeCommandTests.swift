import FoundationEssentials
import TestSupport
import Testing

/// `gallery serve`, the real program at a real port.
struct ServeCommandTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  /// Starts a server, asks it in the shell, and ends it with SIGTERM; `$address` and `$token` are its own.
  private func serve(_ options: String, _ asking: String) throws -> Program.Result {
    try library.program.shell(
      """
      gallery serve --sync off \(options) >out 2>errors &
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

  @Test(arguments: ["rss", "atom"])
  func `another gallery that follows a list gets the same images`(format: String) throws {
    let demo = "\(Checkout.folder.path)/Scripts/demo-feed/feed.xml"
    #expect(try library.program.run("sync", demo).status == 0)
    let listed = "--format '{title}|{caption}|{author}|{published}|{thumbnail.sha256}'"
    let result = try serve(
      "--listen 127.0.0.1:0",
      """
      echo "machine 127.0.0.1 login gallery password $token" >netrc
      gallery show 3 >/dev/null 2>&1
      NETRC=netrc gallery --cache other sync --originals "$address/images.\(format)" >log 2>&1
      gallery list \(listed) | sort >have
      gallery --cache other list \(listed) | sort >got
      wc -l <got
      cmp have got
      gallery --cache other list --stored | wc -l
      """
    )

    #expect(result.output == "12\n12\nstatus 0\n", "\(result)")
  }

  @Test func `listens at a socket that only the user can open`() throws {
    let result = try serve(
      "--listen unix:$PWD/socket",
      """
      stat -c %a socket
      curl -s --unix-socket socket http://localhost/healthz
      """
    )

    #expect(result.output == "600\nok\nstatus 0\n", "\(result)")
  }

  @Test func `speaks HTTP/2 with TLS, and HTTP/1.1 with those who do not`() throws {
    let made = try library.program.shell(
      """
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -keyout key.pem -out certificate.pem 2>errors
      """
    )
    #expect(made.status == 0)
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

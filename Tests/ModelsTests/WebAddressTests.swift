import Models
import Testing

struct WebAddressTests {
  @Test func `keeps the text as it was written`() throws {
    let address = try #require(WebAddress("HTTPS://Host.Example:8443/a%2Fb?x=%3D&y#End"))

    #expect(address.text == "HTTPS://Host.Example:8443/a%2Fb?x=%3D&y#End")
    #expect(address.scheme == "https")
    #expect(address.host == "host.example")
    #expect(address.path == "/a%2Fb")
    #expect(address.query == "x=%3D&y")
  }

  @Test(arguments: [
    "", "photo.jpg", "/photo.jpg", "//host/photo.jpg", "1http://host/", ":", "a b:c",
  ])
  func `takes no address without a scheme`(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("http://user:secret@host.example:80/", "host.example"),
    ("http://user@other@host.example/", "host.example"),
    ("https://[2001:DB8::1]:443/a", "[2001:db8::1]"),
    ("https://host.example?query", "host.example"),
    ("file:///home/ann/feed.xml", ""),
    ("mailto:ann@host.example", nil),
  ])
  func `tells the host from user-info and port`(_ text: String, _ host: String?) throws {
    #expect(try #require(WebAddress(text)).host == host)
  }

  @Test(arguments: [
    ("https://host.example/a", true), ("HTTP://host.example", true), ("http:///a", false),
    ("ftp://host.example/a", false), ("file:///a", false), ("data:image/png;base64,AA==", false),
  ])
  func `knows what a transfer may ask for`(_ text: String, _ isWeb: Bool) throws {
    #expect(try #require(WebAddress(text)).isWeb == isWeb)
  }
}

struct WebAddressMovingTests {
  @Test(arguments: [
    ("http://a.b/feed", "https://a.b/feed", true),
    ("http://a.b/feed", "http://c.d/feed", true),
    ("https://a.b/feed", "https://c.d/feed", true),
    ("https://a.b/feed", "http://a.b/feed", false),
    ("https://a.b/feed", "https://a.b/feed", false),
    ("https://a.b/feed", "file:///etc/feed", false),
    ("file:///srv/feed", "https://a.b/feed", false),
    ("https://ann:pass@a.b/feed", "https://a.b/new", false),
  ])
  func `follows to what is as safe, and keeps what it needs`(
    from: String,
    to: String,
    mayMove: Bool
  ) throws {
    let address = try #require(WebAddress(from))
    let target = try #require(WebAddress(to))

    #expect(address.mayMove(to: target) == mayMove)
  }
}

struct WebAddressPartsTests {
  @Test(arguments: [
    "page=2", "p=2", "offset=0", "start=10", "limit=30", "per_page=30", "per-page=30", "count=5",
    "n=5", "cursor=x", "after=t3", "before=t3", "since=2026", "until=2026", "max_id=7",
    "q=sea&Limit=3", "page[size]=3", "page%5Bnumber%5D=3", "$top=5", "%24skip=5", "_page=1",
    "pageToken=x", "a=b;limit=3", "limit",
  ])
  func `asks for a part by a parameter that numbers or bounds pages`(query: String) throws {
    #expect(try #require(WebAddress("https://a.b/list?\(query)")).asksForPart)
  }

  @Test(arguments: ["/page/2", "/photos/Page/12/", "/page/2?q=sea"])
  func `asks for a part by a path of pages`(path: String) throws {
    #expect(try #require(WebAddress("https://a.b\(path)")).asksForPart)
  }

  @Test(arguments: [
    "/list", "/list?q=limit", "/list?token=page", "/list?tag=n", "/page", "/page/about",
    "/list?format=json&lang=en#page=2",
  ])
  func `asks for the whole otherwise`(path: String) throws {
    #expect(try !#require(WebAddress("https://a.b\(path)")).asksForPart)
  }
}

struct WebAddressMaskingTests {
  @Test(arguments: [
    ("https://ann:pass@host.example/a", "https://***@host.example/a"),
    ("https://t0ken@host.example/a", "https://***@host.example/a"),
    ("https://a@b:c@host.example/", "https://***@host.example/"),
    ("https://ann:pa#ss@host.example/a", "https://***@host.example/a"),
    ("https://ann:p/a?s@s@host.example/a", "https://***@host.example/a"),
    ("https://host.example/a?api_key=k3y&page=2", "https://host.example/a?api_key=***&page=2"),
    ("https://host.example/a?page=2&Token=t0p", "https://host.example/a?page=2&Token=***"),
    (
      "https://s3.example/a?X-Amz-Signature=ab&X-Amz-Date=20261102",
      "https://s3.example/a?X-Amz-Signature=***&X-Amz-Date=20261102"
    ),
    ("https://host.example/a?sig=a=b&key=", "https://host.example/a?sig=***&key=***"),
    ("https://host.example/a#access_token=t0p&x=1", "https://host.example/a#access_token=***&x=1"),
    // Combining marks form one character with the delimiter before them.
    ("https://host.example/?key=\u{301}k3y&a=\u{301}", "https://host.example/?key=***&a=\u{301}"),
    ("https://host.example/?a&\u{301}key=b&key=c", "https://host.example/?a&\u{301}key=b&key=***"),
    (
      "https://host.example/?a\r&\u{301}&\u{200D}&key=c",
      "https://host.example/?a\r&\u{301}&\u{200D}&key=***"
    ),
    ("https://[\u{301}a:b@host.example/", "https://***@host.example/"),
  ])
  func `masks user-info and the values of secret parameters`(
    _ text: String,
    _ masked: String
  ) throws {
    let address = try #require(WebAddress(text))

    #expect(address.masked == masked)
    #expect("\(address)" == masked)
  }

  @Test(arguments: [
    ("postgresql://ann:s3cret@db.example/photos", "postgresql://***@db.example/photos"),
    ("postgresql://ann:s3/ret@db.example/photos", "postgresql://***@db.example/photos"),
    ("postgresql:///photos?user=ann&password=s3cret", "postgresql:///photos?user=ann&password=***"),
    ("/home/ann/photos", "/home/ann/photos"), ("a@b", "a@b"),
    ("stdin:https://ann:s3cret@host.example/", "stdin:https://***@host.example/"),
  ])
  func `masks the secrets of an address of any scheme`(text: String, masked: String) {
    #expect(WebAddress.masking(text) == masked)
  }

  @Test(arguments: [
    ("https://a.b/photos?page=2", "https://a.b/photos?page=2"),
    ("https://ann:pass@a.b/?token=7", "https://***@a.b/?token=***"), ("stdin:notes", "stdin:notes"),
    ("file:///home/ann/Pictures/", nil), ("FILE:///home/ann/feed.xml", nil), ("file:feed.xml", nil),
  ])
  func `others than the owner see no address of a file`(text: String, seen: String?) throws {
    #expect(try #require(WebAddress(text)).published == seen)
  }

  @Test(arguments: [
    (
      "cannot sync 'file:///home/ann/feed.xml': no such file",
      "cannot sync 'a file of the gallery's machine': no such file"
    ),
    (
      "file:///home/o'brien/a.xml (like FILE:///b),\nhttps://a.b/",
      "a file of the gallery's machine (like a file of the gallery's machine),\nhttps://a.b/"
    ),
    ("a profile:/x is no file: /home", "a profile:/x is no file: /home"),
    ("“file:///a/é/”", "“a file of the gallery's machine”"), ("", ""), ("file:", "file:"),
  ])
  func `a message for others than the owner has no address of a file`(
    message: String,
    told: String
  ) {
    #expect(WebAddress.withholdingFiles(in: message) == told)
  }

  @Test(arguments: [
    "https://host.example/a?page=2&keyboard=1&q=token", "https://host.example/a?key",
    "https://host.example/@ann/b", "https://host.example:8080/@ann/b", "https://[::1]:80/@ann",
    "file:///home/ann/a@b.xml", "https://host.example/a#top",
  ])
  func `leaves what is not a secret`(_ text: String) throws {
    #expect(try #require(WebAddress(text)).masked == text)
  }

  @Test(arguments: [
    ("cats", "stdin:cats"), ("my cats", "stdin:my%20cats"), ("2a", "stdin:2a"),
    ("a?b#c", "stdin:a%3Fb%23c"),
    ("https://host.example/a?b=c%20d", "stdin:https://host.example/a?b=c%20d"),
  ])
  func `names a pipe`(_ name: String, _ text: String) throws {
    let address = try #require(WebAddress.pipe(named: name))

    #expect(address.text == text)
    #expect(address.isPiped && !address.isAnonymousPipe)
    let base = WebAddress(name).flatMap { $0.isWeb ? $0 : nil }
    #expect(address.ofPipedDocument == base ?? address)
    #expect(address.pipeName == name)
  }

  @Test func `a name of a pipe tells no secret, and a number is none`() throws {
    let login = try #require(WebAddress.pipe(named: "https://ann:s3cret@host.example/a?token=b"))

    #expect(login.pipeName == "https://***@host.example/a?token=***")
    #expect(WebAddress(pipe: 1).pipeName == nil)
    #expect(WebAddress(pipe: 2).pipeName == nil)
    #expect(WebAddress("https://host.example/cats")?.pipeName == nil)
  }

  @Test(arguments: ["", "1", "007"])
  func `takes no number for the name of a pipe`(_ name: String) throws {
    #expect(WebAddress.pipe(named: name) == nil)
    #expect(try #require(WebAddress("stdin:" + name)).isAnonymousPipe)
  }
}

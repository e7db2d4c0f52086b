import Models
import Testing

/// Addresses of one file that a server signs anew, or serves from several hosts, in the forms of real services.
struct SignedAddressTests {
  @Test(arguments: [
    // DeviantArt, and an image that its service crops by a path.
    ("https://images-wixmp.host.example/f/1/a.png?token=eyJ0.a1", "?token=eyJ0.b2"),
    // Discord.
    (
      "https://cdn.host.example/attachments/1/2/a.png?ex=65a&is=659&hm=0f&", "?ex=66b&is=66a&hm=a9&"
    ),
    // Instagram, whose hosts change, too.
    (
      "https://scontent-fra3-1.cdn.example/v/t51/1_n.jpg?_nc_ht=scontent-fra3&oh=00_A&oe=65",
      "https://scontent-ams2-1.cdn.example/v/t51/1_n.jpg?_nc_ht=scontent-ams2&oh=00_B&oe=66"
    ),
    // Amazon S3 and Google's store, keys without extensions included.
    (
      "https://b.s3.host.example/key?X-Amz-Date=20240101T000000Z&X-Amz-Signature=0a",
      "?X-Amz-Date=20240102T000000Z&X-Amz-Signature=1b"
    ),
    ("https://b.host.example/key?X-Goog-Expires=1&x=1", "?X-Goog-Expires=2&x=1"),
    // Azure's shared access signatures, CloudFront, Unsplash, Reddit.
    (
      "https://b.host.example/key?sv=2022&se=2024-01-01&sig=a%3D", "?sv=2023&se=2024-02-01&sig=b%3D"
    ),
    (
      "https://d1.host.example/key?Expires=1&Key-Pair-Id=K&Signature=a",
      "?Expires=2&Key-Pair-Id=K&Signature=b"
    ),
    ("https://images.host.example/photo-1?ixid=M3w1&w=1080", "?ixid=M3w2&w=1080"),
    (
      "https://preview.host.example/x?width=640&s=0123456789abcdef0123456789abcdef",
      "?width=640&s=fedcba9876543210fedcba9876543210"
    ),
    // Cache busters, and a parameter that is new.
    ("https://host.example/image?v=1712000000", "?v=1713000000"),
    ("https://host.example/a.jpg", "?ver=2"), ("https://host.example/a.jpg?x=y", ""),
    // Hosts of one network.
    ("https://i0.wp.example/host/a.jpg", "https://i2.wp.example/host/a.jpg"),
    ("http://img1.host.co.uk/a.jpg", "https://img12.host.co.uk/a.jpg"),
  ])
  func `names the same file`(_ one: String, _ other: String) throws {
    let address = try #require(WebAddress(one))
    let path = String(one.prefix { $0 != "?" })
    let again = try #require(WebAddress(other.hasPrefix("http") ? other : path + other))

    #expect(address.namesSameFile(as: again))
    #expect(again.namesSameFile(as: address))
  }

  @Test(arguments: [
    ("https://host.example/a.jpg", "https://host.example/b.jpg"),
    ("https://host.example/1/a.jpg?token=1", "https://host.example/2/a.jpg?token=1"),
    ("https://one.example/a.jpg", "https://two.example/a.jpg"),
    ("https://a.co.uk/a.jpg", "https://b.co.uk/a.jpg"),
    ("http://10.0.0.1/a.jpg", "http://10.1.0.1/a.jpg"),
    ("http://localhost:1/a.jpg", "http://localhost:2/a.jpg"),
    ("https://host.example/image.php?id=5", "https://host.example/image.php?id=6"),
    (
      "https://host.example/get?file=0123456789abcdef01234",
      "https://host.example/get?file=fedcba9876543210fedcb"
    ),
    ("https://host.example/get?v=moon", "https://host.example/get?v=sun"),
    ("https://host.example/render?hash=0f1e2d", "https://host.example/render?hash=1f2e3d"),
    ("https://host.example/radar.png?site=A&t=1", "https://host.example/radar.png?site=B&t=1"),
    ("https://host.example/show.jpg?photo=1", "https://host.example/show.jpg?photo=2"),
    ("https://host.example/live.jpg?Cam=1&v=2", "https://host.example/live.jpg?Cam=2&v=2"),
    ("https://host.example/map.gif?date=0501", "https://host.example/map.gif"),
    ("https://host.example/proxy?url=a.jpg&sig=1", "https://host.example/proxy?url=b.jpg&sig=2"),
    ("file:///a.jpg", "file:///a.jpg?x"),
  ])
  func `names another file`(_ one: String, _ other: String) throws {
    let (one, other) = (try #require(WebAddress(one)), try #require(WebAddress(other)))

    #expect(!one.namesSameFile(as: other))
    #expect(!other.namesSameFile(as: one))
    #expect(one.unsignedIdentity != other.unsignedIdentity || !one.isWeb)
  }

  @Test(arguments: [
    ("https://host.example/a.jpg?w=1&h=2", "https://host.example/a.jpg?w=1&h=2"),
    ("http://HOST.example/a.jpg?token=1&w=1#x", "https://host.example/a.jpg?w=1"),
    ("https://img12.host.example/a.jpg?exp=1", "https://img#.host.example/a.jpg"),
    ("https://127.0.0.1:8080/a.jpg?exp=1", "https://127.0.0.1:8080/a.jpg"),
    ("https://h2.example/a", "https://h2.example/a"),
  ])
  func `leaves signatures out of an identity`(_ text: String, _ identity: String) throws {
    #expect(try #require(WebAddress(text)).unsignedIdentity == identity)
  }

  @Test(arguments: [
    // Airtable's form.
    (
      "https://v5.air.example/v3/u/1/17000/sigA/o/1.png",
      "https://v5.air.example/v3/u/1/17001/sigB/o/1.png", true
    ),
    (
      "https://v5.air.example/v3/17000/sigA/1.png", "https://v5.air.example/v3/17001/sigB/2.png",
      false
    ),
    ("https://v5.air.example/v3/17000/1.png", "https://v5.air.example/v3/17001/sigB/1.png", false),
    ("https://air.example/1/a.png", "https://other.example/2/a.png", false),
  ])
  func `shares a name behind a signature`(_ one: String, _ other: String, _ isShared: Bool) throws {
    let address = try #require(WebAddress(one))
    #expect(address.sharesName(with: try #require(WebAddress(other))) == isShared)
  }
}

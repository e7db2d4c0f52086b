import Models
import Testing
import Workers

@testable import Sync

/// The reasons why a picture that came in the place of a stored one may not be the same picture.
struct SuccessorRuleTests {
  private static let photo = "https://img.example/p/2.jpg"

  private func doubts(
    _ answered: String = photo,
    requested: String = photo,
    before: String = photo,
    format: ImageFormat = .jpeg,
    size: (width: Int?, height: Int?) = (1_200, 800),
    _ change: (inout HeldPicture) -> Void = { _ in }
  ) throws -> [SuccessorDoubt] {
    let info = PictureInfo(format: .jpeg, bytes: 1, width: 1_200, height: 800)
    var held = HeldPicture(info: info, address: try #require(WebAddress(before)))
    change(&held)
    return SuccessorRule(
      held: held,
      requested: try #require(WebAddress(requested)),
      answered: try #require(WebAddress(answered)),
      info: PictureInfo(format: format, bytes: 2, width: size.width, height: size.height)
    ).doubts
  }

  @Test(arguments: [
    (1_200, 800), (1_280, 853), (640, 427), (601, 401), (2_400, 1_600), (nil, nil),
  ])
  func `takes another picture of a webcam`(size: (Int?, Int?)) throws {
    #expect(try doubts(size: size) == [])
  }

  @Test(arguments: [
    "https://i.imgur.example/removed.png", "https://img.example/static/image_deleted.gif",
    "https://img.example/404.png", "https://cdn.example/errors/404/image.jpg",
    "https://img.example/assets/placeholder-grey.svg", "https://img.example/not-found.jpg",
    "https://img.example/image-not-available.png", "https://img.example/no_photo.gif",
    "https://img.example/noimage.png", "https://x.example/hotlink-denied.png",
    "https://img.example/login.png", "https://photos.example/unavailable.gif?id=2",
    "https://sankaku.example/expired.png", "https://img.example/dmca_takedown.png",
    "https://flickr.example/photo_unavailable.png", "https://img.example/no-longer-here.png",
  ])
  func `doubts a redirect to a sign`(sign: String) throws {
    #expect(try doubts(sign) == [.sign, .redirected])
  }

  @Test(arguments: [
    "https://img.example/removed.png", "https://img.example/p/deleted/2.jpg",
    "https://cdn.example/placeholder.jpg",
  ])
  func `doubts a sign that the feed names`(sign: String) throws {
    #expect(try doubts(sign, requested: sign) == [.sign])
  }

  @Test(arguments: [
    "https://img.example/deleted-scenes/404.jpg", "https://img.example/login/2.jpg",
  ])
  func `does not doubt a word that was in the address before`(address: String) throws {
    #expect(try doubts(address, requested: address, before: address) == [])
  }

  @Test(arguments: ["https://img.example/p/3.jpg", "https://other.example/p/2.jpg"])
  func `doubts a redirect that was not there before`(target: String) throws {
    #expect(try doubts(target) == [.redirected])
    #expect(try doubts(target) { $0.isRedirected = true } == [])
  }

  @Test(arguments: [
    "http://img.example/p/2.jpg", "https://www.img.example/p/2.jpg",
    "https://img.example/p/2.jpg?token=1&expires=2",
  ])
  func `does not count another scheme, www, or another signature as a redirect`(
    address: String
  ) throws {
    #expect(try doubts(address) == [])
    #expect(try doubts(Self.photo, requested: Self.photo, before: address) == [])
  }

  @Test func `doubts what has less than a quarter of the area`() throws {
    #expect(try doubts(size: (600, 400)) == [])
    #expect(try doubts(size: (599, 400)) == [.smaller])
    #expect(try doubts(size: (161, 81)) == [.smaller, .otherShape])
  }

  @Test func `doubts another format, and another shape`() throws {
    #expect(try doubts(format: .png) == [.otherFormat])
    #expect(try doubts(size: (800, 1_200)) == [.otherShape])
    #expect(try doubts(size: (1_200, 900)) == [.otherShape])
  }

  @Test func `lets a feed that names another picture change its format and shape`() throws {
    let other = "https://img.example/large/2.webp"

    #expect(try doubts(other, requested: other, format: .webP, size: (1_000, 1_000)) == [])
    #expect(try doubts(Self.photo, requested: other) == [])
    #expect(try doubts(other, requested: other, size: (300, 200)) == [.smaller])
  }

  @Test func `treats an address that is signed anew as the same one`() throws {
    let former = Self.photo + "?token=1"

    #expect(
      try doubts(format: .gif) { $0.address = WebAddress(former) ?? $0.address } == [.otherFormat]
    )
  }

  @Test(arguments: [
    // Hosts of one network, and a signature in the path.
    ("https://img1.host.example/p/2.jpg", "https://img2.host.example/p/2.jpg"),
    ("https://air.example/v3/17000/sigA/1.png", "https://air.example/v3/17001/sigB/1.png"),
  ])
  func `treats addresses of one file as the same`(before: String, requested: String) throws {
    let other = "https://img.example/other.jpg"

    #expect(try doubts(requested, requested: requested, before: before) == [])
    #expect(try doubts(other, requested: requested, before: before) == [.redirected])
    let (format, shape) = try (
      doubts(requested, requested: requested, before: before, format: .gif),
      doubts(requested, requested: requested, before: before, size: (800, 1_200))
    )
    #expect(format == [.otherFormat])
    #expect(shape == [.otherShape])
  }

  @Test func `lets a feed that names another picture of the same name change its shape`() throws {
    let (before, now) = ("https://img.example/1/a.jpg", "https://img.example/2/a.jpg")

    let doubts = try doubts(now, requested: now, before: before, size: (800, 1_200)) {
      $0.isNamed = false
    }

    #expect(doubts == [])
  }

  @Test(arguments: [
    ("https://img1.host.example/p/2.jpg", "https://img2.host.example/p/2.jpg", false),
    ("https://img.example/p.php?id=1", "https://img.example/p.php?id=2", true),
    ("https://img.example/p.php?id=1&exp=1", "https://img.example/p.php?id=1&exp=2", false),
  ])
  func `tells the pictures of a program apart, and not the hosts of one`(
    address: String,
    other: String,
    isShared: Bool
  ) throws {
    let other = try #require(WebAddress(other))

    let doubts = try doubts(address, requested: address, before: address) { $0.others = [other] }

    #expect(doubts == (isShared ? [.shared] : []))
  }

  @Test func `doubts bytes that images under other addresses have`() throws {
    let other = try #require(WebAddress("https://img.example/p/3.jpg"))
    let same = try #require(WebAddress("http://img.example/p/2.jpg?t=1"))

    #expect(try doubts { $0.others = [same, other] } == [.shared])
    #expect(try doubts { $0.others = [same] } == [])
  }

  @Test func `never replaces the original of a pinned image, or of one that has left its feed`()
    throws
  {
    #expect(try doubts { $0.isPinned = true } == [.pinned])
    #expect(try doubts { $0.isListed = false } == [.unlisted])
  }
}

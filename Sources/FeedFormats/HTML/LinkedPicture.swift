/// Tells what a link around an `img` leads to.
enum LinkedPicture {
  /// Whether it leads to a picture, and not to a page about one under a picture's name.
  static func isPicture(_ address: String) -> Bool {
    ImageTest.hasImageExtension(address) && !isPage(address)
  }

  private static func isPage(_ address: String) -> Bool {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...] } ?? path
    // MediaWiki: `/wiki/File:Name.jpg`, in any language.
    if name.utf8.contains(UInt8(ascii: ":")) || escapedColon.occurs(in: String(name)) {
      return true
    }
    return pages.occurs(in: address)
  }

  private static let escapedColon = PartList(["%3a"])

  /// Blogger's pages about a picture (`/s1600-h/name.jpg`), and those of code hosts about a file.
  private static let pages = PartList([
    "/s320-h/", "/s400-h/", "/s640-h/", "/s800-h/", "/s1024-h/", "/s1600-h/", "/blob/",
  ])

  /// Whether it leads to a place where the entry is to be shared, voted for or paid for.
  static func isShareButton(_ address: String) -> Bool {
    shares.occurs(in: address)
  }

  private static let shares = PartList([
    "facebook.com/share", "twitter.com/share", "twitter.com/intent", "twitter.com/home?status",
    "plus.google.com/share", "pinterest.com/pin/create", "linkedin.com/share",
    "reddit.com/submit", "digg.com/submit", "del.icio.us/post", "delicious.com/save",
    "delicious.com/post", "stumbleupon.com/submit", "stumbleupon.com/refer", "tumblr.com/share",
    "technorati.com/faves", "api.whatsapp.com/send", "t.me/share", "addtoany.com/", "addthis.com/",
    "feeds.wordpress.com/1.0/go", "fusion.google.com/add", "flattr.com/", "share.feedsportal.com",
    "feedsportal.com/share", "/~ff/", "mailto:",
  ])
}

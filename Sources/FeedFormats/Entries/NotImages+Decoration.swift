import Models

/// The pictures in HTML that serve the page and not the reader.
extension NotImages {
  /// Whether the classes of an `img` say that it is a smiley, a face or a pixel.
  static func isDecoration(class classes: String) -> Bool {
    if classes.isEmpty { return false }
    return classes.split(separator: " ").contains { decorationClasses.contains($0.lowercased()) }
  }

  /// Whether the picture at an address is a smiley, a button, or counts who reads.
  static func isDecoration(_ address: WebAddress) -> Bool {
    let bytes = address.text.utf8Span.span
    return decorations.occurs(in: bytes) || isNamedTiny(bytes)
  }

  /// Whether the name says that a picture is an icon: `star_11x11.gif`.
  ///
  /// Icons are square; `3x2` and `16x9` in a name tell the shape of a photograph, and so does `1x1`.
  private static func isNamedTiny(_ bytes: Span<UInt8>) -> Bool {
    var index = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0) + 1
    while let x = bytes.first(UInt8(ascii: "x"), from: index) {
      index = x + 1
      let width = bytes.number(before: x)
      let height = bytes.number(after: x)
      if let width, width == height, width >= leastIcon, isTooSmall(width) { return true }
    }
    return false
  }

  /// No icon is smaller.
  private static let leastIcon = 8

  private static let decorationClasses: Set<String> = [
    "wp-smiley", "smiley", "emoji", "emoticon", "twemoji", "avatar", "gravatar",
    "tracking-pixel", "share-icon", "feedflare",
  ]

  /// Parts of addresses, in lower case.
  private static let decorations = PartList([
    // Smileys.
    "/smilies/", "/smileys/", "/emoticons/", "/core/emoji/", "/images/emoji/", "twemoji",
    // Forums' signs for kinds of attachments.
    "/filetype/",
    // Feedburner's buttons and pixels, also under a site's own name.
    "feedburner.com/", "/~r/", "/~ff/", "/~4/", "//rss.slashdot.org/",
    "feedads.", "pheedo.com", "feedsportal.com", "feedpress.me/", "feedblitz.com/",
    // WordPress.com, Medium, Blogger.
    "//feeds.wordpress.com/1.0/", "//stats.wordpress.com/", "//pixel.wp.com/",
    "medium.com/_/stat", "blogger.com/tracker", "blogger.googleusercontent.com/tracker/",
    // Counters and advertisements.
    "doubleclick.net/", "google-analytics.com/", "googlesyndication.com/", "quantserve.com/",
    "scorecardresearch.com/", "//cpx.golem.de/", "/piwik.php", "/matomo.php", "?idsite=", "//ads.",
    "amazon-adsystem.com/", "assoc-amazon.", "linksynergy.com/", "rover.ebay.com/",
    "/tracking-pixel", "/pixel.gif", "/pixel.png", "/spacer.gif", "/blank.gif", "/1x1.",
    "/clear.gif", "/transparent.gif", "/trans.gif", "/count.gif", "/beacon.gif",
    // Buttons for sharing.
    "addthis.com/", "addtoany.com/", "sharethis.com/", "/facebook_icon", "/twitter_icon",
    "/share-icon", "/share_icon", "/share-button", "/btn_share", "/delicious.small.gif",
    "/digg-button", "/facebook-button", "/tweet-button", "api.tweetmeme.com/",
    "badge.facebook.com/", "api.flattr.com/", "/bookmark.gif",
  ])
}

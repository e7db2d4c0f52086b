import Models

/// Recognises pictures that are not images of a feed: avatars, icons, counters.
///
/// A channel's own logo is not one either; it needs no rule here, for no format looks for images
/// outside entries. An icon repeated in the items of a JSON Feed is for `IconRepetition`.
enum NotImages {
  /// No image has a shorter side: tracking pixels, bullets, buttons, favicons.
  private static let leastSide = 32

  /// Whether a length in pixels is that of a pixel, a bullet or a button.
  static func isTooSmall(_ side: Int) -> Bool { side < leastSide }

  /// Whether a picture counts as an image, as far as its own description tells.
  static func admits(_ candidate: Candidate) -> Bool {
    if let width = candidate.width, width < leastSide { return false }
    if let height = candidate.height, height < leastSide { return false }
    return true
  }

  /// Whether the picture at an address counts as an image of a feed whose document is at another.
  static func admits(_ address: WebAddress, namedBy document: WebAddress) -> Bool {
    isReachable(address, from: document) && !isAvatar(address.text)
  }

  /// `data:`, `cid:`, `javascript:` and their like name nothing that can be fetched; a file only a
  /// document on the same disk may name.
  static func isReachable(_ address: WebAddress, from document: WebAddress) -> Bool {
    let bytes = address.text.utf8Span.span
    // As nearly all addresses are, told without taking them apart.
    if bytes.begins(with: "https://", at: 0), namesPlainHost(bytes, at: 8) { return true }
    if bytes.begins(with: "http://", at: 0), namesPlainHost(bytes, at: 7) { return true }
    return address.isWeb || address.isFile && document.isFile
  }

  /// Whether a host's name stands there, perhaps a port, and neither user-info nor brackets.
  private static func namesPlainHost(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    var index = start
    while index < bytes.count, standsInName(bytes[index]) { index += 1 }
    guard index > start else { return false }
    if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
      index += 1
      while index < bytes.count, bytes[index].isDigit { index += 1 }
    }
    return index == bytes.count || bytes[index] == UInt8(ascii: "/")
  }

  private static func standsInName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  /// How far into an address Gravatar's name stands, at most.
  private static let avatarPrefix = 64

  /// Pictures of people that Gravatar and its mirrors serve.
  private static func isAvatar(_ address: String) -> Bool {
    let whole = address.utf8Span.span
    let bytes = whole.extracting(0..<min(whole.count, avatarPrefix))
    var index = 0
    while let g = bytes.first(UInt8(ascii: "g"), from: index) {
      if bytes.begins(with: "gravatar.com/avatar", at: g) { return true }
      index = g + 1
    }
    return false
  }
}

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

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
    address.isWeb || address.isFile && document.isFile
  }

  /// How far into an address Gravatar's name stands, at most.
  private static let avatarPrefix = 64

  /// Pictures of people that Gravatar and its mirrors serve.
  private static func isAvatar(_ address: String) -> Bool {
    let start = address.utf8Span.span.extracting(first: avatarPrefix)
    return start.first("gravatar.com/avatar", from: 0) != nil
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
    return decorations.occurs(in: bytes) || isPixel(address) || isNamedTiny(bytes)
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
    "//feeds.wordpress.com/1.0/", "//stats.wordpress.com/", "blogger.com/tracker",
    "blogger.googleusercontent.com/tracker/",
    // Counters and advertisements.
    "doubleclick.net/", "googlesyndication.com/", "quantserve.com/", "//cpx.golem.de/",
    "?idsite=", "//ads.",
    "amazon-adsystem.com/", "assoc-amazon.", "linksynergy.com/", "rover.ebay.com/",
    "/1x1.",
    // Buttons for sharing.
    "addthis.com/", "addtoany.com/", "sharethis.com/", "/facebook_icon", "/twitter_icon",
    "/share-icon", "/share_icon", "/share-button", "/btn_share", "/delicious.small.gif",
    "/digg-button", "/facebook-button", "/tweet-button", "api.tweetmeme.com/",
    "badge.facebook.com/", "api.flattr.com/", "/bookmark.gif",
  ])
}

/// Pixels that count who reads, by their addresses; they often state no size.
extension NotImages {
  /// Whether the picture at an address of unknown size counts readers, or only takes up room.
  static func isPixel(_ address: WebAddress) -> Bool {
    let bytes = address.text.utf8Span.span
    return counters.occurs(in: bytes) || isNamedPixel(bytes)
  }

  /// Whether the file's name is that of a pixel: `count.gif`, `npr-rss-pixel.png`.
  ///
  /// No pixel is a JPEG, and a photograph may show a telephone of this name: of a longer name all
  /// words must be those of counting.
  private static func isNamedPixel(_ bytes: Span<UInt8>) -> Bool {
    let path = bytes.extracting(0..<bytes.endOfPath)
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > 0,
      let slash = path.lastIndex(of: UInt8(ascii: "/")), slash < dot, dot - slash <= longestName,
      pixelKinds.contains(path.extracting((dot + 1)...).text.lowercased())
    else { return false }
    let name = path.extracting((slash + 1)..<dot).text.lowercased()
    if pixelNames.contains(name) { return true }
    let words = name.split { $0 == "-" || $0 == "_" || $0 == "." }
    guard let last = words.last, last == "pixel" || last == "beacon" else { return false }
    return words.dropLast().contains { counting.contains(String($0)) }
  }

  private static let longestName = 48

  /// What pixels are served as; the last are programs that answer with one.
  private static let pixelKinds: Set<String> = ["gif", "png", "php", "aspx", "ashx"]

  private static let pixelNames: Set<String> = [
    "pixel", "px", "count", "counter", "hitcounter", "beacon", "tracker", "tracking", "track",
    "blank", "spacer", "clear", "trans", "transparent", "transp", "shim", "1x1", "cleardot",
    "1pixel", "onepixel", "pixel1x1", "1x1-pixel", "pixel-1x1", "dot_clear", "webbug", "mf",
    "transparent_pixel", "transparent-pixel", "__utm",
  ]

  private static let counting: Set<String> = [
    "rss", "feed", "track", "tracking", "tracker", "stat", "stats", "count", "counter", "view",
    "views", "open", "impression", "analytics", "republish", "republication", "syndication", "ad",
  ]

  /// Parts of addresses that lead to counters, in lower case: Adobe's, Facebook's, Google's, and
  /// those of papers whose articles others may print.
  private static let counters = PartList([
    "/b/ss/", "facebook.com/tr?", "/__utm.gif?", "/piwik.php", "/matomo.php",
    "//counter.theconversation.com/", "//pixel.wp.com/", "//pixel.quantserve.com/",
    "scorecardresearch.com/", "google-analytics.com/", "//pixel.mathtag.com/",
    "medium.com/_/stat", "/tracking-pixel",
  ])
}

/// Addresses that a document lists, each once, in order, and never without bound.
struct AddressList {
  private(set) var all: [WebAddress] = []
  /// Whether there were more than a list may have, by number or by bytes.
  private(set) var isCut = false
  private var bytes = 0
  private var known: Set<String>
  private let document: WebAddress

  /// Begins the list of a document, which never is on its own list.
  init(of document: WebAddress) {
    self.document = document
    known = [document.identity]
  }

  /// Takes an address as the document writes it; what it may not name is left out.
  mutating func add(_ reference: String) {
    guard !isCut, let address = document.resolvingEscaped(reference),
      NotImages.isReachable(address, from: document)
    else { return }
    let length = address.text.utf8.count
    if all.count >= FormatLimits.listedAddresses
      || bytes + length > FormatLimits.listedAddressBytes
    {
      isCut = true
    } else if known.insert(address.identity).inserted {
      all.append(address)
      bytes += length
    }
  }
}

extension WebAddress {
  /// Resolves a reference, HTML's escapes in it undone; the usual case, an absolute address
  /// without blanks and escapes, is not taken apart twice.
  func resolvingEscaped(_ reference: String) -> WebAddress? {
    // Every escape ends with a semicolon.
    let isPlain =
      JSONAddress.isAbsolute(reference)
      && reference.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ";") }
    if isPlain { return WebAddress(reference) }
    return resolving(References.decoded(reference.utf8Span.span))
  }

  /// What an absolute `xml:base` in HTML names, mended like any other reference.
  init?(base reference: String) {
    guard let address = WebAddress(reference)?.resolving(reference) else { return nil }
    self = address
  }
}

import Models
import Workers

/// Recognises pictures that are not images of a feed: avatars, icons, counters.
///
/// A channel's own logo is not an image either. It needs no rule here, because formats look for
/// images only in entries. `RepeatedPictures` handles pictures that many entries repeat.
enum NotImages {
  /// The shortest side of an image; smaller pictures are tracking pixels, bullets, buttons or favicons.
  private static let leastSide = 32

  /// Whether a length in pixels is too small for anything but a pixel, a bullet or a button.
  static func isTooSmall(_ side: Int) -> Bool { side < leastSide }

  /// Whether a picture counts as an image, by its declared size.
  static func admits(_ candidate: Candidate) -> Bool {
    guard candidate.isSized else { return true }
    if let width = candidate.width, width < leastSide { return false }
    if let height = candidate.height, height < leastSide { return false }
    return true
  }

  /// Whether the picture at an address counts as an image of a feed with another address.
  static func admits(_ address: WebAddress, namedBy document: WebAddress) -> Bool {
    isReachable(address, from: document) && !isAvatar(address.text)
  }

  /// Whether an address can be fetched: `data:`, `cid:`, `javascript:` and the like cannot.
  ///
  /// Only a document on the same disk may name a file.
  static func isReachable(_ address: WebAddress, from document: WebAddress) -> Bool {
    address.isWeb || address.isFile && document.isFile
  }

  /// The last offset in an address at which Gravatar's name may begin.
  private static let avatarPrefix = 64

  /// Whether an address is that of a portrait at Gravatar or one of its mirrors.
  private static func isAvatar(_ address: String) -> Bool {
    let start = address.utf8Span.span.extracting(first: avatarPrefix)
    return start.first("gravatar.com/avatar", from: 0) != nil
  }
}

/// Pictures in HTML that serve the page and not the reader.
extension NotImages {
  /// Whether the classes of an `img` mark it as a smiley, a portrait or a tracking pixel.
  static func isDecoration(class classes: String) -> Bool {
    if classes.isEmpty { return false }
    return classes.split(separator: " ").contains { decorationClasses.contains($0.lowercased()) }
  }

  /// Whether the picture at an address is a smiley, a button or a counter of readers.
  ///
  /// `isLarge` tells that the page declares a larger size than that of an icon.
  static func isDecoration(_ address: WebAddress, isLarge: Bool = false) -> Bool {
    let bytes = address.text.utf8Span.span
    return decorations.occurs(in: bytes) || isPixel(address) || !isLarge && isNamedTiny(bytes)
  }

  /// Whether a file's name marks the picture as an icon: `star_11x11.gif`.
  ///
  /// Icons are square. `3x2` and `16x9` in a name are the aspect ratio of a photograph, and so is
  /// `1x1`. An icon is never a JPEG: `print-24x24.jpg` shows a canvas of 24 inches.
  private static func isNamedTiny(_ bytes: Span<UInt8>) -> Bool {
    let path = bytes.extracting(0..<bytes.endOfPath)
    if let dot = path.lastIndex(of: UInt8(ascii: ".")),
      path.extracting((dot + 1)...).beginsIgnoringCase(with: "jp", at: 0)
    {
      return false
    }
    var index = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0) + 1
    while let x = bytes.first(UInt8(ascii: "x"), from: index) {
      index = x + 1
      let width = bytes.number(before: x)
      let height = bytes.number(after: x)
      if let width, width == height, width >= leastIcon, isTooSmall(width) { return true }
    }
    return false
  }

  /// The shortest side of an icon in pixels.
  private static let leastIcon = 8

  private static let decorationClasses: Set<String> = [
    "wp-smiley", "smiley", "emoji", "emoticon", "twemoji", "avatar", "gravatar",
    "tracking-pixel", "share-icon", "feedflare",
  ]

  /// Parts of the addresses of decorations, in lower case.
  private static let decorations = PartList([
    // Smileys.
    "/smilies/", "/smileys/", "/emoticons/", "/core/emoji/", "/images/emoji/", "twemoji",
    // Forums' symbols for kinds of attachments.
    "/filetype/",
    // Feedburner's buttons and pixels, also under a site's own domain.
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

/// Pixels that count readers, recognised by their addresses because they often declare no size.
extension NotImages {
  /// Whether the picture at an address, without a declared size, counts readers or is only a spacer.
  static func isPixel(_ address: WebAddress) -> Bool {
    let bytes = address.text.utf8Span.span
    return counters.occurs(in: bytes) || isNamedPixel(bytes)
  }

  /// Whether the file's name is that of a pixel: `count.gif`, `npr-rss-pixel.png`.
  ///
  /// A pixel is never a JPEG. A photograph may show a phone named Pixel, so a longer name must end in
  /// "pixel" or "beacon" and also have a word of counting.
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

  /// The extensions of pixels; the last three are programs that return a pixel.
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

  /// Parts of the addresses of counters, in lower case: those of Adobe, Facebook and Google, and of
  /// newspapers whose articles others may reprint.
  private static let counters = PartList([
    "/b/ss/", "facebook.com/tr?", "/__utm.gif?", "/piwik.php", "/matomo.php",
    "//counter.theconversation.com/", "//pixel.wp.com/", "//pixel.quantserve.com/",
    "scorecardresearch.com/", "google-analytics.com/", "//pixel.mathtag.com/",
    "medium.com/_/stat", "/tracking-pixel",
  ])
}

/// The addresses that a document lists: each once, in order, and limited in number.
struct AddressList {
  private(set) var all: [WebAddress] = []
  /// Whether there were more than the limit, by number or by bytes.
  private(set) var isCut = false
  /// The references that were skipped because the document may not name them: their number, and the first one.
  private(set) var leftOut: (number: Int, first: String) = (0, "")
  /// The number of files and folders among those that were skipped, which `leftOut` does not count, and the first ones.
  private(set) var leftOutFiles: (number: Int, first: [WebAddress]) = (0, [])
  private var bytes = 0
  private var known: Set<String>
  private let document: WebAddress
  private let mayNameFiles: Bool

  /// Begins the list of a document, whose own address is never in it.
  ///
  /// `mayNameFiles` tells that it may name files although its address is not that of one.
  init(of document: WebAddress, mayNameFiles: Bool = false) {
    self.document = document
    self.mayNameFiles = mayNameFiles
    known = [document.identity]
  }

  /// Adds an address as written in the document; skips one that the document may not name.
  ///
  /// - Returns: The address if it is in the list; nil if it was skipped.
  @discardableResult
  mutating func add(_ reference: String) -> WebAddress? {
    guard !isCut else { return nil }
    let resolved = document.resolvingEscaped(reference).map { $0.subscribed ?? $0 }
    guard let address = resolved, isReachable(address) else {
      if let resolved, resolved.isFile {
        leftOutFiles.number += 1
        if leftOutFiles.first.count < DocumentFlaw.mostNamed { leftOutFiles.first.append(resolved) }
      } else if !reference.trimmed.isEmpty {
        leftOut = (leftOut.number + 1, leftOut.number == 0 ? reference : leftOut.first)
      }
      return nil
    }
    let length = address.text.utf8.count
    if all.count >= FormatLimits.listedAddresses
      || bytes + length > FormatLimits.listedAddressBytes
    {
      isCut = true
      return nil
    }
    if known.insert(address.identity).inserted {
      all.append(address)
      bytes += length
    }
    return address
  }

  private func isReachable(_ address: WebAddress) -> Bool {
    NotImages.isReachable(address, from: document) || mayNameFiles && address.isFile
  }
}

extension WebAddress {
  /// Resolves a reference after decoding its HTML escapes.
  ///
  /// The common case, an absolute address without blanks and escapes, is parsed only once.
  func resolvingEscaped(_ reference: String) -> WebAddress? {
    // Every escape ends with a semicolon.
    let isPlain =
      JSONAddress.isAbsolute(reference)
      && reference.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ";") }
    if isPlain { return WebAddress(reference) }
    return resolving(References.decoded(reference.utf8Span.span))
  }

  /// Makes the address of an absolute `xml:base` in HTML, with the same mending as for other references.
  init?(base reference: String) {
    guard let address = WebAddress(reference)?.resolving(reference) else { return nil }
    self = address
  }
}

import FoundationEssentials
import Models

/// Finds the pictures in an HTML text: each `img`, with the link and the `picture` around it.
struct HTMLPictures {
  private(set) var images: [HTMLImage] = []
  /// Pictures that the text marks as not meant for viewing: tiny, hidden, or a decoration.
  private(set) var dropped: [Candidate] = []
  /// The number of addresses that the images name.
  private var named = 0
  /// The target of the open link.
  private var link: Candidate?
  private var linkTextStart = 0
  /// The sources of the open `picture`; nil when none is open.
  private var sources: [Candidate]?
  /// The addresses in attributes of the element before the next `img`.
  private var outer: Outer?

  /// An element that names a picture for scripts.
  private struct Outer {
    let candidates: [Candidate]
    /// Whether it shows the picture itself if it contains no `img`.
    let isShown: Bool
    let link: Candidate?
  }

  /// Reads a text; if it has no pictures but was escaped once too often, decodes it and reads it again.
  static func read(_ bytes: Span<UInt8>) -> HTMLPictures {
    let once = HTMLPictures(bytes)
    if once.images.isEmpty, let decoded = DoubleEscape.undone(in: bytes) {
      return HTMLPictures(decoded.span)
    }
    return once
  }

  private init(_ bytes: Span<UInt8>) {
    var scanner = HTMLScanner()
    while named < FormatLimits.picturesPerEntry, let tag = scanner.next(in: bytes) {
      if tag.isClosing { close(tag, in: bytes) } else { open(tag, in: bytes) }
    }
    showOuter()
    revealRepeated()
  }

  private mutating func open(_ tag: HTMLScanner.Tag, in bytes: Span<UInt8>) {
    switch tag.word {
    case .a:
      let attributes = HTMLAttributes(in: bytes, tag.attributes)
      openLink(attributes, in: bytes)
      openOuter(attributes, isShown: false, in: bytes)
      linkTextStart = tag.range.upperBound
    case .div, .figure:
      // Only a tag with an address has a dot in its attributes.
      let text = bytes.extracting(tag.attributes)
      if text.count > 12, text.first(UInt8(ascii: "."), from: 0) != nil {
        openOuter(HTMLAttributes(in: bytes, tag.attributes), isShown: true, in: bytes)
      }
    case .picture: sources = []
    case .source: addSource(HTMLAttributes(in: bytes, tag.attributes), in: bytes)
    case .img: addImage(HTMLAttributes(in: bytes, tag.attributes), in: bytes)
    default: break
    }
  }

  private mutating func openLink(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    link = attributes.value("href", in: bytes).map { Candidate(reference: $0) }
    link?.base = attributes.value("xml:base", in: bytes).flatMap { WebAddress(base: $0) }
  }

  private mutating func openOuter(
    _ attributes: HTMLAttributes,
    isShown: Bool,
    in bytes: Span<UInt8>
  ) {
    let candidates = HiddenAddress.candidates(in: attributes, of: bytes)
    if candidates.isEmpty { return }
    showOuter()
    outer = Outer(candidates: candidates, isShown: isShown, link: link)
  }

  /// Adds the picture of an element without an `img`.
  private mutating func showOuter() {
    guard let outer = outer.take(), outer.isShown else { return }
    var image = HTMLImage(hidden: outer.candidates)
    image.link = outer.link
    images.append(image)
    named += image.renditions.count
  }

  /// Replaces an address that stands in the place of several pictures.
  private mutating func revealRepeated() {
    var pictures: [String: Set<String>] = [:]
    for image in images {
      guard let hidden = image.hidden.first, let shown = image.renditions.first else { continue }
      pictures[shown.reference, default: []].insert(hidden.reference)
    }
    for index in images.indices {
      guard let shown = images[index].renditions.first else { continue }
      if pictures[shown.reference]?.count ?? 0 > 1 { images[index].reveal() }
    }
  }

  private mutating func close(_ tag: HTMLScanner.Tag, in bytes: Span<UInt8>) {
    switch tag.word {
    case .a:
      let text = bytes.extracting(linkTextStart..<max(linkTextStart, tag.range.lowerBound))
      if text.holds("[link]") { takeSubmission() }
      link = nil
    case .picture: sources = nil
    default: break
    }
  }

  /// Takes the target of Reddit's "[link]": Reddit shows a small picture, and links to the submitted one.
  private mutating func takeSubmission() {
    guard images.count == 1, let link, LinkedPicture.isPicture(link.reference) else { return }
    if let own = images[0].link, LinkedPicture.leads(own.reference, from: images[0]) { return }
    images[0].link = link
  }

  private mutating func addSource(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    guard let known = sources?.count, known < FormatLimits.sourceSet else { return }
    let size = ShownSize(attributes, in: bytes)
    let text = attributes.first(of: ["data-srcset", "srcset"], in: bytes) ?? "data:"
    sources?.append(
      contentsOf: text.hasPrefix("data:")
        ? HiddenAddress.candidates(in: attributes, of: bytes, shownAt: size.width)
        : SourceSet.candidates(in: text, shownAt: size.width)
    )
  }

  private mutating func addImage(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    let sources = self.sources ?? []
    // A `picture` has one image; any other image before its end tag is separate.
    self.sources = nil
    let outer = self.outer.take()
    let candidates = outer?.candidates ?? []
    guard
      var image = HTMLImage(attributes, in: bytes, sources: sources, outer: candidates)
    else {
      if dropped.count < FormatLimits.droppedImages, let source = attributes.value("src", in: bytes)
      {
        dropped.append(Candidate(reference: source))
      }
      return
    }
    if let link {
      if LinkedPicture.isShareButton(link.reference) { return }
      image.link = link
    }
    images.append(image)
    named += image.renditions.count
  }
}

/// Classifies the targets of links around an `img`.
enum LinkedPicture {
  /// Whether the target is a picture, and not a page about a picture with an address like a picture's.
  static func isPicture(_ address: String) -> Bool {
    ImageTest.hasImageExtension(address) && !isPage(address)
  }

  /// Whether a link leads to the full picture of an image.
  static func leads(_ target: String, from image: HTMLImage) -> Bool {
    isPicture(target)
      || !isPage(target) && image.renditions.contains { isSize(target, of: $0.reference) }
  }

  /// Whether the target is another size of a picture: an address that differs only in parts that name
  /// a size, and names a size that is not smaller.
  static func isSize(_ target: String, of picture: String) -> Bool {
    guard target != picture, haveLikeNames(target, picture) else { return false }
    guard PictureKey.key(of: target) == PictureKey.key(of: picture) else { return false }
    let (side, shown) = (RenditionPart.side(of: target) ?? 0, RenditionPart.side(of: picture) ?? 0)
    return side == 0 || shown > 0 && side >= shown
  }

  /// Whether the last parts of two paths begin alike, which costs less to find out than their keys.
  private static func haveLikeNames(_ one: String, _ other: String) -> Bool {
    let (one, other) = (name(of: one), name(of: other))
    return !one.isEmpty && one.utf8.prefix(3).elementsEqual(other.utf8.prefix(3))
  }

  private static func name(of address: String) -> Substring {
    let path = Substring(address.utf8.prefix(address.utf8Span.span.endOfPath))
    return path.utf8.lastIndex(of: UInt8(ascii: "/"))
      .map { path[path.utf8.index(after: $0)...] } ?? path
  }

  private static func isPage(_ address: String) -> Bool {
    isWikiPage(name(of: address)) || pages.occurs(in: address)
  }

  /// Whether a name is that of a page of MediaWiki: `File:Name.jpg`, in any language.
  ///
  /// The colon of a time (`2024-05-01T10:30:00.jpg`) or of an address (`https%3A%2F%2F…`) says nothing.
  private static func isWikiPage(_ name: Substring) -> Bool {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") }) else {
      return false
    }
    let text = PercentEncoding.decode(name)
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return false }
    let space = text[..<colon]
    return !space.contains(where: \.isNumber) && !space.contains(".") && !space.contains("/")
      && !["http", "https"].contains(space.lowercased())
  }

  /// Blogger's pages about a picture (`/s1600-h/name.jpg`), and code hosts' pages about a file.
  private static let pages = PartList([
    "/s320-h/", "/s400-h/", "/s640-h/", "/s800-h/", "/s1024-h/", "/s1600-h/", "/blob/",
  ])

  /// Whether the target is a page for sharing the entry, voting for it or paying for it.
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

/// HTML that was escaped once more than its format requires.
enum DoubleEscape {
  /// The text with its references decoded, if it contains an escaped `img` and no tags.
  ///
  /// In a text with tags, escaped markup is meant as text.
  static func undone(in bytes: Span<UInt8>) -> [UInt8]? {
    var index = 0
    while let open = bytes.first(UInt8(ascii: "<"), from: index) {
      index = open + 1
      if index < bytes.count, bytes[index].isLetter { return nil }
    }
    guard bytes.firstIgnoringCase("&lt;img", from: 0) != nil else { return nil }
    return Array(References.decoded(bytes).utf8)
  }
}

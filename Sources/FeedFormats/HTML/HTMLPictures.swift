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
  }

  private mutating func open(_ tag: HTMLScanner.Tag, in bytes: Span<UInt8>) {
    switch tag.word {
    case .a:
      openLink(HTMLAttributes(in: bytes, tag.attributes), in: bytes)
      linkTextStart = tag.range.upperBound
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
    guard images.count == 1, images[0].link == nil, let link,
      LinkedPicture.isPicture(link.reference)
    else { return }
    images[0].link = link
  }

  private mutating func addSource(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    guard let known = sources?.count, known < FormatLimits.sourceSet,
      let text = attributes.first(of: ["data-srcset", "srcset"], in: bytes)
    else { return }
    let size = ShownSize(attributes, in: bytes)
    sources?.append(contentsOf: SourceSet.candidates(in: text, shownAt: size.width))
  }

  private mutating func addImage(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    let sources = self.sources ?? []
    // A `picture` has one image; any other image before its end tag is separate.
    self.sources = nil
    guard var image = HTMLImage(attributes, in: bytes, sources: sources) else {
      if dropped.count < FormatLimits.droppedImages, let source = attributes.value("src", in: bytes)
      {
        dropped.append(Candidate(reference: source))
      }
      return
    }
    if let link {
      if LinkedPicture.isShareButton(link.reference) { return }
      if LinkedPicture.isPicture(link.reference) { image.link = link }
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

import Models

/// Finds the pictures in a text of HTML: each `img`, with the link and the `picture` around it.
struct HTMLPictures {
  private(set) var images: [HTMLImage] = []
  /// How many addresses the images name.
  private var named = 0
  /// What the open link leads to.
  private var link: Candidate?
  private var linkTextStart = 0
  /// The sources of the open `picture`; nil outside of one.
  private var sources: [Candidate]?

  /// The pictures, in order.
  static func read(_ bytes: Span<UInt8>) -> [HTMLImage] {
    let once = HTMLPictures(bytes)
    if once.images.isEmpty, let decoded = DoubleEscape.undone(in: bytes) {
      return HTMLPictures(decoded.span).images
    }
    return once.images
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

  /// Reddit shows a small picture and links to the submitted one by this word.
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
    // A picture has one image: what follows before its end tag is something else.
    self.sources = nil
    guard var image = HTMLImage(attributes, in: bytes, sources: sources) else { return }
    if let link {
      if LinkedPicture.isShareButton(link.reference) { return }
      if LinkedPicture.isPicture(link.reference) { image.link = link }
    }
    images.append(image)
    named += image.renditions.count
  }
}

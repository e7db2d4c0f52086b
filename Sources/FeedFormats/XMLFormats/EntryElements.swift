import Workers

/// The vocabularies that entries of any format may use: Media RSS, Dublin Core, iTunes, licences.
extension Entry {
  /// Stops reading a feed whose entry names more pictures than the limit.
  func checkPictureCount() throws(FeedError) {
    guard pictureCount < FormatLimits.picturesPerEntry else {
      throw .beyondLimit(of: "the pictures of one entry", limit: FormatLimits.picturesPerEntry)
    }
  }

  /// Handles the start of an element; nil when the element is for the format itself.
  mutating func openCommon(_ element: XMLElement) -> XMLContent? {
    switch element.name.space {
    case .media: return openMedia(element)
    case .itunes: return openPodcast(element)
    case .licence:
      licence.fill(element.attributes["resource"])
      return .text
    case .content where element.name.word == .encoded, .xhtml: return openMarkup(element)
    case .dublinCore, .content: return .text
    default: return nil
    }
  }

  /// Handles the end of an element that `openCommon` accepted.
  mutating func closeCommon(_ name: XMLName, text: XMLText) {
    switch (name.space, name.word) {
    case (.media, let word): closeMedia(word, text: text)
    case (.licence, .license): licence.fill(text.address)
    case (.dublinCore, .creator): author.fill(text.line)
    case (.dublinCore, .date): if published == nil { published = date(text) }
    case (.dublinCore, .rights): rights.fill(text.line)
    case (.dublinCore, .title): title.fill(text.line)
    case (.dublinCore, .description): summary.fill(text.caption)
    case (.content, .encoded), (.xhtml, .body): closeArticle(text)
    case (.itunes, .author): author.fill(text.line)
    case (.itunes, .summary): if summary == nil { content.fill(text.caption) }
    case (.itunes, .image): podcastCover?.complete(with: text)
    default: break
    }
  }

  /// Begins an HTML text.
  mutating func openMarkup(_ element: XMLElement) -> XMLContent {
    markupBase = element.base
    return .markup
  }

  /// Handles the end of the whole article.
  mutating func closeArticle(_ text: XMLText) {
    contentMarkup.fill(text.markup(base: markupBase))
    if summary == nil { content = text.caption }
  }

  /// Handles the end of the summary.
  mutating func closeSummary(_ text: XMLText) {
    summaryMarkup.fill(text.markup(base: markupBase))
    summary = text.caption
  }

  private mutating func openPodcast(_ element: XMLElement) -> XMLContent {
    if element.name.word == .image {
      let address = element.attributes["href"] ?? element.attributes["url"] ?? ""
      podcastCover = Candidate(reference: address, base: element.base)
      pictureCount += 1
    }
    return .text
  }
}

/// Media RSS in an entry (https://www.rssboard.org/media-rss).
extension Entry {
  mutating func openMedia(_ element: XMLElement) -> XMLContent {
    switch element.name.word {
    case .group:
      openUnit = MediaUnit(isGroup: true)
      return .children
    case .content:
      openContent(element)
      return .children
    case .thumbnail:
      openThumbnail(element)
      return .text
    case .license:
      openLicence(element)
      return .text
    case .title, .description, .credit, .copyright: return .text
    default: return .none
    }
  }

  mutating func closeMedia(_ word: XMLWord, text: XMLText) {
    switch word {
    case .group: closeGroup()
    case .content: closeContent(text)
    case .thumbnail: closeThumbnail(text)
    default: closeWords(word, text: text)
    }
  }

  private mutating func closeGroup() {
    if let group = openUnit { units += RenditionRule.pictures(of: group) }
    openUnit = nil
  }

  /// Ends the current medium.
  mutating func closeUnit() {
    if let unit = openUnit { units.append(unit) }
    openUnit = nil
  }

  private mutating func openContent(_ element: XMLElement) {
    if openUnit == nil { openUnit = MediaUnit(isGroup: false) }
    openUnit?.renditions.append(Candidate(media: element))
    pictureCount += 1
  }

  private mutating func closeContent(_ text: XMLText) {
    if let last = openUnit?.renditions.indices.last {
      openUnit?.renditions[last].complete(with: text)
    }
    if openUnit?.isGroup == false { closeUnit() }
  }

  private mutating func openThumbnail(_ element: XMLElement) {
    if openUnit == nil { return add(Candidate(media: element), to: \.thumbnails) }
    openUnit?.thumbnails.append(Candidate(media: element))
    pictureCount += 1
  }

  private mutating func closeThumbnail(_ text: XMLText) {
    if let last = openUnit?.thumbnails.indices.last {
      openUnit?.thumbnails[last].complete(with: text)
    } else if openUnit == nil, let last = thumbnails.indices.last {
      thumbnails[last].complete(with: text)
    }
  }

  private mutating func openLicence(_ element: XMLElement) {
    guard let address = element.attributes["href"] else { return }
    if openUnit == nil { licence.fill(address) }
    openUnit?.words.licence = address
  }

  private mutating func closeWords(_ word: XMLWord, text: XMLText) {
    switch word {
    case .title where openUnit != nil: openUnit?.words.title = text.line
    case .title: mediaTitle.fill(text.line)
    case .description where openUnit != nil: openUnit?.words.caption = text.caption
    case .description: mediaCaption.fill(text.caption)
    case .credit where openUnit != nil: openUnit?.words.author.fill(text.line)
    case .credit: mediaCredit.fill(text.line)
    case .license where openUnit != nil: openUnit?.words.licence.fill(text.line)
    case .license: licence.fill(text.line)
    case .copyright: rights.fill(text.line)
    default: break
    }
  }
}

extension Candidate {
  /// Takes the attributes of a `media:content` or `media:thumbnail`.
  fileprivate init(media element: XMLElement) {
    let attributes = element.attributes
    self.init(
      reference: attributes["url"] ?? "",
      base: element.base,
      type: attributes["type"],
      medium: attributes["medium"],
      width: attributes.number("width"),
      height: attributes.number("height"),
      bytes: attributes.number("fileSize"),
      isDefault: attributes["isDefault"] == "true",
      isSample: attributes["expression"] == "sample"
    )
  }

  /// Takes the address from the element's text if the attribute is missing.
  mutating func complete(with text: XMLText) {
    if reference.isEmpty, let text = text.address { reference = text }
  }
}

import Workers

/// The vocabularies that entries of any format may use: Media RSS, Dublin Core, iTunes, licences.
extension Entry {
  /// Ends the reading of a feed whose entry names more pictures than any entry has.
  func checkPictureCount() throws(FeedError) {
    guard pictureCount < FormatLimits.picturesPerEntry else {
      throw .beyondLimit(of: "the pictures of one entry", limit: FormatLimits.picturesPerEntry)
    }
  }

  /// Takes the start of an element; nil when the format itself has to know it.
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

  /// Takes the end of an element that `openCommon` knew.
  mutating func closeCommon(_ name: XMLName, text: XMLText) {
    switch (name.space, name.word) {
    case (.media, let word): closeMedia(word, text: text)
    case (.licence, .license): licence.fill(text.address)
    case (.dublinCore, .creator): author.fill(text.line)
    case (.dublinCore, .date): published.fill(text.date)
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

  /// Begins a text of HTML.
  mutating func openMarkup(_ element: XMLElement) -> XMLContent {
    markupBase = element.base
    return .markup
  }

  /// Ends the whole article.
  mutating func closeArticle(_ text: XMLText) {
    contentMarkup.fill(text.markup(base: markupBase))
    if summary == nil { content = text.caption }
  }

  /// Ends what sums the article up.
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

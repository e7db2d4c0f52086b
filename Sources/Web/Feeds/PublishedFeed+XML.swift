import FoundationEssentials
import Models
import Scenes
import Workers

extension PublishedFeed {
  /// RSS 2.0 (https://www.rssboard.org/rss-specification) with Media RSS (https://www.rssboard.org/media-rss).
  var rss: String {
    var xml = XMLText()
    xml.open(
      "rss",
      [
        ("version", "2.0"), ("xmlns:media", "http://search.yahoo.com/mrss/"),
        ("xmlns:atom", "http://www.w3.org/2005/Atom"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ("xmlns:itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"),
        ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
      ]
    )
    xml.open("channel")
    xml.element("title", facts.title)
    xml.element("link", address(list.beginning.page))
    xml.element("description", "Images kept by gallery")
    xml.empty("atom:link", [("rel", "self"), ("href", address(of: list, as: .rss))])
    if let next {
      xml.empty("atom:link", [("rel", "next"), ("href", address(of: next, as: .rss))])
    }
    for image in images {
      xml.open("item")
      xml.element("guid", identifier(of: image), [("isPermaLink", "false")])
      // Some readers refuse a feed with an item that has neither title nor description (RSS 2.0, "Elements of
      // <item>"), or skip one without a title (findings/podcastparser-untitled-episodes.sh).
      xml.element("title", image.title ?? "Image \(image.id)")
      xml.element("link", page(of: image))
      // A description is HTML.
      xml.element("description", image.caption.map(XMLEscaping.escaped))
      // Readers such as newsboat show the pictures of this text, and no others.
      xml.element("content:encoded", text(of: image))
      writeAuthor(of: image, to: &xml)
      xml.element("pubDate", image.published.flatMap(Self.mailDate))
      writeMedia(of: image, to: &xml)
      // Readers that know no Media RSS see only this picture. The length is required; it is zero while it is unknown.
      let stored = storedOriginal(of: image)
      xml.empty(
        "enclosure",
        [
          ("url", original(of: image)), ("length", String(stored?.bytes ?? 0)),
          ("type", type(of: image) ?? "image/jpeg"),
        ]
      )
      if let licence = image.licence {
        let isAddress = licence.isWebLink
        xml.element(
          "media:license",
          licence,
          isAddress ? [("type", "text/html"), ("href", licence)] : []
        )
      }
      xml.close("item")
    }
    xml.close("channel")
    xml.close("rss")
    return xml.text
  }

  /// Names the author in three elements, because some readers know only one of them.
  ///
  /// The plain name is first and last: fastfeedparser takes the first element that is called author or creator, and
  /// feedparser the last. RSS's own element is a mail address with a name in parentheses (RSS 2.0, "<author>"). The
  /// address cannot exist (RFC 2606, section 2), and feedparser recognises none whose last part has more than four
  /// letters. Readers look for the parentheses without unescaping, so those of the name become brackets.
  private func writeAuthor(of image: ImageRecord, to xml: inout XMLText) {
    guard let name = image.author else { return }
    xml.element("itunes:author", name)
    let bracketed = name.escaping("(", as: "[").escaping(")", as: "]")
    xml.element("author", "noreply@gallery.test (\(bracketed))")
    xml.element("dc:creator", name)
  }

  /// Atom (RFC 4287), with pages (RFC 5005) and the thumbnails of Media RSS.
  var atom: String {
    var xml = XMLText()
    xml.open(
      "feed",
      [
        ("xmlns", "http://www.w3.org/2005/Atom"),
        ("xmlns:media", "http://search.yahoo.com/mrss/"),
      ]
    )
    xml.element("id", address(of: list.beginning, as: .atom, withToken: false))
    xml.element("title", facts.title)
    xml.element("updated", lastChange)
    xml.element("generator", "gallery")
    xml.open("author")
    xml.element("name", "gallery")
    xml.close("author")
    xml.empty("link", [("rel", "self"), ("href", address(of: list, as: .atom))])
    xml.empty("link", [("rel", "alternate"), ("href", address(list.beginning.page))])
    if let next { xml.empty("link", [("rel", "next"), ("href", address(of: next, as: .atom))]) }
    for image in images {
      xml.open("entry")
      xml.element("id", identifier(of: image))
      xml.element("title", image.title ?? "")
      xml.element("updated", date(of: image) ?? lastChange)
      xml.element("published", image.published)
      if let author = image.author {
        xml.open("author")
        xml.element("name", author)
        xml.close("author")
      }
      xml.element("summary", image.caption.map(XMLEscaping.escaped), [("type", "html")])
      xml.element("content", text(of: image), [("type", "html")])
      xml.empty("link", [("rel", "alternate"), ("href", page(of: image))])
      let length = storedOriginal(of: image).map { [("length", String($0.bytes))] } ?? []
      xml.empty(
        "link",
        [("rel", "enclosure"), ("type", type(of: image) ?? "image/*")] + length
          + [("href", original(of: image))]
      )
      if let licence = image.licence, licence.isWebLink {
        xml.empty("link", [("rel", "license"), ("href", licence)])
      } else {
        xml.element("rights", image.licence)
      }
      writeMedia(of: image, to: &xml)
      xml.close("entry")
    }
    xml.close("feed")
    return xml.text
  }

  private func writeMedia(of image: ImageRecord, to xml: inout XMLText) {
    var content = [("url", original(of: image)), ("medium", "image")]
    if let stored = storedOriginal(of: image) {
      content += [("type", stored.format.mediaType), ("fileSize", String(stored.bytes))]
    }
    if let size = size(of: image) {
      content += [("width", String(size.width)), ("height", String(size.height))]
    }
    xml.empty("media:content", content)
    guard let thumbnail = thumbnail(of: image) else { return }
    var attributes = [("url", thumbnail)]
    if let width = image.thumbnail.width { attributes.append(("width", String(width))) }
    if let height = image.thumbnail.height { attributes.append(("height", String(height))) }
    xml.empty("media:thumbnail", attributes)
  }

  /// Converts a date of ISO 8601 to the form that RSS uses (RFC 5322, section 3.3).
  private static func mailDate(_ text: String) -> String? {
    (try? Date(text, strategy: .iso8601)).map(Wording.mailDate)
  }
}

/// Well-formed XML 1.0, written from beginning to end.
struct XMLText {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

  mutating func open(_ name: String, _ attributes: [(String, String)] = []) {
    text += "<\(name)\(Self.text(of: attributes))>\n"
  }

  mutating func close(_ name: String) { text += "</\(name)>\n" }

  mutating func empty(_ name: String, _ attributes: [(String, String)]) {
    text += "<\(name)\(Self.text(of: attributes))/>\n"
  }

  /// Writes an element, or nothing when its content is missing.
  mutating func element(
    _ name: String,
    _ content: String?,
    _ attributes: [(String, String)] = []
  ) {
    guard let content else { return }
    text += "<\(name)\(Self.text(of: attributes))>\(XMLEscaping.escaped(content))</\(name)>\n"
  }

  private static func text(of attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(XMLEscaping.escaped($0.1))\"" }.joined()
  }
}

extension String {
  /// Whether a page may link to this licence, which can be an address or a name.
  var isWebLink: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

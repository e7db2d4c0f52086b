import Scenes

/// The tiles of a page in a static site, and the view of each image.
///
/// They are written directly, without a template, because they are nearly all of a large site. Templates would take
/// three quarters of the time of its export.
struct StaticImages {
  private let images: [ExportedImage]
  private let base: String

  init(_ images: [ExportedImage], base: String) {
    self.images = images
    self.base = base
  }

  /// The items of the list of tiles.
  var tiles: String {
    var html = HTMLText()
    for image in images {
      let name = image.name
      html.add("<li class=\"tile\" id=\"t\(image.id)\"><a href=\"#i\(image.id)\" title=\"")
      html.add(text: name)
      html.add("\">")
      if let thumbnail = image.facts.thumbnail {
        add(thumbnail, in: "t", named: name, to: &html)
      } else {
        html.element("span", "missing", name)
      }
      html.add("</a></li>\n")
    }
    return html.text
  }

  /// The views that the tiles link to.
  var views: String {
    var html = HTMLText()
    for index in images.indices { addView(at: index, to: &html) }
    return html.text
  }

  private func addView(at index: Int, to html: inout HTMLText) {
    let image = images[index]
    let id = image.id
    html.add(
      """
      <article class="view" id="i\(id)" aria-labelledby="h\(id)">
      <a class="view-picture" href="#t\(id)" title="Back to the list">
      """
    )
    if image.isOriginalShown, let original = image.facts.original {
      add(original, in: "o", named: image.name, to: &html)
    } else if let thumbnail = image.facts.thumbnail {
      add(thumbnail, in: "t", named: image.name, to: &html)
    } else {
      html.element("span", "missing", image.name)
    }
    html.add("</a>\n<div class=\"view-facts\">\n<h2 id=\"h\(id)\">")
    html.add(text: image.name)
    html.add("</h2>\n")
    if let caption = image.facts.caption { html.element("p", "caption", caption) }
    addFacts(of: image, to: &html)
    html.add("<nav class=\"view-steps\" aria-label=\"Images\">")
    if index > 0 { html.add("<a href=\"#i\(images[index - 1].id)\">Previous</a>") }
    if index + 1 < images.count { html.add("<a href=\"#i\(images[index + 1].id)\">Next</a>") }
    html.add("<a href=\"#t\(id)\">Back to the list</a></nav>\n</div>\n</article>\n")
  }

  private func add(
    _ picture: DisplayedFile,
    in folder: String,
    named name: String,
    to html: inout HTMLText
  ) {
    html.add("<img src=\"\(base)/\(folder)/\(picture.hash)\"")
    if let width = picture.width, let height = picture.height {
      html.add(" width=\"\(width)\" height=\"\(height)\"")
    }
    html.add(" alt=\"")
    html.add(text: name)
    html.add("\" loading=\"lazy\">")
  }

  private func addFacts(of image: ExportedImage, to html: inout HTMLText) {
    let facts = image.facts
    html.add("<dl class=\"facts\">\n")
    if let published = facts.published {
      // "2026-11-02 08:00 UTC" of "2026-11-02T08:00:00Z".
      let readable = published.dropLast(":00Z".count).replacing("T", with: " ") + " UTC"
      html.add("<dt>Published</dt><dd><time datetime=\"\(published)\">\(readable)</time></dd>\n")
    }
    if let author = facts.author { html.fact("Author", author) }
    if let licence = facts.licence {
      html.fact("Licence", licence, address: licence.isWebLink ? licence : nil)
    }
    html.fact("Feed", facts.feed, address: "\(base)/feeds/\(facts.feedID)/index.html")
    if let source = facts.pageAddress { html.fact("Source", source, address: source) }
    if let original = facts.original, let file = image.fileName {
      html.add("<dt>Original</dt><dd><a href=\"\(base)/o/\(original.hash)\" download=\"")
      html.add(text: file)
      html.add("\">Save it</a> (")
      html.add(text: facts.originalSize ?? "")
      html.add(")</dd>\n")
    }
    html.add("</dl>\n")
  }
}

extension ExportedImage {
  fileprivate var name: String { facts.title.isEmpty ? "Image \(id)" : facts.title }
}

/// HTML that is written from beginning to end.
private struct HTMLText {
  private(set) var text = ""

  /// Adds markup.
  mutating func add(_ markup: String) { text += markup }

  /// Adds text, for an element or a quoted attribute (HTML, section 13.3).
  mutating func add(text value: String) {
    let isPlain = value.utf8.allSatisfy { byte in
      byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
        && byte != UInt8(ascii: "\"")
    }
    guard !isPlain else {
      text += value
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  mutating func element(_ name: String, _ style: String, _ value: String) {
    add("<\(name) class=\"\(style)\">")
    add(text: value)
    add("</\(name)>\n")
  }

  /// An entry of a list of facts.
  mutating func fact(_ label: String, _ value: String, address: String? = nil) {
    add("<dt>\(label)</dt><dd>")
    if let address {
      add("<a href=\"")
      add(text: address)
      add("\">")
    }
    add(text: value)
    add(address == nil ? "</dd>\n" : "</a></dd>\n")
  }
}

import Models
import Scenes
import Workers

extension PublishedFeed {
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  var jsonFeed: [UInt8] {
    var feed: Record = [
      "version": "https://jsonfeed.org/version/1.1",
      "title": .text(facts.title),
      "home_page_url": .text(address(list.beginning.page)),
      "feed_url": .text(address(of: list, as: .jsonFeed)),
    ]
    if let next { feed.add("next_url", .text(address(of: next, as: .jsonFeed))) }
    feed.add("items", .records(images.map(jsonItem)))
    return JSONLine.lines([feed])
  }

  private func jsonItem(_ image: ImageRecord) -> Record {
    var item: Record = [
      "id": .text(identifier(of: image)),
      "url": .text(page(of: image)),
    ]
    if let title = image.title { item.add("title", .text(title)) }
    let text = text(of: image)
    // An item has one of them at least; readers may prefer either.
    if image.caption != nil || text == nil { item.add("content_text", .text(image.caption ?? "")) }
    if let text { item.add("content_html", .text(text)) }
    if let thumbnail = thumbnail(of: image) { item.add("image", .text(thumbnail)) }
    if let published = image.published { item.add("date_published", .text(published)) }
    if let author = image.author {
      item.add("authors", .records([["name": .text(author)]]))
      // Readers of version 1.0 know only this member.
      item.add("author", .record(["name": .text(author)]))
    }
    // The type of an original is known only when it is stored; the range covers all types.
    var attachment: Record = [
      "url": .text(original(of: image)), "mime_type": .text(type(of: image) ?? "image/*"),
    ]
    if let stored = storedOriginal(of: image) {
      attachment.add("size_in_bytes", .number(stored.bytes))
    }
    item.add("attachments", .records([attachment]))
    if let more = additions(to: image) { item.add("_gallery", .record(more)) }
    return item
  }

  /// The facts that JSON Feed has no members for (its section "Extensions"); nil when none of them is known.
  private func additions(to image: ImageRecord) -> Record? {
    var more: Record = [:]
    if let licence = image.licence { more.add("license", .text(licence)) }
    if let size = size(of: image) {
      more.add("width", .number(size.width))
      more.add("height", .number(size.height))
    }
    return more.members.isEmpty ? nil : more
  }

  /// A manifest of the IIIF Presentation API 3.0 (https://iiif.io/api/presentation/3.0/), a canvas for each image.
  var manifest: [UInt8] {
    let id = address(of: list, as: .iiif)
    var manifest: Record = [
      "@context": "http://iiif.io/api/presentation/3/context.json",
      "id": .text(id),
      "type": "Manifest",
      "label": label(facts.title),
      "homepage": homepage(address(list.beginning.page), facts.title),
      "items": .records(images.map(canvas)),
    ]
    if let next {
      // A manifest has no pages, so the next images are another manifest.
      let more: Record = [
        "id": .text(address(of: next, as: .iiif)), "type": "Manifest",
        "label": label("More of \(facts.title)"), "format": "application/ld+json",
      ]
      manifest.add("seeAlso", .records([more]))
    }
    return JSONLine.lines([manifest])
  }

  /// The side of a canvas whose image has no known size; only the proportions of a canvas matter.
  private static let usualSide = 1_000

  private func canvas(_ image: ImageRecord) -> Record {
    let (id, size) = (page(of: image), size(of: image))
    let (width, height) = (
      size?.width ?? image.thumbnail.width ?? Self.usualSide,
      size?.height ?? image.thumbnail.height ?? Self.usualSide
    )
    var canvas: Record = ["id": .text("\(id)/canvas"), "type": "Canvas"]
    if let title = image.title { canvas.add("label", label(title)) }
    canvas.add("width", .number(width))
    canvas.add("height", .number(height))
    canvas.add("homepage", homepage(id, image.title ?? "Image \(image.id)"))
    describe(image, in: &canvas)
    if let thumbnail = canvasThumbnail(of: image) {
      canvas.add("thumbnail", .records([thumbnail]))
    }
    let annotation: Record = [
      "id": .text("\(id)/annotation"), "type": "Annotation", "motivation": "painting",
      "body": .record(body(of: image)), "target": .text("\(id)/canvas"),
    ]
    let annotations: Record = [
      "id": .text("\(id)/annotations"), "type": "AnnotationPage", "items": .records([annotation]),
    ]
    canvas.add("items", .records([annotations]))
    return canvas
  }

  /// The picture of a canvas, with the service that renders parts of it if it is stored.
  private func body(of image: ImageRecord) -> Record {
    var body: Record = ["id": .text(original(of: image)), "type": "Image"]
    if let type = type(of: image) { body.add("format", .text(type)) }
    let size = size(of: image)
    if let size {
      body.add("width", .number(size.width))
      body.add("height", .number(size.height))
    }
    guard let stored = storedOriginal(of: image), let address = imageService(of: stored), let size
    else { return body }
    let service: Record = [
      "id": .text(address), "type": "ImageService3", "profile": "level2",
      "width": .number(size.width), "height": .number(size.height),
    ]
    body.add("service", .records([service]))
    return body
  }

  /// Adds the caption, the author, the date and the licence of an image.
  private func describe(_ image: ImageRecord, in canvas: inout Record) {
    if let caption = image.caption { canvas.add("summary", label(caption)) }
    if let author = image.author {
      let entry: Record = ["label": .record(["en": .texts(["Author"])]), "value": label(author)]
      canvas.add("metadata", .records([entry]))
    }
    if let published = image.published { canvas.add("navDate", .text(published)) }
    guard let licence = image.licence else { return }
    if let rights = Self.rights(licence) {
      canvas.add("rights", .text(rights))
    } else {
      let statement: Record = [
        "label": .record(["en": .texts(["Licence"])]), "value": label(licence),
      ]
      canvas.add("requiredStatement", .record(statement))
    }
  }

  /// The licence as an address that `rights` may have (section 3.2); nil for any other text.
  ///
  /// Those are the addresses of Creative Commons and RightsStatements.org, both of which write theirs with `http`.
  private static func rights(_ licence: String) -> String? {
    let rest = licence.split(separator: "://", maxSplits: 1).dropFirst().first ?? ""
    let allowed = [
      "creativecommons.org/licenses/", "creativecommons.org/publicdomain/",
      "rightsstatements.org/vocab/",
    ]
    let name = rest.trimmingPrefix("www.")
    let isAddress = licence.hasPrefix("http") && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isAddress && allowed.contains { name.hasPrefix($0) } ? "http://\(name)" : nil
  }

  private func canvasThumbnail(of image: ImageRecord) -> Record? {
    guard let address = thumbnail(of: image) else { return nil }
    var picture: Record = ["id": .text(address), "type": "Image"]
    if let type = image.thumbnail.type { picture.add("format", .text(type)) }
    if let width = image.thumbnail.width, let height = image.thumbnail.height {
      picture.add("width", .number(width))
      picture.add("height", .number(height))
    }
    return picture
  }

  /// A page that people can read (section 3.3).
  private func homepage(_ address: String, _ title: String) -> Record.Value {
    .records([
      [
        "id": .text(address), "type": "Text", "label": label(title), "format": "text/html",
      ]
    ])
  }

  /// A text in an unknown language (language map, section 4.1).
  private func label(_ text: String) -> Record.Value {
    .record(["none": .texts([text])])
  }
}

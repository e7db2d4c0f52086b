import Scenes

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
    item.add("content_text", .text(image.caption ?? ""))
    if let thumbnail = thumbnail(of: image) { item.add("image", .text(thumbnail)) }
    if let published = image.published { item.add("date_published", .text(published)) }
    if let author = image.author { item.add("authors", .records([["name": .text(author)]])) }
    // The type of an original is known only when it is stored: this range stands for all.
    let attachment: Record = ["url": .text(original(of: image)), "mime_type": "image/*"]
    item.add("attachments", .records([attachment]))
    return item
  }

  /// A manifest of the IIIF Presentation API 3.0 (https://iiif.io/api/presentation/3.0/), a canvas for each image.
  var manifest: [UInt8] {
    let id = address(of: list, as: .iiif)
    var manifest: Record = [
      "@context": "http://iiif.io/api/presentation/3/context.json",
      "id": .text(id),
      "type": "Manifest",
      "label": label(facts.title),
      "items": .records(images.map(canvas)),
    ]
    if let next {
      // A manifest has no pages: the next images are a manifest of their own.
      let more: Record = [
        "id": .text(address(of: next, as: .iiif)), "type": "Manifest",
        "label": label("More of \(facts.title)"),
        "format": .text(#"application/ld+json"#),
      ]
      manifest.add("seeAlso", .records([more]))
    }
    return JSONLine.lines([manifest])
  }

  /// The size of a canvas whose image states none: its proportions alone count.
  private static let usualSide = 1_000

  private func canvas(_ image: ImageRecord) -> Record {
    let (width, height) = (
      image.thumbnail.width ?? Self.usualSide, image.thumbnail.height ?? Self.usualSide
    )
    let id = page(of: image)
    let body: Record = [
      "id": .text(original(of: image)), "type": "Image",
      "width": .number(width), "height": .number(height),
    ]
    let annotation: Record = [
      "id": .text("\(id)/annotation"), "type": "Annotation", "motivation": "painting",
      "body": .record(body), "target": .text("\(id)/canvas"),
    ]
    let annotations: Record = [
      "id": .text("\(id)/annotations"), "type": "AnnotationPage",
      "items": .records([annotation]),
    ]
    var canvas: Record = [
      "id": .text("\(id)/canvas"), "type": "Canvas",
      "label": label(image.title ?? "Image \(image.id)"),
      "width": .number(width), "height": .number(height),
    ]
    if let caption = image.caption { canvas.add("summary", label(caption)) }
    if let thumbnail = thumbnail(of: image) {
      var picture: Record = ["id": .text(thumbnail), "type": "Image"]
      if let type = image.thumbnail.type { picture.add("format", .text(type)) }
      if image.thumbnail.width != nil {
        picture.add("width", .number(width))
        picture.add("height", .number(height))
      }
      canvas.add("thumbnail", .records([picture]))
    }
    if let published = image.published { canvas.add("navDate", .text(published)) }
    canvas.add("items", .records([annotations]))
    return canvas
  }

  /// A text of unknown language (language map, section 4.1).
  private func label(_ text: String) -> Record.Value {
    .record(["none": .texts([text])])
  }
}

import Scenes

/// The tiles of a page in a static site, and the view of each image, which needs no script.
struct StaticImages {
  private let images: [ExportedImage]
  private let pins: Set<Int64>
  private let base: String

  init(_ images: [ExportedImage], pins: Set<Int64>, base: String) {
    self.images = images
    self.pins = pins
    self.base = base
  }

  /// The items of the list of tiles.
  var tiles: [HTML] { images.map(tile(of:)) }

  /// The views that the tiles link to.
  var views: [HTML] { images.indices.map(view(at:)) }

  private func tile(of image: ExportedImage) -> HTML {
    let isPinned = pins.contains(image.id)
    return """
      <li class="tile\(if: isPinned, " is-pinned")" id="t\(image.id)"><a href="#i\(image.id)" \(tile: image.name, isPinned: isPinned)>\(picture(of: image, in: "t", image.facts.thumbnail))</a></li>
      """
  }

  private func view(at index: Int) -> HTML {
    let image = images[index]
    let id = image.id
    let previous = index > 0 ? images[index - 1].id : nil
    let next = index + 1 < images.count ? images[index + 1].id : nil
    let original = image.isOriginalShown ? image.facts.original : nil
    return """
      <article class="view" id="i\(id)" aria-labelledby="h\(id)">
      <a class="view-picture" href="#t\(id)" title="Back to the list">\(picture(of: image, in: original == nil ? "t" : "o", original ?? image.facts.thumbnail))</a>
      <div class="view-facts">
      <h2 id="h\(id)">\(image.name)</h2>
      \(line: image.facts.caption.map { #"<p class="caption">\#($0)</p>"# })\
      <dl class="facts">
      \(lines: facts(of: image))\
      </dl>
      <nav class="view-steps" aria-label="Images">\(previous.map { ##"<a href="#i\##($0)">Previous</a>"## })\(next.map { ##"<a href="#i\##($0)">Next</a>"## })<a href="#t\(id)">Back to the list</a></nav>
      </div>
      </article>
      """
  }

  /// A picture in one of the folders for pictures, or the name of the image without one.
  private func picture(
    of image: ExportedImage,
    in folder: String,
    _ file: DisplayedFile?
  ) -> HTML {
    guard let file else { return "<span class=\"missing\">\(image.name)</span>\n" }
    let size: HTML? =
      if let width = file.width, let height = file.height {
        #" width="\#(width)" height="\#(height)""#
      } else { nil }
    return """
      <img src="\(base)/\(folder)/\(file.hash)"\(size) alt="\(image.name)" loading="lazy">
      """
  }

  private func facts(of image: ExportedImage) -> [HTML] {
    let facts = image.facts
    let original = image.fileName.flatMap { name in
      facts.original.map { file -> HTML in
        #"<a href="\#(base)/o/\#(file.hash)" download="\#(name)">Save it</a> (\#(facts.originalSize ?? ""))"#
      }
    }
    return [
      .fact(facts.dateName, facts.published.map { .time($0, Self.readable($0)) }),
      .fact("Author", facts.author.map { "\($0)" }),
      .fact("Licence", facts.licence.map { .link($0, to: $0.isWebLink ? $0 : nil) }),
      .fact("Feed", .link(facts.feed, to: "\(base)/feeds/\(facts.feedID)/index.html")),
      .fact("Source", facts.pageAddress.map { .link($0, to: $0) }),
      .fact("Original", original),
    ].compactMap(\.self)
  }

  /// Makes "2026-11-02 08:00 UTC" of "2026-11-02T08:00:00Z".
  private static func readable(_ published: String) -> String {
    published.dropLast(":00Z".count).replacing("T", with: " ") + " UTC"
  }
}

extension ExportedImage {
  fileprivate var name: String { facts.title.isEmpty ? "Image \(id)" : facts.title }
}

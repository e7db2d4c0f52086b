import Scenes

/// The view of one image, or without facts an empty view, which scripts copy and fill.
struct Viewer {
  var site: Site
  var id: Int64?
  var facts: DisplayedImageFacts?
  /// The facts that have no separate place.
  var furtherFacts: [DescriptionField] = []
  /// The place of the image in its list, from 1 on, and the number of images there; nil if it has none.
  var place: (number: Int, total: Int)?
  /// The addresses of the list, and of the images before and after this one.
  var back: String?
  var previous: String?
  var next: String?

  private var idText: String { id.map { String($0) } ?? "" }

  var title: String {
    facts.map { $0.title.isEmpty ? "Image \(idText)" : $0.title } ?? ""
  }

  private var original: String? {
    guard let facts else { return nil }
    return facts.original.map { "\(site.basePath)/o/\($0.hash)" }
      ?? "\(site.basePath)/images/\(idText)/original"
  }

  var html: HTML {
    let problem = facts?.problem
    let shown = problem == nil ? original : nil
    return """
      <article class="viewer" data-id="\(idText)" tabindex="-1" aria-label="\(title)">
      <div class="stage\(if: problem != nil, " incomplete")">
      <div class="canvas">
      <img class="thumbnail"\(thumbnail) alt="\(title)">
      <img class="original"\(attribute: "src", shown)\(if: shown == nil, " hidden") alt="">
      </div>
      <div class="progress" role="progressbar" aria-label="The original is arriving" hidden></div>
      </div>
      <p class="problem" role="status"\(if: problem == nil, " hidden")><span>\(problem ?? "")</span> <a href="\(original ?? "")">Try again</a></p>
      <nav class="viewer-bar" aria-label="Image">
      <a class="tool back" href="\(back ?? "")" title="Back to the list (Esc)" aria-label="Back to the list">\(icon: "M19 12H5M11 6l-6 6 6 6")</a>
      <span class="place">\(place.map { "\(number: $0.number) / \(number: $0.total)" })</span>
      <button type="button" class="tool" data-action="zoom-out" title="Zoom out (−)" aria-label="Zoom out" hidden>\(icon: "M5 12h14")</button>
      <button type="button" class="tool" data-action="zoom-in" title="Zoom in (+)" aria-label="Zoom in" hidden>\(icon: "M12 5v14M5 12h14")</button>
      <button type="button" class="tool" data-action="fullscreen" title="Full screen (f)" aria-label="Full screen" hidden>\(icon: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5")</button>
      \(line: site.isAdmin ? pin : nil)\
      <button type="button" class="tool" data-action="details" title="Details (i)" aria-label="Details" aria-expanded="true" hidden>\(icon: "M12 11v6M12 7v.5M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18")</button>
      </nav>
      <a class="step previous" rel="prev"\(attribute: "href", previous)\(if: previous == nil, " hidden") title="Previous (k)" aria-label="Previous image">\(icon: "M14 6l-6 6 6 6")</a>
      <a class="step next" rel="next"\(attribute: "href", next)\(if: next == nil, " hidden") title="Next (j)" aria-label="Next image">\(icon: "M10 6l6 6-6 6")</a>
      \(details)
      </article>
      """
  }

  private var thumbnail: HTML {
    guard let file = facts?.thumbnail else { return " hidden" }
    return site.source(of: file)
  }

  private var pin: HTML {
    let isPinned = facts?.isPinned == true
    return """
      <form class="pin" method="post" action="\(site.basePath)/images/\(idText)/\(if: isPinned, "un")pin"><button class="tool" data-action="pin" title="Pin (p)" aria-label="Pin" aria-pressed="\(if: isPinned, "true", else: "false")">\(icon: "M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6")</button></form>
      """
  }

  private var details: HTML {
    """
    <div class="details">
    <h1 dir="auto">\(title)</h1>
    <p class="caption" dir="auto"\(if: facts?.caption == nil, " hidden")>\(facts?.caption ?? "")</p>
    <dl class="facts">
    \(.fact(facts?.dateName ?? "", facts?.published.map { .time($0, $0) }))
    \(.fact("Taken", facts?.taken.map { "\($0)" }))
    \(.fact("Camera", facts?.camera.map { "\($0)" }))
    \(.fact("Lens", facts?.lens.map { "\($0)" }))
    \(.fact("Exposure", facts?.exposure.map { "\($0)" }))
    \(.fact("Author", facts?.author.map { "\($0)" }))
    \(.fact("Licence", facts?.licence.map { .link($0, to: $0.isWebLink ? $0 : nil) }))
    \(.fact("Feed", facts.map { .link($0.feed, to: "\(site.basePath)/feeds/\($0.feedID)") }))
    \(.fact("Source", facts?.pageAddress.map { .link($0, to: $0) }))
    \(furtherFacts.compactMap(fact))
    </dl>
    <p class="original-link"\(if: original == nil, " hidden")><a href="\(original ?? "")">Open the original</a> <a href="\(original ?? "")" download="\(title)">Save it</a></p>
    </div>
    """
  }

  private func fact(_ field: DescriptionField) -> HTML? {
    let (name, value) = (field.name, field.value)
    return .fact(name, name == "first seen" ? .time(value, value) : "\(value)")
  }
}

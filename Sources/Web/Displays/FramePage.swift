package import Scenes

/// A slide show for frames and televisions.
package struct FramePage {
  /// A picture to show.
  package struct Picture: Equatable, Sendable {
    package var id: Int64
    /// The address of the picture that is stored: the original, or else the thumbnail.
    package var address: String
    package var title: String
    /// The address of its page.
    package var page: String

    package init(id: Int64, address: String, title: String, page: String) {
      self.id = id
      self.address = address
      self.title = title
      self.page = page
    }

    package var record: Record {
      [
        "id": .integer(id), "address": .text(address), "title": .text(title), "page": .text(page),
      ]
    }
  }

  /// The time for which a picture stays, in seconds: the usual time, and the allowed range.
  private static let usualSeconds = 30
  private static let seconds = 2...86_400

  package let html: HTML

  /// - Parameters:
  ///   - list: The list that has the pictures.
  ///   - seconds: The time for which each picture stays; nil for the usual time.
  ///   - first: The first picture, for a page without scripts; nil when no picture of the list is stored.
  ///   - isEmpty: Whether the list has no image at all.
  ///   - site: The server's pages.
  package init(
    _ list: ListAddress,
    seconds: Int?,
    first: Picture?,
    isEmpty: Bool,
    on site: Site
  ) {
    let seconds = min(
      max(seconds ?? Self.usualSeconds, Self.seconds.lowerBound),
      Self.seconds.upperBound
    )
    let isSearch = list.search != nil || list.isPinned
    let note =
      if !isEmpty { "No picture of this list is stored." } else {
        isSearch ? "No image matches." : "No images yet."
      }
    html = """
      \(site.head(title: "Slide show", styles: ["frame.css"]))
      <noscript><meta http-equiv="refresh" content="\(seconds)"></noscript>
      </head>
      <body>
      <main class="frame" data-seconds="\(seconds)">
      <h1 class="out-of-sight">Slide show</h1>
      <div class="slides">\(first.map { #"<img class="slide shown" src="\#($0.address)" alt="\#($0.title)">"# })</div>
      <p class="slide-title" dir="auto">\(first.map { .link($0.title, to: $0.page) })</p>
      <p class="frame-note" role="status"\(if: first != nil, " hidden")>\(note)</p>
      <a class="tool" data-action="close" href="\(site.basePath)\(list.page)" aria-label="Close" title="Close (Esc)">\(icon: "M6 6l12 12M18 6L6 18")</a>
      <button type="button" class="tool" data-action="pause" aria-pressed="false" aria-label="Pause" title="Pause (space)" hidden>\(icon: "M9 6v12M15 6v12")</button>
      <button type="button" class="tool" data-action="fullscreen" aria-label="Full screen" title="Full screen (f)" hidden>\(icon: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5")</button>
      </main>
      <script type="module" src="\(site.assets)/frame.js"></script>
      </body>
      </html>

      """
  }
}

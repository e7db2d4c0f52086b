import Models
import Scenes

/// The facts that all pages of a server share, and whether their reader may change the library.
package struct Site: Sendable {
  /// The prefix of all paths, such as `/gallery`; it may be empty, and is relative in a static site.
  package var basePath: String
  /// The name of the folder of assets.
  package var assetHash: String
  /// The title of the gallery; nil for none.
  package var title: String?
  /// Whether the pages are files of a static site.
  var isStatic = false
  /// Whether the reader may change the library.
  package var isAdmin = false
  /// Whether the reader may see the whole library, with its feeds.
  package var isWhole = true
  /// Whether pages tell where pictures were taken.
  package var tellsPlaces = false

  package init(basePath: String, assetHash: String) {
    self.basePath = basePath
    self.assetHash = assetHash
  }

  /// The folder of assets.
  var assets: String { "\(basePath)/assets/\(assetHash)" }

  /// The attributes of a stored thumbnail: its address, and its size if it is known.
  func source(of file: DisplayedFile) -> HTML {
    #" src="\#(basePath)/t/\#(file.hash)"\#(attribute: "width", file.width)\#(attribute: "height", file.height)"#
  }
}

// MARK: Parts of pages

extension Site {
  /// The beginning of a page, with the styles that it needs beside those of a list; links and `bar` follow.
  func head(title: String, styles: [String] = []) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en" data-base="\(basePath)"\(if: isStatic, " data-static")\(if: isAdmin, " data-admin")>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#fbfbf9" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#121214" media="(prefers-color-scheme: dark)">
    <title>\(title)\(self.title.map { " · " + $0 } ?? "")</title>
    \(lines: (["app.css"] + styles).map(stylesheet))\
    <link rel="modulepreload" href="\(assets)/core.js" fetchpriority="low">
    <link rel="icon" href="\(assets)/icon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="\(assets)/icon.png">
    <link rel="manifest" href="\(assets)/gallery.webmanifest" crossorigin="use-credentials">
    """
  }

  private func stylesheet(_ name: String) -> HTML {
    #"<link rel="stylesheet" href="\#(assets)/\#(name)">"#
  }

  /// The name of the list without a search, which a token may limit.
  var listName: String { isWhole ? "All images" : "Images" }

  /// The icon of the gallery: pictures in rows.
  static let brand = "M3 4h8v6H3zM13 4h8v9h-8zM3 12h8v8H3zM13 15h8v5h-8z"

  /// The end of the head, and the bar with a form that searches in a feed and in an order.
  func bar(
    searching feedID: Int64? = nil,
    for words: String? = nil,
    in order: ImageQuery.Order? = nil
  ) -> HTML {
    """
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
    <a class="home" href="\(basePath)/\(if: isStatic, "index.html")" title="\(listName)">\(icon: Self.brand)<span>\(title ?? "Gallery")</span></a>
    <form class="search" role="search" action="\(basePath)/search"\(if: isStatic, " hidden")>
    <input type="search" name="q" value="\(words ?? "")" placeholder="Search" aria-label="Search images" autocomplete="off" spellcheck="false" enterkeyhint="search" maxlength="200">
    \(feedID.map { #"<input type="hidden" name="feed" value="\#($0)">"# })
    \(order.map { #"<input type="hidden" name="sort" value="\#($0.rawValue)">"# })
    </form>
    <nav class="tools" aria-label="Gallery">
    <button type="button" class="tool" data-action="date" title="Go to a date (g d)" aria-label="Go to a date" hidden>\(icon: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4")</button>
    \(line: isWhole ? feedsLink : nil)\
    <button type="button" class="tool" data-action="offline" title="Keep for offline" aria-label="Keep for offline" hidden>\(icon: "M12 4v10M7 10l5 5 5-5M5 19h14")</button>
    <button type="button" class="tool" data-action="help" title="Keys (?)" aria-label="Keys" hidden>\(icon: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5")</button>
    </nav>
    </header>
    """
  }

  private var feedsLink: HTML {
    """
    <a class="tool" href="\(basePath)/feeds\(if: isStatic, ".html")" title="Feeds" aria-label="Feeds">\(icon: "M5 5a14 14 0 0 1 14 14M5 11a8 8 0 0 1 8 8M5 18h1v1H5z")</a>
    """
  }

  /// The end of a page, with the help about keys.
  static let foot: HTML = """
    <div class="announcer" role="status"></div>
    <dialog class="help" aria-labelledby="help-heading">
    <h2 id="help-heading">Keys</h2>
    <dl class="keys">
    <dt><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>Move from image to image</dd>
    <dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>Next, previous image</dd>
    <dt><kbd>Page Up</kbd> <kbd>Page Down</kbd></dt><dd>Move by a screen</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>First, last image</dd>
    <dt><kbd>Enter</kbd></dt><dd>Open the image</dd>
    <dt><kbd>Esc</kbd></dt><dd>Close</dd>
    <dt><kbd>/</kbd></dt><dd>Search</dd>
    <dt><kbd>g</kbd> <kbd>d</kbd></dt><dd>Go to a date</dd>
    <dt><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> <kbd>1</kbd></dt><dd>Zoom in, zoom out, fit, full size</dd>
    <dt><kbd>f</kbd></dt><dd>Full screen</dd>
    <dt><kbd>i</kbd></dt><dd>Details</dd>
    <dt><kbd>p</kbd></dt><dd>Pin the image, or unpin it</dd>
    <dt><kbd>?</kbd></dt><dd>This list</dd>
    </dl>
    <label class="letters"><input type="checkbox" checked> Single letters are shortcuts</label>
    <form method="dialog"><button>Close</button></form>
    </dialog>
    </body>
    </html>

    """

  /// The script of a list, with the viewer and the dialog that it opens.
  var listScript: HTML {
    """
    <template id="viewer-template">
    \(Viewer(site: self).html)
    </template>
    <dialog class="date" aria-labelledby="date-heading">
    <form method="dialog">
    <h2 id="date-heading">Go to a date</h2>
    <label>Month <input type="month" name="month" placeholder="2026-11" pattern="[0-9]{4}-[0-9]{2}" title="A year and a month, such as 2026-11" required></label>
    <p class="range"></p>
    <button value="go">Go</button> <button value="cancel" formnovalidate class="plain">Cancel</button>
    </form>
    </dialog>
    <script type="module" src="\(assets)/list.js"></script>
    """
  }
}

extension HTML {
  /// A link, or the text alone without an address.
  static func link(_ text: String, to address: String?) -> HTML {
    address.map { #"<a href="\#($0)">\#(text)</a>"# } ?? "\(text)"
  }

  static func time(_ moment: String, _ text: String) -> HTML {
    #"<time datetime="\#(moment)">\#(text)</time>"#
  }

  /// An entry of a list of facts; nil without a value.
  static func fact(_ label: String, _ value: HTML?) -> HTML? {
    let label = label.prefix(1).uppercased() + String(label.dropFirst())
    return value.map { "<dt>\(label)</dt><dd>\($0)</dd>" }
  }
}

extension HTML.StringInterpolation {
  /// Adds an icon, whose path (SVG 2, section 9.3) is drawn in a square of 24 by 24.
  package mutating func appendInterpolation(icon path: String) {
    appendInterpolation(
      #"<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="\#(path)"/></svg>"#
        as HTML
    )
  }
}

extension HTML.StringInterpolation {
  /// Adds the attributes of the link of a tile: its name, which says that a pinned image is one.
  mutating func appendInterpolation(tile name: String, isPinned: Bool) {
    let attributes: HTML =
      #"title="\#(name)"\#(if: isPinned, #" aria-label="\#(name), pinned""#)"#
    appendInterpolation(attributes)
  }
}

extension HTML.StringInterpolation {
  /// Adds a number, which scripts write as in the reader's language.
  mutating func appendInterpolation(number: Int) {
    appendInterpolation(
      #"<span data-number="\#(number)">\#(Wording.grouped(number))</span>"# as HTML
    )
  }
}

/// The orders that a page offers.
enum ListSorts {
  private static let labels: [(ImageQuery.Order, String)] = [
    (.newest, "Newest"), (.oldest, "Oldest"), (.added, "Recently added"), (.taken, "Date taken"),
    (.title, "Title"), (.feed, "Feed order"),
  ]

  static func links(
    current: ImageQuery.Order,
    isStatic: Bool = false,
    address: (ImageQuery.Order) -> String = { _ in "#" }
  ) -> [HTML] {
    // The files of a static site do not tell when pictures were taken.
    labels.filter { !isStatic || $0.0 != .taken }.map { order, label in
      #"<a href="\#(address(order))" data-sort="\#(order.rawValue)"\#(if: order == current, #" aria-current="true""#)>\#(label)</a>"#
    }
  }
}

import Mustache
package import Scenes

/// Renders pages from templates (mustache(5)), which are embedded in the program.
package struct PageTemplates: Sendable {
  private let library: MustacheLibrary

  /// Fails only when a template is malformed, which a test would find.
  package init() throws {
    var library = MustacheLibrary()
    for (name, text) in EmbeddedFiles.pages {
      try library.register(String(decoding: text, as: UTF8.self), named: name)
    }
    self.library = library
  }

  /// Renders a page; every value is escaped for HTML.
  package func html(of page: Page, on site: Site) -> String {
    let common: Page.Values = [
      "base": site.basePath,
      "assets": "\(site.basePath)/assets/\(site.assetHash)",
      "home": site.basePath + (site.isStatic ? "/index.html" : "/"),
      "feedsPage": site.basePath + (site.isStatic ? "/feeds.html" : "/feeds"),
      "isAdmin": page.isAdmin,
      "isStatic": site.isStatic,
    ]
    let values = page.values.merging(common) { own, _ in own }
    return library.render(values, withTemplate: page.template) ?? ""
  }
}

/// The facts that all pages of a server share.
package struct Site: Sendable {
  /// The prefix of all paths, such as `/gallery`; it may be empty, and is relative in a static site.
  package var basePath: String
  /// The name of the folder of assets.
  package var assetHash: String
  /// Whether the pages are files of a static site.
  var isStatic = false

  package init(basePath: String, assetHash: String) {
    self.basePath = basePath
    self.assetHash = assetHash
  }
}

/// A template, and the values for it.
package struct Page {
  package typealias Values = [String: Any]

  package var template: String
  package var values: Values
  /// Whether the reader may change the library.
  package var isAdmin = false

  init(_ template: String, _ values: [String: Any?]) {
    self.template = template
    self.values = values.compactMapValues { $0 }
  }
}

extension [String: Any] {
  /// Leaves out unknown values, because templates test whether a value is there.
  init(known values: [String: Any?]) { self = values.compactMapValues { $0 } }
}

extension HintedText {
  /// The text with its hints in the words of a page.
  package var webText: String { text(\.webText) }
}

extension Hint {
  /// The words for something that a reader of pages can do.
  ///
  /// If only the machine's user can do it, they name the command.
  fileprivate var webText: String {
    switch self {
    case .followFeed, .beginLibrary, .getImages: "add a feed under Feeds"
    case .listImages: "the list of images has those that are"
    case .listFeeds, .explainFailures: "Feeds tells more"
    case .showDetails: "the server's log has them with --verbose"
    case .removeFeed: "Remove under Feeds stops following it"
    case .repairPictures, .rebuildIndexes: "'gallery verify --repair' repairs it"
    case .restartVerification: "'gallery verify --restart' begins again"
    case .removeStrays, .emptyTrash, .acceptLinkedOriginals: "'gallery clean' helps"
    case .chooseLibrary: "'gallery serve --cache' names another library"
    case .replaceFile, .showDamaged: "the command line can"
    case .retryNow: "or with 'gallery sync --retry-failed'"
    case .syncAgain: "a later sync tries again"
    case .allowPrivate: "adding it again with private addresses allowed tries again"
    case .readWholeFeed, .readWholeList: "'gallery sync --no-limits' reads all of it"
    case .readFromPipe: "'gallery sync -' reads another document into it"
    case .askPausedFeed: "a sync of the feed alone asks again"
    }
  }
}

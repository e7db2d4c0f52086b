package import Models

/// Makes the files of a static site: the nodes of the library's tree, and pages.
package protocol SiteMaking: Sendable {
  /// Identifies everything that the files are made from except the library; a site with another version is rebuilt.
  var version: String { get }

  /// Scripts, styles and icons, with names that depend on their content.
  var assets: [SiteFile] { get }

  /// The script of the web workers, whose name is the same in each version.
  var worker: SiteFile { get }

  func root(of tree: LibraryTree) -> SiteFile
  func node(_ node: LibraryTree.Feed, of feed: Feed) -> SiteFile
  func node(_ month: LibraryTree.Month, ofFeed feedID: Int64) -> SiteFile
  func leaf(_ leaf: LibraryTree.Leaf, _ images: [ImageState]) -> SiteFile

  /// A page of images; the first page of the list of all images is the site's start page.
  func page(_ page: SitePage) -> SiteFile

  /// The page of the feeds.
  func page(of feeds: [Feed]) -> SiteFile
}

/// A file of a site.
package struct SiteFile: Sendable, Equatable {
  /// Its path in the site's folder, with slashes.
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// A page with some images of a list, the newest first.
///
/// Pages are parts of months, counted from the oldest image, so that new images change only the last pages.
package struct SitePage: Sendable {
  /// The part of a list that a page shows.
  package enum Place: Sendable, Equatable {
    /// The newest images, with the months of the list.
    case first([Month])
    /// A part of a month, numbered from 1, and its neighbours.
    case part(Part, newer: Part?, older: Part?)
  }

  package struct Part: Sendable, Equatable {
    /// The months since January of the year 0.
    package var month: Int
    package var number: Int

    package init(month: Int, number: Int) {
      self.month = month
      self.number = number
    }
  }

  package struct Month: Sendable, Equatable {
    package var month: Int
    package var images: Int
    /// The number of parts into which the month is divided.
    package var parts: Int

    package init(month: Int, images: Int, parts: Int) {
      self.month = month
      self.images = images
      self.parts = parts
    }
  }

  package var place: Place
  /// The feed of the list; nil for the list of all images.
  package var feed: Feed?
  /// The number of images in the list.
  package var total: Int
  package var images: [ImageState]
  /// The feeds of the images, by id.
  package var feeds: [Int64: Feed]
  /// The ids of pinned images, of this page and others.
  package var pins: Set<Int64>

  package init(
    _ place: Place,
    of feed: Feed?,
    total: Int,
    images: [ImageState],
    feeds: [Int64: Feed],
    pins: Set<Int64> = []
  ) {
    self.place = place
    self.feed = feed
    self.total = total
    self.images = images
    self.feeds = feeds
    self.pins = pins
  }
}

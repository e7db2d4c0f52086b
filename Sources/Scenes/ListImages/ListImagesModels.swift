package import Models
package import Workers

/// The models of the scene that lists, pins and selects images.
package enum ListImages {
  /// Lists images in an order, filtered and cut to a page.
  package enum FetchImages {
    package struct Request: Sendable {
      /// The filter, the order and the page; the scene fills in the feed and the seed.
      package var query: ImageQuery
      /// Only images of this feed, list of feeds or manifest.
      package var feed: FeedArgument?
      /// The end of the previous page, from `next` of its view model; nil for the first page.
      package var after: String?
      /// The room that the display has for thumbnails; nil when it does not draw them.
      package var grid: Grid?
      /// Whether to read the pins and the stored originals of the images, too.
      package var hasFacts: Bool
      /// Whether to read the pins of the images, too.
      package var hasPins = false

      package init(
        query: ImageQuery = ImageQuery(),
        feed: FeedArgument? = nil,
        after: String? = nil,
        grid: Grid? = nil,
        hasFacts: Bool = false
      ) {
        self.hasFacts = hasFacts
        self.query = query
        self.feed = feed
        self.after = after
        self.grid = grid
      }
    }

    /// Rows of thumbnails.
    package struct Grid: Equatable, Sendable {
      /// The room for each thumbnail, in pixels.
      package var room: PixelSize
      /// The number of thumbnails in a row; the scene presents whole rows.
      package var count: Int

      package init(room: PixelSize, count: Int) {
        self.room = room
        self.count = count
      }
    }

    package struct Response: Equatable {
      package var images: [WebImage]
      /// The thumbnail of each image, or nil if it cannot be drawn; the whole array is nil without a grid.
      package var thumbnails: [DecodedPixels?]?
      /// The stored originals by the ids of their images, if the request asks for them.
      package var originals: [Int64: PictureInfo]?
      /// What cameras have written into these originals, by their hashes, as far as the library has read it.
      package var details: [String: PictureDetails] = [:]
    }

    package struct ViewModel: Equatable {
      package var displayedImages: [DisplayedImage]
      /// Whether to draw the thumbnails in a grid.
      package var isGrid = false
    }

    /// The view model for scripts.
    package struct RecordViewModel: Equatable {
      package var records: [ImageRecord]
    }

    /// The decoder cannot draw pictures; the images are listed without them.
    package enum Undrawn {
      package struct Response: Equatable {
        package var reason: ImagingError
      }

      package struct ViewModel: Equatable {
        package var note: String
      }
    }

    /// The end of the page.
    package enum Ended {
      package struct Response: Equatable {
        /// The number of images in the page.
        package var count: Int
        /// The offset of the next page; nil after the last one.
        package var nextOffset: Int?
        /// The position where the next page begins; nil after the last one, and in a random order.
        package var next: ImageCursor?
        /// The recent failures to get pictures of these images.
        package var failures: [FailureGroup] = []
        /// Whether a query without a filter found nothing, so that the library has no images.
        package var isLibraryEmpty = false
        /// The search with quotation marks around a camera's name, if the one without them found nothing.
        package var cameraSearch: String?
        /// The number of images that match, if the request skipped them all; nil if it did not.
        package var skipped: Int?
      }

      package struct ViewModel: Equatable {
        /// A note that the list is empty; nil when it is not.
        package var note: HintedText?
        /// The recent failures to get pictures of these images.
        package var failures: [HintedText] = []
        /// The offset of the next page; nil after the last one.
        package var nextOffset: Int?
        /// The position where the next page begins, as an opaque text; nil after the last one.
        package var next: String?
      }
    }
  }

  /// Pins images, so that their pictures are kept, or unpins them.
  package enum PinImages {
    package struct Request: Sendable {
      package var ids: [Int64]
      /// The ranges among `ids`, whose images need not all exist.
      package var ranges: [ClosedRange<Int64>]
      /// The images of a feed or a search, in addition to `ids`; nil for `ids` alone.
      package var list: FetchImages.Request?
      package var isPinned: Bool

      package init(
        ids: [Int64],
        ranges: [ClosedRange<Int64>] = [],
        list: FetchImages.Request? = nil,
        isPinned: Bool
      ) {
        self.ids = ids
        self.ranges = ranges
        self.list = list
        self.isPinned = isPinned
      }
    }

    package struct Response: Equatable {
      package var count: Int
      package var isPinned: Bool
    }

    package struct ViewModel: Equatable {
      package var text: String
    }
  }

  /// Selects one image of the library, to show it.
  package enum SelectImage {
    package struct Request: Sendable {
      package var id: Int64
      /// The part of the library that must contain the image; nil for the whole library.
      package var part: ImageQuery?
      /// Presented if there is no such image; nil to present nothing.
      package var failure: RequestFailure?

      package init(id: Int64, in part: ImageQuery? = nil) {
        self.id = id
        self.part = part
        failure = .noSuchImage(id: id)
      }
    }
  }
}

/// An image in a list for people: finished text, without the address of its original.
package struct DisplayedImage: Equatable, Sendable {
  package var id: Int64
  /// The date of publication, as an ISO 8601 date and time in UTC; empty when unknown.
  package var published: String
  /// The day of publication, or else that on which it was first seen, which then counts in orders; for a narrow display.
  package var day: String
  package var feed: String
  /// Empty for an image without a title.
  package var title: String
  /// `original` when the original is stored, `damaged` when its file is damaged, else empty.
  package var originalMark: String
  /// Whether fetching one of its pictures failed recently.
  package var hasFailed = false
  /// Whether it is pinned, for a display that asks for pins.
  package var isPinned = false
  /// Its thumbnail; nil if there is nothing to draw.
  package var picture: Picture?
  /// Its stored thumbnail, for a display that shows files; nil when it is missing or damaged.
  package var thumbnail: DisplayedFile?

  /// The text below the picture.
  package var caption: String { title.isEmpty ? String(id) : "\(id) \(title)" }
}

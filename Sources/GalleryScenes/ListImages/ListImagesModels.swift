public import GalleryLibrary
internal import Models
internal import Scenes

/// The models of the scene that lists images and selects one.
public enum ListImages {
  /// Lists the images of a page.
  public enum FetchImages {
    /// Which images to list, and how.
    public struct Request: Sendable {
      /// The filter, the order and the page.
      public var query: GalleryLibrary.ImageQuery
      /// The room for each thumbnail; nil when the display does not draw them.
      public var room: PixelSize?
      /// The number of thumbnails in a row, at least 1; the scene presents whole rows as soon as they are decoded.
      public var columns: Int

      /// Makes a request.
      public init(
        query: GalleryLibrary.ImageQuery = GalleryLibrary.ImageQuery(),
        room: PixelSize? = nil,
        columns: Int = 1
      ) {
        (self.query, self.room, self.columns) = (query, room, columns)
      }
    }

    /// A part of the page: a row of drawn thumbnails, or up to a thousand images.
    public struct Response {
      let facts: Scenes.ListImages.FetchImages.Response
      let file: (PictureInfo) -> String?

      /// The images in their order.
      public var images: [LibraryImage] { facts.images(file: file) }

      /// The decoded thumbnails by the ids of their images.
      public var pictures: [Int64: Picture] {
        var pictures: [Int64: Picture] = [:]
        for (image, pixels) in zip(facts.images, facts.thumbnails ?? []) {
          pictures[image.id] = Picture(pixels)
        }
        return pictures
      }
    }

    /// A part of the page in words.
    public struct ViewModel: Sendable, Equatable {
      /// The images in their order.
      public var displayedImages: [DisplayedImage]

      /// Makes a view model, for presenters of your own and for tests of displays.
      public init(displayedImages: [DisplayedImage]) { self.displayedImages = displayedImages }
    }

    /// The end of the page.
    public enum Ended {
      /// The facts of the end.
      public struct Response {
        let facts: Scenes.ListImages.FetchImages.Ended.Response

        /// The number of images in the page.
        public var count: Int { facts.count }
        /// What `ImageQuery.after` of the next page is; nil after the last page, and in a random order.
        public var next: String? { facts.next?.text }
      }

      /// The end in words.
      public struct ViewModel: Sendable, Equatable {
        /// A note that the list is empty; nil when it is not.
        public var note: String?
        /// The recent failures to get pictures of these images.
        public var failures: [String]
        /// What `ImageQuery.after` of the next page is; nil after the last page, and in a random order.
        public var next: String?

        /// Makes a view model, for presenters of your own and for tests of displays.
        public init(note: String? = nil, failures: [String] = [], next: String? = nil) {
          (self.note, self.failures, self.next) = (note, failures, next)
        }
      }
    }
  }

  /// Selects one image of the library, to show it.
  public enum SelectImage {
    /// Which image to select.
    public struct Request: Sendable {
      /// The id of the image.
      public var id: Int64

      /// Makes a request.
      public init(id: Int64) { self.id = id }
    }
  }
}

/// An image in a list: finished text, without the address of its original.
public struct DisplayedImage: Sendable, Equatable, Identifiable {
  /// The id of the image.
  public var id: Int64
  /// Empty for an image without a title.
  public var title: String
  /// The title of its feed, or else the feed's address without secrets.
  public var feed: String
  /// The date of publication, as an ISO 8601 date and time in UTC; empty when unknown.
  public var published: String
  /// The day of publication, for a narrow display.
  public var day: String
  /// `original` when the original is stored, `damaged` when its file is damaged, else empty.
  public var originalMark: String
  /// Whether fetching one of its pictures failed recently.
  public var hasFailed: Bool
  /// Whether it is pinned, so that its pictures are kept.
  public var isPinned: Bool
  /// Its thumbnail; nil if there is nothing to draw.
  public var picture: Picture?

  /// Makes an image, for presenters of your own and for tests of displays.
  ///
  /// - Parameters:
  ///   - id: The id of the image.
  ///   - title: Empty for an image without a title.
  ///   - feed: The name of its feed.
  ///   - published: An ISO 8601 date and time in UTC; empty when unknown.
  ///   - day: The day of publication.
  ///   - originalMark: `original`, `damaged`, or empty.
  ///   - hasFailed: Whether fetching one of its pictures failed recently.
  ///   - isPinned: Whether it is pinned.
  ///   - picture: Its thumbnail; nil if there is nothing to draw.
  public init(
    id: Int64,
    title: String,
    feed: String = "",
    published: String = "",
    day: String = "",
    originalMark: String = "",
    hasFailed: Bool = false,
    isPinned: Bool = false,
    picture: Picture? = nil
  ) {
    (self.id, self.title, self.feed) = (id, title, feed)
    (self.published, self.day, self.originalMark) = (published, day, originalMark)
    (self.hasFailed, self.isPinned, self.picture) = (hasFailed, isPinned, picture)
  }

  init(_ image: Scenes.DisplayedImage) {
    id = image.id
    (title, feed) = (HarmlessText.line(image.title), HarmlessText.line(image.feed))
    (published, day) = (image.published, image.day)
    (originalMark, hasFailed, isPinned) = (image.originalMark, image.hasFailed, image.isPinned)
    picture = image.picture.map { Picture($0) }
  }
}

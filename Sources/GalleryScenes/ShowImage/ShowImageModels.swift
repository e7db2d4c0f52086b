public import GalleryLibrary
internal import Models
internal import Scenes
internal import Workers

/// The models of the scene that shows one image: its thumbnail at once, then its original.
public enum ShowImage {
  /// Shows the stored thumbnail.
  public enum FetchThumbnail {
    /// How to show it.
    public struct Request: Sendable {
      /// The room for the picture; nil when the display does not draw it.
      public var room: PixelSize?

      /// Makes a request.
      public init(room: PixelSize? = nil) { self.room = room }
    }

    /// The facts of the thumbnail.
    public struct Response {
      let facts: Scenes.ShowImage.FetchThumbnail.Response

      /// The id of the image.
      public var imageID: Int64 { facts.image.id }
      /// The thumbnail; nil if the request has no room for it, or it cannot be drawn.
      public var picture: Picture? { Picture(try? facts.pixels?.get()) }
    }

    /// The thumbnail in words.
    public struct ViewModel: Sendable, Equatable {
      /// The id and the title of the image.
      public var text: String
      /// The picture to draw; nil to draw nothing.
      public var picture: Picture?
      /// The reason why the picture cannot be drawn; nil without one.
      public var note: String?

      /// Makes a view model, for presenters of your own and for tests of displays.
      public init(text: String, picture: Picture? = nil, note: String? = nil) {
        (self.text, self.picture, self.note) = (text, picture, note)
      }
    }
  }

  /// Shows the original, and fetches it first when it is not stored.
  public enum FetchOriginal {
    /// How to show it.
    public struct Request: Sendable {
      /// The room for the picture; nil when the display does not draw it.
      public var room: PixelSize?
      /// Whether an original that is not stored may be fetched.
      public var mayAskNetwork: Bool

      /// Makes a request.
      public init(room: PixelSize? = nil, mayAskNetwork: Bool = true) {
        (self.room, self.mayAskNetwork) = (room, mayAskNetwork)
      }
    }

    /// The progress of a fetch.
    public enum Progress {
      /// The facts of the progress.
      public struct Response {
        let facts: Scenes.ShowImage.FetchOriginal.Progress.Response

        /// The number of bytes that have arrived; it falls when the transfer starts again.
        public var received: Int { facts.received }
        /// The number of all bytes; nil while it is unknown.
        public var total: Int? { facts.total }
      }

      /// The progress in words, at most ten times a second.
      public struct ViewModel: Sendable, Equatable {
        /// The part that has arrived, from 0 to 1; nil while the total is unknown.
        public var fraction: Double?
        /// The numbers of bytes, the speed, and the time that is left.
        public var text: String

        /// Makes a view model, for presenters of your own and for tests of displays.
        public init(fraction: Double?, text: String) {
          (self.fraction, self.text) = (fraction, text)
        }
      }
    }

    /// A picture of the incomplete file, while the rest arrives.
    public enum Partial {
      /// The picture as decoded.
      public struct Response {
        let facts: Scenes.ShowImage.FetchOriginal.Partial.Response

        /// What has arrived; the rest is grey, or less sharp.
        public var picture: Picture? { Picture(facts.pixels) }
      }

      /// The picture to draw.
      public struct ViewModel: Sendable, Equatable {
        /// What has arrived; the rest is grey, or less sharp.
        public var picture: Picture

        /// Makes a view model, for presenters of your own and for tests of displays.
        public init(picture: Picture) { self.picture = picture }
      }
    }

    /// The facts of an original that is whole.
    public struct Response {
      let facts: Scenes.ShowImage.FetchOriginal.Response

      /// Its file, which stays at least until the next original is asked for.
      public var file: PictureFile { PictureFile(facts.fetched.original) }
      /// The original; nil if the request has no room for it, or it cannot be drawn.
      public var picture: Picture? { Picture(try? facts.pixels?.get()) }
    }

    /// The original in words.
    public struct ViewModel: Sendable, Equatable {
      /// Where it comes from, its format, its size in pixels and its length.
      public var text: String
      /// The path of its file, exactly; it may have characters that are not harmless for a terminal.
      public var path: String
      /// The picture to draw; nil to draw nothing.
      public var picture: Picture?
      /// The reason why the picture cannot be drawn; nil without one.
      public var note: String?

      /// Makes a view model, for presenters of your own and for tests of displays.
      public init(text: String, path: String, picture: Picture? = nil, note: String? = nil) {
        (self.text, self.path, self.picture, self.note) = (text, path, picture, note)
      }
    }
  }

  /// Shows all facts about the image, without a picture and without the network.
  public enum DescribeImage {
    /// The facts.
    public struct Response {
      let facts: Scenes.ShowImage.DescribeImage.Response

      /// The image, with its stored original.
      public var image: LibraryImage { LibraryImage(facts.image, stored: facts.original) }
    }

    /// The facts in words.
    public struct ViewModel: Sendable, Equatable {
      /// A line for each fact.
      public var fields: [DescriptionField]

      /// Makes a view model, for presenters of your own and for tests of displays.
      public init(fields: [DescriptionField]) { self.fields = fields }
    }
  }
}

/// A fact about an image.
public struct DescriptionField: Sendable, Equatable {
  /// What the fact is, such as `author`.
  public var name: String
  /// The fact in words.
  public var value: String

  /// Makes a fact, for presenters of your own and for tests of displays.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }

  init(_ field: Scenes.DescriptionField) {
    (name, value) = (HarmlessText.line(field.name), HarmlessText.line(field.value))
  }
}

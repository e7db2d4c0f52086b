package import Models
package import Workers

/// The models of the scene that shows one image: its thumbnail at once, then its original.
package enum ShowImage {
  /// Shows the stored thumbnail.
  package enum FetchThumbnail {
    package struct Request: Sendable {
      /// Whether the request is for the thumbnail alone, so that its absence is a failure.
      package var isAllWanted: Bool
      /// The destination of a copy; nil for no copy.
      package var destination: ExportDestination?
      /// The room that the display has for the picture; nil when it does not draw pictures.
      package var room: PixelSize?

      package init(
        isAllWanted: Bool = false,
        destination: ExportDestination? = nil,
        room: PixelSize? = nil
      ) {
        self.isAllWanted = isAllWanted
        self.destination = destination
        self.room = room
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var thumbnail: PictureInfo
      /// The pixels, or the reason why decoding failed; nil when the request has no room for them.
      package var pixels: Result<DecodedPixels, ImagingError>?
      /// Whether the request is for the thumbnail alone.
      package var isAll = false
      /// The destination of the copy; nil without a copy.
      package var copy: ExportDestination?
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// The picture to draw; nil to draw nothing.
      package var picture: DisplayedPicture?
      /// The reason why the picture cannot be drawn.
      package var note: String?
      /// Nil while more view models follow.
      package var outcome: Outcome?
      /// The path of the copy; nil without a file.
      package var path: String?
      /// The message for a display that does not draw the thumbnail; nil when there is a copy or the original follows.
      package var fileless: String?
    }
  }

  /// Shows the original, and fetches it first when it is not stored.
  package enum FetchOriginal {
    package struct Request: Sendable {
      package var mayAskNetwork: Bool
      /// Whether to ask the server if a stored original has changed.
      package var isRefresh: Bool
      /// Whether to show a damaged original that cannot be fetched again.
      package var takesDamaged: Bool
      /// The destination of a copy; nil for no copy.
      package var destination: ExportDestination?
      /// The room that the display has for the picture; nil when it does not draw pictures.
      package var room: PixelSize?
      /// Whether to open the original with the desktop's program for pictures.
      package var isOpened: Bool
      /// How long no other original may take the place of this one; nil if its file is not used once it is presented.
      package var holdTime: OriginalHoldTime?
      /// Ends the fetch early.
      package var stop: StopRequest

      package init(
        mayAskNetwork: Bool = true,
        isRefresh: Bool = false,
        takesDamaged: Bool = false,
        destination: ExportDestination? = nil,
        room: PixelSize? = nil,
        isOpened: Bool = false,
        holdTime: OriginalHoldTime? = nil,
        stop: StopRequest
      ) {
        self.mayAskNetwork = mayAskNetwork
        self.isRefresh = isRefresh
        self.takesDamaged = takesDamaged
        self.destination = destination
        self.room = room
        self.isOpened = isOpened
        self.holdTime = holdTime
        self.stop = stop
      }
    }

    package enum Progress {
      package struct Wait: Equatable {
        package var cause: NetworkWaits.Wait
        package var left: Duration
      }

      package struct Response: Equatable {
        package var imageID: Int64
        package var received: Int
        package var total: Int?
        /// The incomplete file, as in `OriginalProgress`.
        package var partial: PictureSource?
        /// The number of the version, as in `OriginalProgress`.
        package var version = 0
        /// Why the server is asked again, and the time until then; nil while nothing waits.
        package var wait: Wait?
      }
    }

    /// A picture of the incomplete file, while the rest arrives.
    package enum Partial {
      package struct Response: Equatable {
        package var pixels: DecodedPixels
      }

      package struct ViewModel: Equatable {
        package var picture: DisplayedPicture
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var fetched: FetchedOriginal
      /// The pixels, or the reason why decoding failed; nil when the request has no room for them.
      package var pixels: Result<DecodedPixels, ImagingError>?
      /// The newer pictures that are kept beside the stored ones.
      package var newer: [Successor] = []
      /// The destination of the copy; nil without a copy.
      package var copy: ExportDestination?
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// The path of the copy or the stored file; nil when the picture itself went to standard output.
      package var path: String?
      /// The picture to draw; nil to draw nothing.
      package var picture: DisplayedPicture?
      /// The reason why the picture cannot be drawn.
      package var note: String?
    }

    package enum Unavailable {
      package struct Response: Equatable {
        package var image: WebImage
        package var failure: Failure
        /// A stored original that is shown instead; nil without one.
        package var stored: StoredOriginal?
        /// Whether the request was to ask the server if the stored original has changed.
        package var isRefresh = false
        /// Whether the stored original is damaged, and therefore shown only on request.
        package var isDamaged = false
      }
    }
  }

  /// Shows all facts about the image, without a picture and without the network.
  package enum DescribeImage {
    package struct Response: Equatable {
      package var image: WebImage
      /// Its stored original; nil without one.
      package var original: StoredOriginal?
      /// The newer pictures that are kept beside the stored ones.
      package var newer: [Successor] = []
      /// What the camera has written into the original; nil without one, and where that is not known.
      package var details: PictureDetails?
    }

    package struct ViewModel: Equatable {
      /// Every fact, for a display that lists them.
      package var fields: [DescriptionField]
      /// The same facts one by one, for a display that lays them out.
      package var image: DisplayedImageFacts
    }
  }

  /// Explains which pictures of the image are stored and why, and when they are requested or deleted.
  package enum ExplainImage {
    package struct Response: Equatable {
      package var image: WebImage
      package var storage: ImageStorage
      /// Its stored original; nil without one.
      package var original: StoredOriginal?
      /// The newer pictures that are kept beside the stored ones.
      package var newer: [Successor] = []
      /// The hosts of the feed and of the pictures that asked for a pause.
      package var pauses: [HostPause] = []
    }

    package struct ViewModel: Equatable {
      package var fields: [DescriptionField]
    }
  }

  /// Pins the image, so that its pictures are kept, or unpins it, and describes it again.
  package enum PinImage {
    package struct Request: Sendable {
      package var isPinned: Bool

      package init(isPinned: Bool) { self.isPinned = isPinned }
    }
  }

  /// Shows the newer picture that is kept beside the stored one, without the network.
  package enum FetchNewer {
    package struct Request: Sendable {
      /// The destination of a copy; nil for no copy.
      package var destination: ExportDestination?
      /// The room that the display has for the picture; nil when it does not draw pictures.
      package var room: PixelSize?
      /// As in `FetchOriginal.Request`.
      package var holdTime: OriginalHoldTime?

      package init(
        destination: ExportDestination? = nil,
        room: PixelSize? = nil,
        holdTime: OriginalHoldTime? = nil
      ) {
        (self.destination, self.room, self.holdTime) = (destination, room, holdTime)
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var newer: Successor
      /// The pixels, or the reason why decoding failed; nil when the request has no room for them.
      package var pixels: Result<DecodedPixels, ImagingError>?
      /// The destination of the copy; nil without a copy.
      package var copy: ExportDestination?
    }
  }

  /// Reads the stored bytes of the thumbnail, without the network.
  package enum ReadThumbnail {
    package struct Response: Equatable {
      package var thumbnail: PictureInfo
      package var bytes: [UInt8]
    }

    package struct ViewModel: Equatable {
      /// The type of the bytes (RFC 6838), such as `image/jpeg`.
      package var mediaType: String
      package var bytes: [UInt8]
    }
  }
}

/// The facts about one image, for people: finished text, nil where a fact is not known.
package struct DisplayedImageFacts: Equatable, Sendable {
  /// Empty for an image without a title.
  package var title: String
  package var caption: String?
  package var author: String?
  package var licence: String?
  /// The date of publication, or of a file in a folder, as an ISO 8601 date and time in UTC.
  package var published: String?
  /// What this date is called.
  package var dateName = "published"
  package var feed: String
  package var feedID: Int64
  /// The web page about it; nil unless its address is http or https, because other addresses must not become links.
  package var pageAddress: String?
  package var thumbnail: DisplayedFile?
  /// The stored original.
  package var original: DisplayedFile?
  /// The original's format, size in pixels and length.
  package var originalSize: String?
  package var camera: String?
  package var lens: String?
  /// The exposure, such as `1/250 s, f/2.8, ISO 200, 35 mm`.
  package var exposure: String?
  /// When the picture was taken, by the camera's clock, which must not be converted to that of the reader.
  package var taken: String?
  /// The size of the original in pixels, as the feed declares it.
  package var width: Int?
  package var height: Int?
  /// The recent failure to get the original.
  package var problem: String?
  package var isPinned = false

  /// Creates facts with only a title and a feed.
  package init(title: String = "", feed: String, feedID: Int64) {
    self.title = title
    self.feed = feed
    self.feedID = feedID
  }
}

/// A line of the facts about an image, for people.
package struct DescriptionField: Equatable, Sendable {
  package var name: String
  package var value: String
}

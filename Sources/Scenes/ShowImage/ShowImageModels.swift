package import Models
package import Workers

/// The models of the scene that shows one image: its thumbnail at once, then its original.
package enum ShowImage {
  /// Shows what is stored already.
  package enum FetchThumbnail {
    package struct Request: Sendable {
      /// Whether the thumbnail is all that is wanted, so that its absence is a failure.
      package var isAllWanted: Bool
      /// Where a copy goes; nil for none.
      package var destination: ExportDestination?
      /// The room that the display has for it; nil when it draws nothing.
      package var room: PixelBox?

      package init(
        isAllWanted: Bool = false,
        destination: ExportDestination? = nil,
        room: PixelBox? = nil
      ) {
        self.isAllWanted = isAllWanted
        self.destination = destination
        self.room = room
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var thumbnail: PictureInfo
      /// Its pixels, or why there are none; nil when none were asked for.
      package var pixels: Result<DecodedPixels, ImagingError>?
      /// Whether the thumbnail is all that was wanted.
      package var isAll = false
      /// Where a copy was written; nil when none was asked for.
      package var copy: ExportDestination?
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// What is drawn; nil for nothing.
      package var picture: DisplayedPicture?
      /// Why nothing is drawn that was to be.
      package var note: String?
      /// Nil while there is more to come.
      package var outcome: Outcome?
      /// The file that a copy was written to.
      package var path: String?
      /// What is said where it is not drawn either; nil when a copy was made.
      package var fileless: String?
    }

    package struct RecordViewModel: Equatable {
      package var record: ThumbnailRecord
      /// Nil while there is more to come.
      package var outcome: Outcome?
    }
  }

  /// Shows the original, fetched first when it is not stored.
  package enum FetchOriginal {
    package struct Request: Sendable {
      package var mayAskNetwork: Bool
      /// Whether the server is asked whether it has changed, even when it is stored.
      package var isRefresh: Bool
      /// Whether one that is damaged, and cannot be had again, is handed out all the same.
      package var takesDamaged: Bool
      /// Where a copy goes; nil for none.
      package var destination: ExportDestination?
      /// The room that the display has for it; nil when it draws nothing.
      package var room: PixelBox?
      /// Whether it is handed to the program that a person looks at pictures with.
      package var isOpened: Bool
      /// Ends the fetch early.
      package var stop: StopRequest

      package init(
        mayAskNetwork: Bool = true,
        isRefresh: Bool = false,
        takesDamaged: Bool = false,
        destination: ExportDestination? = nil,
        room: PixelBox? = nil,
        isOpened: Bool = false,
        stop: StopRequest
      ) {
        self.mayAskNetwork = mayAskNetwork
        self.isRefresh = isRefresh
        self.takesDamaged = takesDamaged
        self.destination = destination
        self.room = room
        self.isOpened = isOpened
        self.stop = stop
      }
    }

    package enum Progress {
      package struct Response: Equatable {
        package var received: Int
        package var total: Int?
      }

      package struct ViewModel {
        /// The progress at the moment of the call, for a display to sample until the fetch ends.
        package var sample: @Sendable () -> ProgressLine
      }

      package struct RecordViewModel: Equatable {
        package var record: ProgressRecord
      }
    }

    /// As much as has come while more is arriving.
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
      /// Its pixels, or why there are none; nil when none were asked for.
      package var pixels: Result<DecodedPixels, ImagingError>?
      /// Where a copy was written; nil when none was asked for.
      package var copy: ExportDestination?
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// The file to look at; nil when the picture itself went to standard output.
      package var path: String?
      /// What is drawn; nil for nothing.
      package var picture: DisplayedPicture?
      /// Why nothing is drawn that was to be.
      package var note: String?
    }

    package struct RecordViewModel: Equatable {
      package var record: OriginalRecord
    }

    package enum Unavailable {
      package struct Response: Equatable {
        package var image: WebImage
        package var failure: Failure
        /// The picture of the image that is stored, and shown in its place.
        package var stored: StoredOriginal?
        /// Whether the question was if the stored one has changed.
        package var isRefresh = false
        /// Whether the stored one was found damaged, and so is shown only where that is wished.
        package var isDamaged = false
      }

      package struct ViewModel: Equatable {
        package var message: String
        package var outcome: Outcome
        /// Whether it could be had if one more authority of certificates were trusted.
        package var isUntrusted = false
      }

      package struct RecordViewModel: Equatable {
        package var record: UnavailableRecord
        package var message: String
        package var outcome: Outcome
        /// Whether it could be had if one more authority of certificates were trusted.
        package var isUntrusted = false
      }
    }
  }

  /// Shows all that is known of the image, without a picture and without the network.
  package enum DescribeImage {
    package struct Response: Equatable {
      package var image: WebImage
      /// Its original, as far as it is on this disk.
      package var original: StoredOriginal?
    }

    package struct ViewModel: Equatable {
      package var fields: [DescriptionField]
    }

    package struct RecordViewModel: Equatable {
      package var record: DescriptionRecord
    }
  }

  /// Tells why a request came to nothing.
  package enum Fail {
    package struct Response: Equatable {
      package var failure: RequestFailure
    }

    package struct ViewModel: Equatable {
      package var message: String
      package var outcome: Outcome
    }
  }
}

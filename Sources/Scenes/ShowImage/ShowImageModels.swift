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

      package init(isAllWanted: Bool = false, destination: ExportDestination? = nil) {
        self.isAllWanted = isAllWanted
        self.destination = destination
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var thumbnail: PictureInfo
      /// Whether the thumbnail is all that was wanted.
      package var isAll = false
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// Nil while there is more to come.
      package var outcome: Outcome?
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
      /// Where a copy goes; nil for none.
      package var destination: ExportDestination?
      /// Ends the fetch early.
      package var stop: StopRequest

      package init(
        mayAskNetwork: Bool = true,
        isRefresh: Bool = false,
        destination: ExportDestination? = nil,
        stop: StopRequest
      ) {
        self.mayAskNetwork = mayAskNetwork
        self.isRefresh = isRefresh
        self.destination = destination
        self.stop = stop
      }
    }

    package enum Progress {
      package struct Response: Equatable {
        package var received: Int
        package var total: Int?
      }

      package struct ViewModel: Equatable {
        package var line: ProgressLine
      }

      package struct RecordViewModel: Equatable {
        package var record: ProgressRecord
      }
    }

    package struct Response: Equatable {
      package var image: WebImage
      package var fetched: FetchedOriginal
      /// Where a copy was written; nil when none was asked for.
      package var copy: ExportDestination?
    }

    package struct ViewModel: Equatable {
      package var text: String
      /// The file to look at; nil when the picture itself went to standard output.
      package var path: String?
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
      }

      package struct ViewModel: Equatable {
        package var message: String
        package var outcome: Outcome
      }

      package struct RecordViewModel: Equatable {
        package var record: UnavailableRecord
        package var message: String
        package var outcome: Outcome
      }
    }
  }

  /// Shows all that is known of the image, without a picture and without the network.
  package enum DescribeImage {
    package struct Response: Equatable {
      package var image: WebImage
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

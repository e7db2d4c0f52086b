package import Models
package import Workers

/// The models of the scene that lists images for a grid with random access.
package enum ListTimeline {
  /// Counts a whole list, in buckets that a grid requests one by one.
  package enum FetchTimeline {
    package struct Request: Sendable {
      package var query: ImageQuery

      package init(query: ImageQuery) { self.query = query }
    }

    package struct Response: Equatable {
      /// The number of the library's last change, which requests for buckets pass on.
      package var version: Int64
      package var total: Int
      package var order: ImageQuery.Order
      package var buckets: [Timelines.Bucket]
    }
  }

  /// Lists the images of a bucket, as a grid shows them.
  package enum FetchBucket {
    package struct Request: Sendable {
      package var query: ImageQuery
      package var index: Int
      /// The version of the timeline; nil for the current list.
      package var version: Int64?

      package init(query: ImageQuery, index: Int, version: Int64? = nil) {
        self.query = query
        self.index = index
        self.version = version
      }
    }

    package struct Response: Equatable {
      /// The tiles in the order of the list; that of an image removed since has only its id.
      package var tiles: [ImageTile]
    }
  }
}

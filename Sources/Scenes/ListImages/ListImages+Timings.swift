package import Workers

extension ListImages.SyncFeeds {
  /// Tells where the time of a sync went.
  package enum Timed {
    package struct Response: Equatable {
      package var timings: SyncTimings
    }

    /// One phase, in words.
    package struct Row: Equatable {
      package var phase: String
      package var time: String
      /// What the time was spent on.
      package var detail: String
    }

    package struct ViewModel: Equatable {
      package var title: String
      package var rows: [Row]
    }

    package struct RecordViewModel: Equatable {
      package var record: SyncTimingsRecord
    }
  }
}

import Models
import Workers

/// Gives a store of its own for every rehearsal.
struct FakeRehearsals: FeedRehearsing {
  let store: FakeStore

  func rehearsal(ofFeedAt address: WebAddress) throws(StoreError) -> any SyncStoring { store }
}

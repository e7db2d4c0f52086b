import Models

/// The pictures that a feed still wants, read from the store a page at a time.
struct PictureOrders {
  private let feed: Feed
  private let read: (PictureOrder?) throws(StoreError) -> [PictureOrder]
  private var page: ArraySlice<PictureOrder> = []
  private var last: PictureOrder?
  private var isAtEnd = false

  /// Takes the feed, and what reads the page behind an order.
  init(of feed: Feed, read: @escaping (PictureOrder?) throws(StoreError) -> [PictureOrder]) {
    self.feed = feed
    self.read = read
  }

  /// Gives no more: what is left stays wanted.
  mutating func end() {
    isAtEnd = true
    page = []
  }

  /// The next one; nil at the end, and behind an error of the store, which is noted once.
  mutating func next(note: (SyncProblem) -> Void) -> PictureOrder? {
    if page.isEmpty, !isAtEnd {
      do {
        page = try read(last)[...]
      } catch {
        note(.store(error, of: feed))
      }
      isAtEnd = page.isEmpty
    }
    last = page.popFirst() ?? last
    return isAtEnd ? nil : last
  }
}

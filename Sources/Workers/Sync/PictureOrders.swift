import Models

/// The pictures that a feed still wants, read from the store a page at a time.
struct PictureOrders {
  private let read: (PictureOrder?) throws(StoreError) -> [PictureOrder]
  private var page: ArraySlice<PictureOrder> = []
  private var last: PictureOrder?
  private var isAtEnd = false

  /// Takes what reads the page behind an order.
  init(read: @escaping (PictureOrder?) throws(StoreError) -> [PictureOrder]) { self.read = read }

  /// Gives no more: what is left stays wanted.
  mutating func end() {
    isAtEnd = true
    page = []
  }

  /// The next one; nil at the end, and behind an error, which is thrown once.
  mutating func next() throws(StoreError) -> PictureOrder? {
    if page.isEmpty, !isAtEnd {
      isAtEnd = true
      page = try read(last)[...]
      isAtEnd = page.isEmpty
    }
    last = page.popFirst() ?? last
    return isAtEnd ? nil : last
  }
}

import Models

/// The pictures that a feed wants, and then the stored ones that are due to be asked about, read from
/// the store a page at a time.
struct PictureOrders {
  /// Reads the page of wanted ones behind an order.
  typealias Wanted = (PictureOrder?) throws(StoreError) -> [PictureOrder]
  /// Reads how to ask about what is stored of images.
  typealias Checks = ([Int64]) throws(StoreError) -> [PictureOrder]

  /// The images whose stored pictures are asked about.
  var due: ArraySlice<Int64> = []
  /// How many wanted ones were read from the store.
  private(set) var number = 0
  private let feed: Feed
  private let wanted: Wanted
  private let checks: Checks
  private var page: ArraySlice<PictureOrder> = []
  private var last: PictureOrder?
  private var isPastWanted = false
  private var isAtEnd = false
  private var isEnded = false

  init(of feed: Feed, wanted: @escaping Wanted, checks: @escaping Checks) {
    self.feed = feed
    self.wanted = wanted
    self.checks = checks
  }

  /// Gives no more: what is left stays wanted, or due.
  mutating func end() {
    isAtEnd = true
    isEnded = true
    page = []
  }

  /// Goes on behind the last wanted one, where more may be stored by now, unless it was ended.
  mutating func goOn() {
    guard !isEnded else { return }
    isAtEnd = false
    isPastWanted = false
  }

  /// The next one; nil at the end, and behind an error of the store, which is noted once.
  mutating func next(note: (SyncProblem) -> Void) -> PictureOrder? {
    while page.isEmpty, !isAtEnd {
      do throws(StoreError) {
        page = try nextPage()
      } catch {
        note(.store(error, of: feed))
        end()
      }
    }
    return page.popFirst()
  }

  private mutating func nextPage() throws(StoreError) -> ArraySlice<PictureOrder> {
    if !isPastWanted {
      let page = try wanted(last)
      last = page.last ?? last
      number += page.count
      isPastWanted = page.isEmpty
      return page[...]
    }
    let images = due.prefix(SyncLimits.ordersPerPage)
    due = due.dropFirst(images.count)
    isAtEnd = images.isEmpty
    return isAtEnd ? [] : try checks(Array(images))[...]
  }
}

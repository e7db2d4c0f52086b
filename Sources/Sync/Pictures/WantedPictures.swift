import Models
import Workers

/// The pictures of one kind that a feed wants, and then the stored ones that are due, read a page at a time.
struct WantedPictures {
  /// The images whose stored pictures are due.
  var due: ArraySlice<Int64> = []
  /// The number of wanted pictures that were read from the store.
  private(set) var number = 0
  private let kind: PictureKind
  private let feed: Feed
  private let filter: PictureFilter
  private let store: any PictureStoring
  private var page: ArraySlice<WantedPicture> = []
  private var last: WantedPicture?
  private var isPastWanted = false
  private var isAtEnd = false
  private var isEnded = false

  init(_ kind: PictureKind, of feed: Feed, _ filter: PictureFilter, _ store: any PictureStoring) {
    self.kind = kind
    self.feed = feed
    self.filter = filter
    self.store = store
  }

  /// Continues behind the last wanted picture, where more may be stored by now, unless an error has ended the reading.
  mutating func goOn() {
    guard !isEnded else { return }
    isAtEnd = false
    isPastWanted = false
  }

  /// The next picture; nil at the end, and after an error of the store, which is reported once.
  mutating func next(note: (SyncProblem) -> Void) async -> WantedPicture? {
    while page.isEmpty, !isAtEnd {
      do throws(StoreError) {
        page = try await nextPage()
      } catch {
        note(.store(error, of: feed))
        (isAtEnd, isEnded) = (true, true)
      }
    }
    return page.popFirst()
  }

  private mutating func nextPage() async throws(StoreError) -> ArraySlice<WantedPicture> {
    let limit = SyncLimits.picturesPerPage
    if !isPastWanted {
      let page = try await store.wanted(
        kind,
        feedID: feed.id,
        filter,
        after: last,
        limit: limit
      )
      last = page.last ?? last
      number += page.count
      isPastWanted = page.isEmpty
      return page[...]
    }
    let images = due.prefix(limit)
    due = due.dropFirst(images.count)
    isAtEnd = images.isEmpty
    return isAtEnd ? [] : try await store.checks(kind, imageIDs: Array(images))[...]
  }
}

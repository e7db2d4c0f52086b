package import Scenes

/// A list of any length as a grid: a window of tiles, one of which is selected.
///
/// It keeps the pages around the window. Of the other pages, it keeps only the cursors where they begin, so a list of a
/// million images needs the memory of a few hundred. `wantedPages` names the missing pages around the window.
package struct ImageGrid: Sendable {
  /// The number of images in a page, which is the unit of requests.
  package static let pageSize = 60
  /// The number of pages to keep before and after the selection, in addition to those of one screen.
  private static let pagesKept = 4

  /// A page to ask for.
  package struct PageRequest: Sendable, Equatable {
    /// The number of the first page, from 0, and the number of pages to read at once.
    package var number: Int
    package var count: Int
    /// The end of the previous page; nil if only the page's number is known.
    package var after: String?

    package init(number: Int, count: Int = 1, after: String? = nil) {
      self.number = number
      self.count = count
      self.after = after
    }
  }

  package enum Move: Sendable, Equatable {
    case left
    case right
    case up
    case down
    case pageUp
    case pageDown
    case home
    case end
    case to(Int)
  }

  package private(set) var selected = 0
  /// The number of images in the list; nil until its end has been read.
  package private(set) var total: Int?
  /// The reason why the list is empty; nil when it is not.
  package private(set) var note: String?
  private(set) var topRow = 0
  package private(set) var layout: TileLayout
  private var pages: [Int: [DisplayedImage]] = [:]
  private var cursors: [Int: String] = [:]

  package init(layout: TileLayout) { self.layout = layout }

  // MARK: Images

  package func image(at index: Int) -> DisplayedImage? {
    guard index >= 0, let page = pages[index / Self.pageSize] else { return nil }
    let offset = index % Self.pageSize
    return offset < page.count ? page[offset] : nil
  }

  package var selectedImage: DisplayedImage? { image(at: selected) }

  /// The number of images in the list, or a lower bound while its end is unknown.
  private var known: Int {
    if let total { return total }
    guard let last = pages.keys.max() else { return 0 }
    return last * Self.pageSize + (pages[last]?.count ?? 0)
  }

  /// The images that the window shows.
  package var visible: Range<Int> {
    let first = topRow * layout.count
    return first..<max(first, min(known, first + layout.countPerScreen))
  }

  /// The images in the order in which to decode their pictures: on the screen, on the next screen, on the previous one.
  package var wantedImages: [DisplayedImage] {
    let (visible, count) = (visible, layout.countPerScreen)
    let next = visible.upperBound..<max(visible.upperBound, min(known, visible.upperBound + count))
    let before = max(0, visible.lowerBound - count)..<visible.lowerBound
    return [Array(visible), Array(next), before.reversed()].joined().compactMap(image)
  }

  /// The missing pages around the window, the most urgent first.
  package var wantedPages: [PageRequest] {
    let screen = layout.countPerScreen
    let first = max(0, topRow * layout.count - screen) / Self.pageSize
    let last = (topRow * layout.count + 2 * screen) / Self.pageSize
    let now = selected / Self.pageSize
    return (first...max(first, last)).filter { pages[$0] == nil && mayExist($0) }
      .sorted { abs($0 - now) < abs($1 - now) }
      .map { PageRequest(number: $0, after: cursors[$0]) }
  }

  private func mayExist(_ page: Int) -> Bool {
    if page == 0 || cursors[page] != nil { return total != 0 || page > 0 }
    return total.map { page * Self.pageSize < $0 } ?? false
  }

  /// The pages to read again when the list has changed, in one request.
  package var pagesToRefresh: PageRequest {
    PageRequest(number: max(0, selected / Self.pageSize - 2), count: 6)
  }

  // MARK: Changes

  /// Takes the result of a request.
  package mutating func take(_ listed: ListedPage, of request: PageRequest) {
    note = listed.images.isEmpty && request.number == 0 ? listed.note : nil
    for start in stride(from: 0, to: max(listed.images.count, 1), by: Self.pageSize) {
      let images = listed.images.dropFirst(start).prefix(Self.pageSize)
      pages[request.number + start / Self.pageSize] = Array(images)
    }
    let end = request.number + request.count
    if let next = listed.next {
      cursors[end] = next
      if let total, total <= end * Self.pageSize { self.total = nil }
    } else if !listed.images.isEmpty || request.number == 0 {
      total = request.number * Self.pageSize + listed.images.count
    }
    settle()
  }

  /// Takes a list that has changed, and keeps the same image selected at its new position.
  package mutating func refresh(_ listed: ListedPage, of request: PageRequest) {
    let image = selectedImage?.id
    let row = selected / layout.count - topRow
    pages = [:]
    cursors = [:]
    total = nil
    // A selection at the start of the list stays at the start, where new images appear.
    let found = selected == 0 ? nil : listed.images.firstIndex { $0.id == image }
    if let found { selected = request.number * Self.pageSize + found }
    take(listed, of: request)
    topRow = selected / layout.count - row
    settle()
  }

  /// Takes the number of images in the list.
  package mutating func take(total: Int) {
    self.total = max(total, known(ofPages: pages))
    settle()
  }

  private func known(ofPages pages: [Int: [DisplayedImage]]) -> Int {
    pages.keys.max().map { $0 * Self.pageSize + (pages[$0]?.count ?? 0) } ?? 0
  }

  package mutating func lay(out layout: TileLayout) {
    self.layout = layout
    settle()
  }

  package mutating func move(_ move: Move) {
    let last = known - 1
    switch move {
    case .left: selected -= 1
    case .right: selected += 1
    case .up: if selected >= layout.count { selected -= layout.count }
    case .down:
      // It moves only from a row above the last one, which may be shorter.
      if selected / layout.count < last / layout.count {
        selected = min(last, selected + layout.count)
      }
    case .pageUp: moveByScreen(-1)
    case .pageDown: moveByScreen(1)
    case .home: selected = 0
    case .end: selected = last
    case .to(let index): selected = index
    }
    settle()
  }

  private mutating func moveByScreen(_ step: Int) {
    selected += step * layout.countPerScreen
    topRow += step * layout.rows
  }

  /// Moves the selection into the list and the window around the selection, and forgets distant pages.
  private mutating func settle() {
    selected = max(0, min(selected, known - 1))
    let row = selected / layout.count
    let lastTop = max(0, (known + layout.count - 1) / layout.count - layout.rows)
    topRow = max(0, min(topRow, lastTop))
    topRow = min(max(topRow, row - layout.rows + 1), row)
    let page = selected / Self.pageSize
    let kept = Self.pagesKept + layout.countPerScreen / Self.pageSize
    pages = pages.filter { abs($0.key - page) <= kept }
  }
}

/// The result of a request for pages.
package struct ListedPage: Sendable, Equatable {
  package var images: [DisplayedImage] = []
  /// The position where the next page begins; nil after the last one.
  package var next: String?
  /// A note on the end of the list, or the reason why the list is empty.
  package var note: String?
  /// Whether the request failed.
  package var hasFailed = false

  package init() {}
}

/// A display that keeps the images that a scene lists.
package final class ListedPageDisplay: ListImagesDisplayLogic {
  package private(set) var listed = ListedPage()

  package init() {}

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    listed.images += viewModel.displayedImages
  }

  package func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel) {}

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    listed.next = viewModel.next
    listed.note = viewModel.note.map(\.commandLine)
  }

  package func displayPinnedImages(viewModel: ListImages.PinImages.ViewModel) {
    listed.note = viewModel.text
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    listed.note = viewModel.message.commandLine
    listed.hasFailed = true
  }
}

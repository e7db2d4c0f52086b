import Models

/// The pages and members of one feed that are still to be asked for, each once, the next one first.
///
/// However the documents name one another, no more wait than may be asked for at all, and their addresses take
/// a bounded memory: those that would come last are left out.
struct DocumentQueue {
  /// Why some were left out; nil while none was.
  private(set) var cut: FeedError?
  private let limit: Int
  /// The next one is the last, so that others come before it without being moved.
  private var waiting: [WebAddress] = []
  /// Bytes of those that wait.
  private var bytes = 0
  /// Those that wait, and those that were asked for.
  private var known: Set<WebAddress>
  private var askedCount = 0

  /// Takes the first document, which is asked for already, and how many others may be.
  init(behind first: WebAddress, limit: Int) {
    known = [first]
    self.limit = limit
  }

  /// Takes the next one, which counts as asked for.
  mutating func next() -> WebAddress? {
    guard let address = waiting.popLast() else { return nil }
    bytes -= address.text.utf8.count
    askedCount += 1
    return address
  }

  /// Adds those that a document names, in its order, before all that wait.
  mutating func insert(_ addresses: [WebAddress]) {
    let news = addresses.filter { known.insert($0).inserted }
    waiting.append(contentsOf: news.reversed())
    bytes += news.reduce(0) { $0 + $1.text.utf8.count }
    leaveOutLast()
  }

  private mutating func leaveOutLast() {
    var count = 0
    while count < waiting.count, isTooMuch(without: count) {
      bytes -= waiting[count].text.utf8.count
      known.remove(waiting[count])
      count += 1
    }
    waiting.removeFirst(count)
  }

  /// Whether more wait than may, the last ones not counted.
  private mutating func isTooMuch(without count: Int) -> Bool {
    if waiting.count - count > limit - askedCount {
      cut = .beyondBound(.documents(limit), stored: 0)
      return true
    }
    guard bytes > SyncLimits.waitingAddressBytes else { return false }
    cut = .beyondLimit(
      of: "the bytes of the addresses of what is to be read next",
      limit: SyncLimits.waitingAddressBytes
    )
    return true
  }
}

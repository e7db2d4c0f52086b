import Models
import Workers

/// Fetches thumbnails, a limited number at a time, until there are no more to request.
///
/// Most thumbnails are a few kilobytes that are only checked. A task for each would take longer than the check, so one
/// task takes the answers as they arrive, and sends the next requests. An answer that takes longer, such as a large
/// thumbnail, gets a separate task.
struct ThumbnailFetching {
  private enum Arrival: Sendable {
    /// Indirect, because a reply has many parts to copy.
    indirect case answer(number: Int, Result<NetworkReply, NetworkError>)
    /// The outcome of an answer whose body has this many bytes.
    case outcome(PictureOutcome, bodyBytes: Int)
    case news
    case endOfNews
  }

  private let fetcher: ThumbnailFetcher
  private let line = ArrivalLine<Arrival>()
  /// The pictures under way, by their numbers; nil for a free number.
  private var pictures: [WantedPicture?]
  private var free: [Int]
  /// The number of pictures that have a separate task.
  private var tasks = 0
  /// Whether more news may arrive.
  private var awaitsNews = false

  init(_ fetcher: ThumbnailFetcher, atOnce limit: Int) {
    self.fetcher = fetcher
    pictures = Array(repeating: nil, count: limit)
    free = Array((0..<limit).reversed())
  }

  /// Fetches the pictures that `next` gives.
  ///
  /// The caller's own task handles the outcomes, one after another, while the rest continues. After a cancellation no
  /// new request begins, and those under way end.
  ///
  /// - Parameters:
  ///   - news: Yields when there may be more pictures to request; nil if that never happens.
  ///   - next: Gives the next picture; nil at the end, until news arrives.
  ///   - renew: Looks for more pictures: with false after news, and with true when no picture is under way.
  ///   - handle: Takes the outcome of one picture.
  mutating func run(
    following news: AsyncStream<Void>? = nil,
    next: () async -> WantedPicture?,
    renew: (_ isIdle: Bool) async -> Void = { _ in },
    handle: (PictureOutcome) async -> Void
  ) async {
    let line = line
    let group = await fetcher.tools.network.group { number, answer in
      line.put(.answer(number: number, answer))
    }
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { tasks in
        if let news { follow(news, &tasks) }
        while true {
          await ask(group, next: next)
          if isIdle {
            if !awaitsNews { return }
            await renew(true)
            await ask(group, next: next)
          }
          for arrival in await line.next() {
            if case .news = arrival { await renew(false) }
            guard let settled = await settle(arrival, &tasks) else { continue }
            await handle(settled.outcome)
            group.took(bytes: settled.bodyBytes)
          }
        }
      }
    } onCancel: {
      group.cancel()
    }
  }

  private var isIdle: Bool { free.count == pictures.count && tasks == 0 }

  private mutating func follow(_ news: AsyncStream<Void>, _ tasks: inout DiscardingTaskGroup) {
    awaitsNews = true
    tasks.addTask { [line] in
      for await _ in news { line.put(.news) }
      line.put(.endOfNews)
    }
  }

  /// Requests as many pictures as there is room for.
  private mutating func ask(
    _ group: any FetchGroup,
    next: () async -> WantedPicture?
  ) async {
    var requests: [NumberedRequest] = []
    while free.count > tasks, !Task.isCancelled, let picture = await next() {
      let number = free.removeLast()
      requests.append(NumberedRequest(number: number, request: fetcher.request(for: picture)))
      pictures[number] = picture
    }
    if !requests.isEmpty { group.ask(requests) }
  }

  /// The outcome of a picture, and the bytes of its answer; nil if a separate task has to work on it.
  private mutating func settle(
    _ arrival: Arrival,
    _ tasks: inout DiscardingTaskGroup
  ) async -> (outcome: PictureOutcome, bodyBytes: Int)? {
    switch arrival {
    case .news: return nil
    case .endOfNews:
      awaitsNews = false
      return nil
    case .outcome(let outcome, let bodyBytes):
      self.tasks -= 1
      return (outcome, bodyBytes)
    case .answer(let number, let answer):
      guard let picture = pictures[number].take() else { return nil }
      free.append(number)
      let bodyBytes = if case .success(let reply) = answer { reply.body.count } else { 0 }
      if let outcome = await fetcher.outcomeAtOnce(of: answer, to: picture) {
        return (outcome, bodyBytes)
      }
      self.tasks += 1
      tasks.addTask { [line, fetcher] in
        let outcome = await fetcher.outcome(of: answer, to: picture)
        line.put(.outcome(outcome, bodyBytes: bodyBytes))
      }
      return nil
    }
  }
}

/// A queue from any thread to one reader, which takes all waiting elements at a time.
final class ArrivalLine<Arrival: Sendable>: Sendable {
  private typealias Reader = CheckedContinuation<[Arrival], Never>

  private struct State: Sendable {
    var arrivals: [Arrival] = []
    /// The reader that waits for the next arrival; nil if no reader waits.
    var reader: Reader?
  }

  private let state = Locked(State())

  func put(_ arrival: Arrival) {
    let reader = state.withLock { state -> Reader? in
      if state.reader == nil { state.arrivals.append(arrival) }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: [arrival])
  }

  /// Takes everything that has arrived since the last call, and waits if there is nothing yet.
  func next() async -> [Arrival] {
    await withCheckedContinuation { reader in
      let arrivals = state.withLock { state in
        if state.arrivals.isEmpty { state.reader = reader }
        defer { state.arrivals = [] }
        return state.arrivals
      }
      if !arrivals.isEmpty { reader.resume(returning: arrivals) }
    }
  }
}

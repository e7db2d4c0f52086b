import Models
import Workers

/// Keeps up to a limit of thumbnails under way until there is nothing more to ask for.
///
/// Most are a few kilobytes that need no more than a look, so that a task for each would take longer than the
/// picture: one task takes the answers as they come, and asks for the next ones. What takes longer, a large
/// one, gets a task of its own.
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
  /// The pictures under way by their numbers; nil for a number that is free.
  private var pictures: [WantedPicture?]
  private var free: [Int]
  /// How many have a task of their own.
  private var tasks = 0
  /// Whether it may be told of more.
  private var awaitsNews = false

  init(_ fetcher: ThumbnailFetcher, atOnce limit: Int) {
    self.fetcher = fetcher
    pictures = Array(repeating: nil, count: limit)
    free = Array((0..<limit).reversed())
  }

  /// Fetches what it is given.
  ///
  /// Outcomes are handled in the caller's own task, one after the other, while the rest goes on. Once the task
  /// is cancelled nothing new begins, and what is under way comes to its end.
  ///
  /// - Parameters:
  ///   - news: Tells that there may be more to ask for, as long as it goes on; nil when nothing does.
  ///   - next: Gives the next picture; nil at the end, until news.
  ///   - renew: Looks for more pictures: after news, and, told so, when none is under way before the next.
  ///   - handle: Takes what came of one.
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

  /// Asks for as many as there is room for.
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

  /// The outcome of a picture, and the bytes of its answer; nil while that takes a task of its own.
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

/// A queue from any thread to one reader, who takes all that is there at a time.
final class ArrivalLine<Arrival: Sendable>: Sendable {
  private typealias Reader = CheckedContinuation<[Arrival], Never>

  private struct State: Sendable {
    var arrivals: [Arrival] = []
    /// The reader that waits for the next arrival; nil while none does.
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

  /// Takes all that has arrived since the last time; waits until that is one at least.
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

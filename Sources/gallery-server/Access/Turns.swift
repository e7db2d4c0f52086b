import Hummingbird
import Models
import NIOCore
import Workers

/// Lets only some pieces of work run at once; the clients that wait take turns.
///
/// So a client with many pieces delays those of another client by only one of its pieces.
final class Turns<Client: Hashable & Sendable>: Sendable {
  fileprivate struct Waiter {
    let number: Int
    /// Resumed with true when it is the waiter's turn, or with false when its task is cancelled.
    let turn: CheckedContinuation<Bool, Never>
  }

  fileprivate struct State {
    var free: Int
    /// The most places of a client beside others.
    let each: Int
    /// The places that clients have.
    var running: [Client: Int] = [:]
    var lastNumber = 0
    /// The clients that wait, in the order of their turns.
    var order: [Client] = []
    var waiting: [Client: [Waiter]] = [:]
  }

  private let state: Locked<State>

  /// - Parameters:
  ///   - count: The maximum number of pieces that run at once.
  ///   - each: The maximum for one client while others have pieces, too; alone, it may use all places.
  init(of count: Int, each: Int = .max) { state = Locked(State(free: count, each: each)) }

  /// Does a piece of work when it is its turn.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that.
  func run<Value>(for client: Client, _ work: () async throws -> Value) async throws -> Value {
    guard await wait(for: client) else { throw CancellationError() }
    defer { pass(client) }
    return try await work()
  }

  /// The number of pieces that wait.
  var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  private func wait(for client: Client) async -> Bool {
    if takesFreePlace(client) { return true }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in join(Waiter(number: number, turn: turn), of: client) }
    } onCancel: {
      giveUp(number, of: client)
    }
  }

  /// Takes a place without a continuation when one is free, as it mostly is.
  private func takesFreePlace(_ client: Client) -> Bool {
    state.withLock { state in !Task.isCancelled && state.take(for: client) }
  }

  private func join(_ waiter: Waiter, of client: Client) {
    let hasTurn = state.withLock { state -> Bool? in
      // A cancellation before this line finds no waiter to end.
      if Task.isCancelled { return false }
      if state.take(for: client) { return true }
      if state.waiting[client] == nil { state.order.append(client) }
      state.waiting[client, default: []].append(waiter)
      return nil
    }
    if let hasTurn { waiter.turn.resume(returning: hasTurn) }
  }

  private func giveUp(_ number: Int, of client: Client) {
    let (waiter, next) = state.withLock { state -> (Waiter?, [Waiter]) in
      guard let index = state.waiting[client]?.firstIndex(where: { $0.number == number }) else {
        return (nil, [])
      }
      let waiter = state.waiting[client]?.remove(at: index)
      if state.waiting[client]?.isEmpty == true {
        state.waiting[client] = nil
        state.order.removeAll { $0 == client }
      }
      // Another client may be alone now.
      return (waiter, state.takeForWaiting())
    }
    waiter?.turn.resume(returning: false)
    for waiter in next { waiter.turn.resume(returning: true) }
  }

  /// Gives the place of a client to those whose turn it is.
  private func pass(_ client: Client) {
    let next = state.withLock { state in
      state.leave(client)
      return state.takeForWaiting()
    }
    for waiter in next { waiter.turn.resume(returning: true) }
  }
}

extension Turns.State {
  /// Whether a client may have another place if one is free.
  private func mayTake(_ client: Client) -> Bool {
    let own = running[client] ?? 0
    if own < each { return true }
    return running.count <= 1 && order.allSatisfy { $0 == client }
  }

  /// Takes a free place for a client; false when it has to wait.
  fileprivate mutating func take(for client: Client) -> Bool {
    guard free > 0, mayTake(client) else { return false }
    free -= 1
    running[client, default: 0] += 1
    return true
  }

  fileprivate mutating func leave(_ client: Client) {
    free += 1
    let rest = (running[client] ?? 1) - 1
    running[client] = rest > 0 ? rest : nil
  }

  /// Takes the free places for clients that wait, by their turns, and returns what waited for them.
  fileprivate mutating func takeForWaiting() -> [Turns<Client>.Waiter] {
    var next: [Turns<Client>.Waiter] = []
    while let index = order.firstIndex(where: mayTake), take(for: order[index]) {
      let client = order.remove(at: index)
      if let waiter = waiting[client]?.removeFirst() { next.append(waiter) }
      if waiting[client]?.isEmpty == true {
        waiting[client] = nil
      } else {
        order.append(client)
      }
    }
    return next
  }
}

/// Lets clients take turns with the requests that read much of the library.
///
/// A client may have many requests at once, so a list of a thousand images on each would delay all others.
struct ReadingTurnsMiddleware: RouterMiddleware {
  let turns: Turns<Client>

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    try await turns.run(for: context.client) { try await next(request, context) }
  }
}

/// The renderings that clients have requested.
struct RenderingQueue: Sendable {
  private let limit = ClientLimit<Client>(each: Limits.renderingsPerClient, all: Limits.renderings)
  let turns: Turns<Client>

  /// - Parameter decoders: The number of decoders.
  init(decoders: Int = System.coreCount) { turns = Turns(of: max(1, decoders)) }

  /// Lets a decoder work for a client when it is the client's turn, unless the client leaves before that.
  func run<Value: Sendable>(
    for context: ServerContext,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let client = context.client
    let share = try limit.take(
      for: client,
      orRefuse: "renderings",
      again: Limits.requestRetrySeconds
    )
    defer { withExtendedLifetime(share) {} }
    context.channel.triggerUserOutboundEvent(context.answer, promise: nil)
    return try await context.answer.whileClientWaits {
      try await turns.run(for: client, work)
    }
  }
}

/// Reads what cameras have written into originals as a rendering of the client that looks at these.
///
/// So a client that looks at many originals that are not known waits for its own turns, and no other client for it.
struct ClientDetails: DetailsDecoding {
  let decoder: any DetailsDecoding
  let queue: RenderingQueue
  let context: ServerContext

  /// - Throws: `cancelled` also when the client has too many renderings, or leaves.
  func details(of picture: PictureSource) async throws(ImagingError) -> PictureDetails {
    let read = try? await queue.run(for: context) {
      [decoder] () -> Result<PictureDetails, ImagingError> in
      do throws(ImagingError) {
        return .success(try await decoder.details(of: picture))
      } catch {
        return .failure(error)
      }
    }
    guard let read else { throw .cancelled }
    return try read.get()
  }
}

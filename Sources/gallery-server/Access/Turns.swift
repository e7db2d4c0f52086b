import Hummingbird
import NIOCore
import Workers

/// Lets only some pieces of work run at once; the clients that wait take turns.
///
/// So a client with many pieces delays those of another client by only one of its pieces.
final class Turns<Client: Hashable & Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    /// Resumed with true when it is the waiter's turn, or with false when its task is cancelled.
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var lastNumber = 0
    /// The clients that wait, in the order of their turns.
    var order: [Client] = []
    var waiting: [Client: [Waiter]] = [:]
  }

  private let state: Locked<State>

  /// - Parameter count: The maximum number of pieces that run at once.
  init(of count: Int) { state = Locked(State(free: count)) }

  /// Does a piece of work when it is its turn.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before that.
  func run<Value>(for client: Client, _ work: () async throws -> Value) async throws -> Value {
    guard await wait(for: client) else { throw CancellationError() }
    defer { pass() }
    return try await work()
  }

  /// The number of pieces that wait.
  var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  private func wait(for client: Client) async -> Bool {
    if takesFreePlace() { return true }
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
  private func takesFreePlace() -> Bool {
    state.withLock { state in
      guard state.free > 0, !Task.isCancelled else { return false }
      state.free -= 1
      return true
    }
  }

  private func join(_ waiter: Waiter, of client: Client) {
    let hasTurn = state.withLock { state -> Bool? in
      // A cancellation before this line finds no waiter to end.
      if Task.isCancelled { return false }
      guard state.free == 0 else {
        state.free -= 1
        return true
      }
      if state.waiting[client] == nil { state.order.append(client) }
      state.waiting[client, default: []].append(waiter)
      return nil
    }
    if let hasTurn { waiter.turn.resume(returning: hasTurn) }
  }

  private func giveUp(_ number: Int, of client: Client) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting[client]?.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let waiter = state.waiting[client]?.remove(at: index)
      if state.waiting[client]?.isEmpty == true {
        state.waiting[client] = nil
        state.order.removeAll { $0 == client }
      }
      return waiter
    }
    waiter?.turn.resume(returning: false)
  }

  /// Gives a place to the client whose turn it is.
  private func pass() {
    let next = state.withLock { state -> Waiter? in
      guard !state.order.isEmpty else {
        state.free += 1
        return nil
      }
      let client = state.order.removeFirst()
      let waiter = state.waiting[client]?.removeFirst()
      if state.waiting[client]?.isEmpty == true {
        state.waiting[client] = nil
      } else {
        state.order.append(client)
      }
      return waiter
    }
    next?.turn.resume(returning: true)
  }
}

/// Lets clients take turns with the requests that read much of the library.
///
/// A client may have many requests at once, so a list of a thousand images on each would delay all others.
struct ReadingTurnsMiddleware: RouterMiddleware {
  private let turns = Turns<Client>(of: Limits.readingsPerCore * max(1, System.coreCount))

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

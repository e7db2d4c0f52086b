import Glibc
import Hummingbird
import NIOCore
import Web
import Workers

/// Limits open connections, of one client and of all.
///
/// A connection counts for its address until it has sent a valid token, and then for the token: a proxy has the
/// connections of many clients. When there are too many without a token, the oldest one of them is closed. So strangers
/// cannot keep out a client that sends its token with its first request.
final class ConnectionLimit: Sendable {
  private struct Connection: Sendable {
    let channel: any Channel
    let address: ClientAddress
    var token: String?
  }

  private struct State {
    var open: [ObjectIdentifier: Connection] = [:]
    /// The connections that have not sent a valid token, the oldest first.
    var strangers: [ClientAddress: [ObjectIdentifier]] = [:]
    var countByToken: [String: Int] = [:]

    /// Removes the oldest connection without a token of the address that has most of them.
    mutating func takeStranger() -> (any Channel)? {
      strangers.max { $0.value.count < $1.value.count }.flatMap { takeStranger(of: $0.key) }
    }

    mutating func takeStranger(of address: ClientAddress) -> (any Channel)? {
      guard let id = strangers[address]?.first else { return nil }
      removeStranger(id, of: address)
      return open[id]?.channel
    }

    mutating func removeStranger(_ id: ObjectIdentifier, of address: ClientAddress) {
      guard let index = strangers[address]?.firstIndex(of: id) else { return }
      strangers[address]?.remove(at: index)
      if strangers[address]?.isEmpty == true { strangers[address] = nil }
    }
  }

  let all: Int
  let perAddress: Int
  let perToken: Int
  private let state = Locked(State())

  /// - Parameter descriptors: The number of files that the process may open. Enough of them stay free for pictures,
  ///   decoders, feeds and the database.
  init(descriptors: Int = OpenFiles.limit) {
    let reserve = min(descriptors / 2, Limits.requests + Limits.otherDescriptors)
    all = min(Limits.connections, descriptors - reserve)
    perAddress = min(Limits.connectionsPerAddress, max(1, all / 4))
    perToken = min(Limits.connectionsPerToken, max(1, all / 2))
  }

  var count: Int { state.withLock { $0.open.count } }

  /// Counts a new connection until it is closed; false when there is no room for it.
  func admit(_ channel: any Channel) -> Bool {
    let (id, address) = (ObjectIdentifier(channel), ClientAddress(channel.remoteAddress))
    let (isAdmitted, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
      let isFull = state.open.count >= all
      let isAddressFull = state.strangers[address, default: []].count >= perAddress
      var oldest: (any Channel)?
      if isFull {
        oldest = state.takeStranger()
      } else if isAddressFull {
        oldest = state.takeStranger(of: address)
      }
      if isFull, oldest == nil { return (false, nil) }
      state.open[id] = Connection(channel: channel, address: address)
      state.strangers[address, default: []].append(id)
      return (true, oldest)
    }
    oldest?.close(promise: nil)
    if isAdmitted { channel.closeFuture.whenComplete { [self] _ in forget(id) } }
    return isAdmitted
  }

  /// Notes that a request on a connection has a valid token.
  ///
  /// - Parameters:
  ///   - token: The name of the token.
  ///   - channel: The connection, or a stream of it (HTTP/2).
  /// - Returns: Whether the token may have this connection.
  func note(_ token: String, on channel: any Channel) -> Bool {
    let ids = [channel, channel.parent].compactMap { $0.map { ObjectIdentifier($0) } }
    return state.withLock { state in
      guard let id = ids.first(where: { state.open[$0] != nil }), let connection = state.open[id],
        connection.token == nil
      else { return true }
      guard state.countByToken[token, default: 0] < perToken else { return false }
      state.countByToken[token, default: 0] += 1
      state.open[id]?.token = token
      state.removeStranger(id, of: connection.address)
      return true
    }
  }

  /// Closes every connection, whatever its client still sends or does not read.
  func closeAll() {
    for connection in state.withLock({ Array($0.open.values) }) {
      connection.channel.close(promise: nil)
    }
  }

  private func forget(_ id: ObjectIdentifier) {
    state.withLock { state in
      guard let connection = state.open.removeValue(forKey: id) else { return }
      state.removeStranger(id, of: connection.address)
      if let token = connection.token {
        let count = state.countByToken[token, default: 0] - 1
        state.countByToken[token] = count > 0 ? count : nil
      }
    }
  }
}

/// The limit of open files of this process (RLIMIT_NOFILE).
enum OpenFiles {
  static var limit: Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit to the maximum for this process.
  ///
  /// Each connection is an open file, and service managers start processes with a limit of 1,024.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}

/// Decides about the new connections of a listening socket.
final class ConnectionGate: ChannelInboundHandler {
  typealias InboundIn = Channel
  typealias InboundOut = Channel

  private let limit: ConnectionLimit

  init(_ limit: ConnectionLimit) { self.limit = limit }

  /// Adds a gate to a socket that listens already.
  static func add(to socket: any Channel, _ limit: ConnectionLimit) async {
    // It fails only when the socket is closed.
    try? await socket.eventLoop.submit {
      try socket.pipeline.syncOperations.addHandler(ConnectionGate(limit), position: .first)
    }.get()
  }

  /// Lets the socket accept more than four connections in a round of its event loop, as it does by default.
  ///
  /// A thousand clients that come at once would wait for seconds while those that have come keep the event loop busy.
  func handlerAdded(context: ChannelHandlerContext) {
    try? context.channel.syncOptions?
      .setOption(.maxMessagesPerRead, value: Limits.acceptedAtOnce)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let connection = unwrapInboundIn(data)
    guard limit.admit(connection) else { return connection.close(promise: nil) }
    context.fireChannelRead(data)
  }

  /// Pauses when the process or the system has no descriptors left.
  ///
  /// The connections that wait in the kernel would otherwise wake the event loop again and again.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let codes = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    if let error = error as? IOError, codes.contains(error.errnoCode) { pause(context.channel) }
    context.fireErrorCaught(error)
  }

  private func pause(_ socket: any Channel) {
    try? socket.syncOptions?.setOption(.autoRead, value: false)
    socket.eventLoop.scheduleTask(in: .seconds(Limits.acceptPauseSeconds)) {
      try? socket.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}

/// Counts a connection for its token, and rejects one too many of a token (429).
struct ConnectionTokenMiddleware: RouterMiddleware {
  let limit: ConnectionLimit

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let token = context.access.name
    guard token.isEmpty || limit.note(token, on: context.channel) else {
      var problem = WebProblem(
        status: 429,
        title: "Too Many Requests",
        detail: "\(limit.perToken) connections of this token are open"
      )
      problem.retryAfter = Limits.connectionRetrySeconds
      throw problem
    }
    return try await next(request, context)
  }
}

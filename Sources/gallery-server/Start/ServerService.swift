import Composition
import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Scenes
import ServiceLifecycle
import Threading
import UnixSignals
import Workers

/// Runs the server at all of its addresses until a signal ends it (SIGTERM, SIGINT).
///
/// Running requests are completed. A running sync stops as with Ctrl-C, and its results so far are stored. For a
/// service, SIGHUP also ends the server, which then restarts with its current settings.
struct ServerService {
  let server: GalleryServer
  let addresses: [ListenAddress]
  /// Sockets that the service manager has opened.
  let sockets: [InheritedSocket]
  /// The files of the certificate and its key; nil for HTTP without TLS.
  let tls: (certificate: String, key: String)?
  /// When feeds are asked.
  let sync: SyncInterval
  let token: String
  let opensBrowser: Bool
  /// Whether the addresses are printed as JSON, one object a line.
  let isJSON: Bool
  /// Whether to omit notes.
  let isQuiet: Bool
  let logger: Logger

  /// - Returns: Whether the server has to start again.
  func run() async throws -> Bool {
    let reload = await ReloadSignal()
    let services: [any Service] =
      try listeners() + [
        SyncSchedule(jobs: server.jobs, sync: sync, hearsHubs: server.subscriber != nil),
        SubscriptionSchedule(server: server),
        WatcherShutdown(watcher: server.following.watcher),
        ConnectionShutdown(connections: server.connections),
      ]
    var configuration = ServiceGroupConfiguration(
      // A service without a name would get a text with all of its values: with the token, and all bytes of the assets.
      services: services.map { .init(service: $0, serviceName: "\(type(of: $0))") },
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    )
    configuration.services.append(
      .init(
        service: reload,
        successTerminationBehavior: .gracefullyShutdownGroup,
        serviceName: "\(ReloadSignal.self)"
      )
    )
    let group = ServiceGroup(configuration: configuration)
    await server.colours.start()
    try await group.run()
    await server.deliveries.close()
    await server.jobs.close()
    await server.colours.close()
    guard reload.isReceived.withLock({ $0 }) else { return false }
    for socket in sockets { socket.keep() }
    return true
  }

  /// A service for each address and each inherited socket.
  private func listeners() throws -> [any Service] {
    let connection = try connection()
    let announcement = Announcement(count: addresses.count + sockets.count) { announce($0) }
    return addresses.map { listener(at: $0, connection, announcement) }
      + sockets.map { listener(at: $0, connection, announcement) }
  }

  private func listener(
    at address: ListenAddress,
    _ connection: some ServerChildChannel,
    _ announcement: Announcement
  ) -> any Service {
    Listener(
      address: address,
      service: connection.server(
        configuration: ServerConfiguration(address: address.bindAddress),
        onServerRunning: { channel in
          await ConnectionGate.add(to: channel, server.connections)
          if case .socket(let path) = address { chmod(path, 0o600) }
          await announcement.add(address, port: channel.localAddress?.port)
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: logger
      )
    )
  }

  private func listener(
    at socket: InheritedSocket,
    _ connection: some ServerChildChannel,
    _ announcement: Announcement
  ) -> any Service {
    InheritedListener(
      socket: socket,
      child: connection,
      connections: server.connections,
      logger: logger
    ) {
      await announcement.add(socket.address, port: nil)
    }
  }

  // MARK: The start

  private func announce(_ bound: [ListenAddress]) {
    let scheme = tls == nil ? "http" : "https"
    let path = server.settings.basePath + "/"
    var first: String?
    for address in bound {
      switch address {
      case .host(_, let port):
        for name in names(of: address, port: port) {
          let text = "\(scheme)://\(name)\(path)?token=\(token)"
          if first == nil { first = text }
          write(text, ["event": "listening", "url": .text(text), "socket": .text(nil)])
        }
      case .socket(let path):
        write(
          "listening at the socket \(path)",
          ["event": "listening", "url": .text(nil), "socket": .text(path)]
        )
      }
      if !address.isLocal, tls == nil, !isQuiet {
        Self.say(
          "\(address) has no TLS: everyone on the way can read the pictures and the token; "
            + "--tls-cert and --tls-key encrypt\n"
        )
      }
    }
    if let origin = server.settings.publicOrigin {
      let text = "\(origin)\(server.settings.publicPath)/?token=\(token)"
      write(text, ["event": "listening", "url": .text(text), "socket": .text(nil)])
    }
    fflush(nil)
    SystemdNotification.send("READY=1")
    if opensBrowser, let first { openBrowser(first) }
  }

  private func write(_ text: String, _ record: Record) {
    print(isJSON ? record.line : text)
  }

  /// Starts the desktop's browser with xdg-open(1), without waiting for it.
  private func openBrowser(_ address: String) {
    do {
      try ChildProcess(["/usr/bin/env", "xdg-open", address], isApart: true).letGo()
    } catch {
      Self.say("cannot open a browser: \(error)\n")
    }
  }

  /// Writes a message that does not belong to a request to standard error.
  static func say(_ text: String) { _ = Glibc.write(STDERR_FILENO, text, text.utf8.count) }

  /// The names that people use for an address; other machines know the server only by its host names.
  private func names(of address: ListenAddress, port: Int) -> [ListenAddress] {
    let hosts = server.settings.hosts
    if address.isLocal || hosts.isEmpty { return [address] }
    return hosts.sorted().map { .host(HostName.withoutBrackets($0), port: port) }
  }
}

/// Serves at one address; its error names the address when it cannot listen there.
private struct Listener: Service {
  let address: ListenAddress
  let service: any Service

  func run() async throws {
    do {
      try await service.run()
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode))
      throw StartProblem("cannot listen at \(address): \(reason); --listen names another address")
    }
  }
}

/// The reason why the server cannot start.
struct StartProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits until the server listens at all of its addresses.
private actor Announcement {
  private let count: Int
  private let whenAll: @Sendable ([ListenAddress]) -> Void
  private var bound: [ListenAddress] = []
  private var running = 0

  init(count: Int, whenAll: @escaping @Sendable ([ListenAddress]) -> Void) {
    self.count = count
    self.whenAll = whenAll
  }

  /// - Parameters:
  ///   - address: The requested address; nil for an inherited socket without a known address.
  ///   - port: The port that the system assigned, when port 0 was requested.
  func add(_ address: ListenAddress?, port: Int?) {
    if case .host(let host, _) = address, let port {
      bound.append(.host(host, port: port))
    } else if let address {
      bound.append(address)
    }
    running += 1
    if running == count { whenAll(bound.sorted { "\($0)" < "\($1)" }) }
  }
}

/// Ends when SIGHUP asks a service to read its settings again.
private struct ReloadSignal: Service {
  let isReceived = Locked(false)
  /// Nil for a program that is no service.
  private let signals: UnixSignalsSequence?

  /// Begins to listen, before the server tells anyone that it runs: until then, the signal would end it.
  init() async {
    signals = SystemdNotification.isService ? await UnixSignalsSequence(trapping: .sighup) : nil
  }

  func run() async throws {
    guard let signals else { return try await gracefulShutdown() }
    for await _ in signals.cancelOnGracefulShutdown() {
      isReceived.withLock { $0 = true }
      return SystemdNotification.sendReloading()
    }
  }
}

/// Asks feeds on a schedule.
///
/// It asks each feed when it is due, like `gallery sync --watch`, or all feeds at the start and after each interval,
/// like `gallery sync`.
private struct SyncSchedule: Service {
  let jobs: SyncJobs
  let sync: SyncInterval
  let hearsHubs: Bool

  func run() async throws {
    if sync.isLearned { await jobs.startWatch(hearsHubs: hearsHubs) }
    guard !sync.isLearned, let interval = sync.duration else {
      try? await gracefulShutdown()
      return await jobs.close()
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await jobs.startScheduled()
        try? await Task.sleep(for: interval)
      }
    }
    await jobs.close()
  }
}

/// Subscribes to feeds at their hubs while hubs reach the server.
///
/// Otherwise it forgets the subscriptions of an earlier run that hubs could reach.
private struct SubscriptionSchedule: Service {
  let server: GalleryServer

  func run() async throws {
    guard let subscriber = server.subscriber else {
      await server.root.forgetSubscriptions()
      return try await gracefulShutdown()
    }
    await cancelWhenGracefulShutdown { await subscriber.run() }
  }
}

/// Closes the connections that are still open some time after the server has begun to shut down.
///
/// Otherwise a client that reads nothing, or that sends its header byte by byte, would keep the server from ending.
private struct ConnectionShutdown: Service {
  let connections: ConnectionLimit

  func run() async throws {
    try? await gracefulShutdown()
    // Not waited for: the listeners shut down one after another, each after the end of its connections.
    Task {
      for seconds in sequence(first: Limits.endingSeconds, next: { _ in 1 }) {
        try await Task.sleep(for: .seconds(seconds))
        connections.closeAll()
      }
    }
  }
}

/// Ends the requests that wait for changes when the server shuts down.
private struct WatcherShutdown: Service {
  let watcher: ChangeWatcher

  func run() async throws {
    try? await gracefulShutdown()
    await watcher.close()
  }
}

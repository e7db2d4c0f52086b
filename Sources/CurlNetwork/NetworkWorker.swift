import FoundationEssentials
package import Logging
package import Models
import Threading
package import Workers

/// Fetches documents and pictures with libcurl, and reads `file:` addresses and pipes itself.
package final class NetworkWorker: Networking {
  private let inbox: LoopInbox
  private let thread: JoinableThread
  private let pipes: [WebAddress: Int32]

  /// Starts the worker's thread.
  ///
  /// - Parameters:
  ///   - userAgent: The name of the program that servers see.
  ///   - limits: How many transfers run at once.
  ///   - timeouts: How long a transfer may take.
  ///   - certificateFile: The certificate authorities to trust, in PEM; nil for the file in `$SSL_CERT_FILE`, or else
  ///     for those of the system.
  ///   - extraCertificates: More certificate authorities to trust, in PEM.
  ///   - feedAuthorities: More certificate authorities to trust for some feeds.
  ///   - netrcFile: The file with logins of hosts (netrc(5)); nil for no logins.
  ///   - originFields: Request fields of the user for some origins.
  ///   - rates: The limits on speed for all transfers together, and on requests to each host.
  ///   - hostRates: The same limits for the hosts of some addresses.
  ///   - retries: How often and how soon a transfer is retried after a temporary failure.
  ///   - pipes: The descriptors from which to read the documents of these addresses.
  ///   - pauses: The store of the pauses that hosts asked for; nil to keep them in memory only.
  ///   - environment: The variables that may name proxies (libcurl-env(3)).
  ///   - classify: Classifies the address of each connection.
  ///   - stopwatch: Adds up the time that transfers take; nil to measure nothing.
  ///   - logger: Receives each transfer, retry and pause, at level debug.
  package init(
    userAgent: String,
    limits: ConnectionLimits = ConnectionLimits(),
    timeouts: NetworkTimeouts = NetworkTimeouts(),
    certificateFile: String? = nil,
    extraCertificates: [UInt8] = [],
    feedAuthorities: [FeedAuthorities] = [],
    netrcFile: String? = nil,
    originFields: [OriginFields] = [],
    rates: TransferRates = TransferRates(),
    hostRates: [(address: WebAddress, rates: TransferRates)] = [],
    retries: RetryPolicy = RetryPolicy(),
    pipes: [WebAddress: Int32] = [:],
    pauses: (any HostPausing)? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    classify: @escaping @Sendable (IPAddress) -> AddressClass = { AddressClass($0) },
    stopwatch: Stopwatch? = nil,
    logger: Logger? = nil
  ) {
    // It starts libcurl, which knows the file of the system's certificates.
    let inbox = LoopInbox(multi: MultiHandle(limits: limits))
    let source = CertificateSource(file: certificateFile)
    let setup = TransferSetup(
      userAgent: userAgent,
      timeouts: timeouts,
      certificates: source,
      authorities: ExtraAuthorities(extraCertificates, feeds: feedAuthorities, beside: source),
      netrc: NetrcFile(path: netrcFile),
      originFields: originFields,
      rules: ReachRules(proxies: ProxySettings(environment: environment), classify: classify)
    )
    self.inbox = inbox
    self.pipes = pipes
    let hostPaces = Dictionary(hostRates.map { ($0.address.hostKey, $0.rates) }) { $1 }
    thread = JoinableThread {
      let hosts = HostRegistry(
        policy: retries,
        store: pauses,
        logger: logger,
        stopwatch: stopwatch,
        pace: Pace(rates, hosts: hostPaces)
      )
      CurlLoop(inbox: inbox, setup: setup, limits: limits, hosts: hosts, logger: logger).run()
    }
  }

  deinit { shutDown() }

  /// Cancels all transfers and ends the thread; later calls are cancelled immediately.
  package func shutDown() {
    inbox.send(.stop)
    thread.join()
  }

  package func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse {
    if request.address.isFile { return try FileReader(request).response() }
    if request.address.isPiped {
      if let pipe = pipes[request.address] { return PipeBody(pipe, for: request).response }
      throw request.failure(.refused, "there is no pipe to read it from")
    }
    let buffer = BodyBuffer(for: request)
    let body = StreamedBody(id: inbox.makeID(), buffer: buffer, inbox: inbox)
    let header = try await perform(request, id: body.id) { continuation in
      .stream(header: continuation, buffer: buffer)
    }
    return NetworkResponse(header: header, body: body)
  }

  package func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply {
    if request.address.isFile { return try FileReader(request).reply() }
    return try await perform(request, id: inbox.makeID()) { .reply($0) }
  }

  package func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup {
    TransferGroup(inbox: inbox, answer: answer)
  }

  /// Posts a transfer and waits for the first answer to its receiver.
  ///
  /// The loop ignores a cancellation that arrives before `.start`, so the task is checked again after posting. A second
  /// cancellation does no harm.
  private func perform<Answer: Sendable>(
    _ request: NetworkRequest,
    id: TransferID,
    receiver: (Answering<Answer>) -> TransferReceiver
  ) async throws(NetworkError) -> Answer {
    if Task.isCancelled { throw .cancelled(request.address) }
    let inbox = self.inbox
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let receiver = receiver(continuation)
        let posted = PostedTransfer(id: id, request: request, receiver: receiver)
        if !inbox.send(.start(posted)) { receiver.fail(.cancelled(request.address)) }
        if Task.isCancelled { inbox.send(.cancel(id)) }
      }
    } onCancel: {
      inbox.send(.cancel(id))
    }
    return try result.get()
  }
}

extension NetworkRequest {
  func failure(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: address, message: message)
  }
}

extension NetworkError {
  /// The error of a transfer that its caller cancelled.
  static func cancelled(_ address: WebAddress) -> NetworkError {
    NetworkError(reason: .cancelled, address: address, message: "cancelled")
  }
}

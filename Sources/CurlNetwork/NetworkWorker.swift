import Foundation
package import Logging
package import Models
package import Workers

/// Asks servers for documents and pictures with libcurl, and reads `file:` addresses from disk.
package final class NetworkWorker: Networking {
  private let inbox: LoopInbox
  private let thread: LoopThread
  private let pipes: [WebAddress: Int32]

  /// Starts the worker's thread.
  ///
  /// - Parameters:
  ///   - userAgent: names the program to servers.
  ///   - limits: how much is asked at once.
  ///   - timeouts: how long a transfer may take.
  ///   - certificateFile: the certificate authorities to trust, in PEM; nil takes the file that
  ///     `$SSL_CERT_FILE` names, else those of the system.
  ///   - netrcFile: the file with logins of hosts (netrc(5)); nil when there is none.
  ///   - retries: how often and how soon what failed for a while is tried again.
  ///   - pipes: the descriptors to read the documents of these addresses from.
  ///   - pauses: remembers which hosts have asked for a pause; nil when nothing does.
  ///   - environment: where the user's proxies are set up (libcurl-env(3)).
  ///   - classify: tells what kind of place an address leads to.
  ///   - stopwatch: sums up what transfers take; nil when nobody wants to know.
  ///   - logger: is told about every transfer, retry and pause, at level debug.
  package init(
    userAgent: String,
    limits: ConnectionLimits = ConnectionLimits(),
    timeouts: NetworkTimeouts = NetworkTimeouts(),
    certificateFile: String? = nil,
    netrcFile: String? = nil,
    retries: RetryPolicy = RetryPolicy(),
    pipes: [WebAddress: Int32] = [:],
    pauses: (any HostPausing)? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    classify: @escaping @Sendable (IPAddress) -> AddressClass = { AddressClass($0) },
    stopwatch: Stopwatch? = nil,
    logger: Logger? = nil
  ) {
    let setup = TransferSetup(
      userAgent: userAgent,
      timeouts: timeouts,
      certificates: CertificateSource(file: certificateFile),
      netrc: NetrcFile(path: netrcFile),
      rules: ReachRules(proxies: ProxySettings(environment: environment), classify: classify)
    )
    let inbox = LoopInbox(multi: MultiHandle(limits: limits))
    self.inbox = inbox
    self.pipes = pipes
    thread = LoopThread {
      let hosts = HostBook(policy: retries, store: pauses, logger: logger, stopwatch: stopwatch)
      CurlLoop(inbox: inbox, setup: setup, limits: limits, hosts: hosts, logger: logger).run()
    }
  }

  deinit { shutDown() }

  /// Ends every transfer as cancelled and the thread with them; later calls are cancelled at once.
  package func shutDown() {
    inbox.send(.stop)
    thread.join()
  }

  package func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse {
    if request.address.isOnDisk { return try FileReader(request).response() }
    if request.address.isPiped {
      if let pipe = pipes[request.address] { return PipeBody(pipe, for: request).response }
      let message = "there is no pipe to read it from"
      throw NetworkError(reason: .refused, address: request.address, message: message)
    }
    let buffer = BodyBuffer(for: request)
    let body = StreamedBody(id: inbox.makeID(), buffer: buffer, inbox: inbox)
    let header = try await perform(request, id: body.id) { continuation in
      .stream(header: continuation, buffer: buffer)
    }
    return NetworkResponse(header: header, body: body)
  }

  package func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply {
    if request.address.isOnDisk { return try FileReader(request).reply() }
    return try await perform(request, id: inbox.makeID()) { .reply($0) }
  }

  package func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup {
    TransferGroup(inbox: inbox, answer: answer)
  }

  /// Posts the transfer and waits for what its receiver is given first.
  ///
  /// A cancellation that comes before `.start` is posted would pass the loop by, hence the second
  /// look after posting; a cancellation that reaches the loop twice does no harm.
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
        let order = TransferOrder(id: id, request: request, receiver: receiver)
        if !inbox.send(.start(order)) { receiver.fail(.cancelled(request.address)) }
        if Task.isCancelled { inbox.send(.cancel(id)) }
      }
    } onCancel: {
      inbox.send(.cancel(id))
    }
    return try result.get()
  }
}

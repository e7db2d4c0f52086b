import Models
import TestSupport
import Workers

/// A network that replies by address, and records its requests.
///
/// An address without a reply gets a picture.
final class FakeNetwork: Networking {
  private struct State: Sendable {
    var requests: [NetworkRequest] = []
    var waiting = 0
    var mostWaiting = 0
  }

  /// Counts the complete replies.
  let answers = Tally()
  /// Counts the bodies that were not read to the end.
  let letGo = Tally()
  private let replies: [WebAddress: [FakeReply]]
  private let state = Locked(State())

  init(_ replies: [WebAddress: FakeReply] = [:]) {
    self.replies = replies.mapValues { [$0] + $0.later }
  }

  /// Answers the first request for an address with its first reply, and so on; repeats the last reply.
  init(inTurn replies: [WebAddress: [FakeReply]]) { self.replies = replies }

  var requests: [NetworkRequest] { state.withLock { $0.requests } }
  /// The requested addresses, in order.
  var addresses: [WebAddress] { requests.map(\.address) }
  /// The largest number of requests that waited for their header at the same time.
  var mostWaiting: Int { state.withLock { $0.mostWaiting } }

  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse {
    let turn = begin(request)
    defer { state.withLock { $0.waiting -= 1 } }
    let any = reply(to: request.address, turn: turn)
    let reply = request.referer.flatMap { any.withReferers[$0] } ?? any
    await reply.gate?.passed()
    if Task.isCancelled { throw NetworkError(.cancelled, at: request.address) }
    if let reason = reply.refusal { throw NetworkError(reason, at: request.address) }
    let header = NetworkHeader(reply, to: request)
    let body = FakeBody(reply, address: request.address, letGo: letGo)
    return NetworkResponse(header: header, body: body)
  }

  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply {
    let response = try await open(request)
    var bytes: [UInt8] = []
    while let chunk = try await response.body.next() { bytes += chunk }
    guard bytes.count <= request.byteLimit else {
      throw NetworkError(.tooLarge(limit: request.byteLimit), at: request.address)
    }
    defer { answers.add() }
    return NetworkReply(header: response.header, body: bytes, wireBytes: response.body.wireBytes)
  }

  func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup {
    FakeFetchGroup(network: self, answer: answer)
  }

  private func reply(to address: WebAddress, turn: Int) -> FakeReply {
    let replies = replies[address] ?? []
    return replies.dropFirst(turn).first ?? replies.last ?? .picture(PictureBytes.jpeg)
  }

  /// Records a request, and returns the number of earlier requests for the same address.
  private func begin(_ request: NetworkRequest) -> Int {
    state.withLock { state in
      defer { state.requests.append(request) }
      state.waiting += 1
      state.mostWaiting = max(state.mostWaiting, state.waiting)
      return state.requests.count { $0.address == request.address }
    }
  }
}

extension NetworkHeader {
  fileprivate init(_ reply: FakeReply, to request: NetworkRequest) {
    self.init(
      status: reply.status,
      address: reply.address ?? request.address,
      validators: reply.validators,
      mediaType: reply.mediaType,
      charset: reply.charset,
      contentLength: reply.contentLength,
      nextPage: reply.nextPage,
      contentRange: reply.contentRange,
      isEncoded: reply.isEncoded,
      freshSeconds: reply.freshSeconds,
      date: reply.date,
      modified: reply.modified,
      permanentAddress: reply.permanentAddress,
      retryAfter: reply.retryAfter,
      firstPeer: reply.firstPeer
    )
  }
}

/// The body of a fake reply, chunk by chunk.
final class FakeBody: NetworkBody {
  private let reply: FakeReply
  private let address: WebAddress
  private let letGo: Tally
  private let delivered = Locked(0)

  init(_ reply: FakeReply, address: WebAddress, letGo: Tally) {
    self.reply = reply
    self.address = address
    self.letGo = letGo
  }

  deinit {
    if delivered.withLock({ $0 }) < reply.chunks.count { letGo.add() }
  }

  func next() async throws(NetworkError) -> [UInt8]? {
    if delivered.withLock({ $0 }) == reply.chunks.count { await reply.endGate?.passed() }
    if Task.isCancelled { throw NetworkError(.cancelled, at: address) }
    let chunk = delivered.withLock { delivered -> [UInt8]? in
      guard delivered < reply.chunks.count else { return nil }
      delivered += 1
      return reply.chunks[delivered - 1]
    }
    if chunk == nil, let reason = reply.breakage { throw NetworkError(reason, at: address) }
    return chunk
  }

  var hasNext: Bool {
    delivered.withLock { $0 } < reply.chunks.count || reply.endGate == nil
  }

  var wireBytes: Int {
    let chunks = reply.chunks.prefix(delivered.withLock { $0 })
    return chunks.reduce(FakeReply.headerBytes) { $0 + $1.count }
  }
}

/// Sends each of its requests in a separate task.
final class FakeFetchGroup: FetchGroup {
  private let network: FakeNetwork
  private let answer: FetchAnswer
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(network: FakeNetwork, answer: @escaping FetchAnswer) {
    self.network = network
    self.answer = answer
  }

  func ask(_ requests: [NumberedRequest]) {
    for numbered in requests {
      let task = Task { [network, answer] in
        do throws(NetworkError) {
          answer(numbered.number, .success(try await network.fetch(numbered.request)))
        } catch {
          answer(numbered.number, .failure(error))
        }
      }
      tasks.withLock { $0.append(task) }
    }
  }

  func took(bytes: Int) {}

  func cancel() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}

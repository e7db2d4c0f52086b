package import FoundationEssentials

/// Takes the answer to a request of a group, with its number.
package typealias FetchAnswer = @Sendable (Int, Result<NetworkReply, NetworkError>) -> Void

/// Asks servers for documents and pictures.
///
/// Cancelling the calling task ends the transfer at any stage; the call then throws
/// `NetworkError.Reason.cancelled`.
package protocol Networking: Sendable {
  /// Makes a request, and returns when the header of the final response has arrived; its body follows.
  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse

  /// Makes a request, and returns when the whole body has arrived: for small bodies.
  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply

  /// A group of requests that are answered as by `fetch`.
  ///
  /// - Parameter answer: Is called on a thread of the network's, and may not keep it waiting.
  /// - Returns: The group; nothing has been asked yet.
  func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup
}

/// A response whose body is still arriving.
package struct NetworkResponse: Sendable {
  package var header: NetworkHeader
  package var body: any NetworkBody

  package init(header: NetworkHeader, body: any NetworkBody) {
    self.header = header
    self.body = body
  }
}

/// A response with its whole body.
package struct NetworkReply: Sendable, Equatable {
  package var header: NetworkHeader
  package var body: [UInt8]
  /// Bytes that came over the wire for it: header and body as sent.
  package var wireBytes: Int

  package init(header: NetworkHeader, body: [UInt8], wireBytes: Int) {
    self.header = header
    self.body = body
    self.wireBytes = wireBytes
  }
}

/// A body as it arrives, for one reader.
///
/// A slow reader pauses the transfer, so that the body does not fill the memory. Releasing the body
/// before its end cancels the transfer.
package protocol NetworkBody: AnyObject, Sendable {
  /// The next bytes; nil once the whole body has been read.
  func next() async throws(NetworkError) -> [UInt8]?

  /// Whether the next bytes, or the end, have arrived, so that `next` does not wait.
  var hasNext: Bool { get }

  /// Bytes that came over the wire so far: headers, and bodies as sent.
  var wireBytes: Int { get }
}

extension NetworkBody {
  /// Reads a body that is not needed to its end, so that all of its bytes are counted.
  ///
  /// - Returns: The bytes that came over the wire.
  /// - Throws: when the transfer fails before its end.
  package func drain() async throws(Failure) -> Int {
    do {
      while try await next() != nil {}
      return wireBytes
    } catch {
      throw .network(error)
    }
  }
}

/// Many requests at once, each with a number that the caller gives it.
///
/// It is for many small bodies, for none of which a caller waits separately.
package protocol FetchGroup: Sendable {
  /// Makes requests, any number of them; each is answered once, even when the group is cancelled.
  func ask(_ requests: [NumberedRequest])

  /// Says that the caller has taken bodies.
  ///
  /// Bodies that were not taken are held in memory; when they are too many, no more requests begin.
  ///
  /// - Parameter bytes: The length of all of these bodies.
  func took(bytes: Int)

  /// Cancels the requests that are under way, and all later ones.
  func cancel()
}

/// A request of a `FetchGroup`, with the number of its answer.
package struct NumberedRequest: Sendable {
  package var number: Int
  package var request: NetworkRequest

  package init(number: Int, request: NetworkRequest) {
    self.number = number
    self.request = request
  }
}

/// Remembers which hosts have asked for a pause, for every process that uses the library.
///
/// The network calls it on a thread of its own, and waits for the answer.
package protocol HostPausing: Sendable {
  /// Until when a host, named with its port where it has one, is not to be asked; nil when it may be.
  func pause(of host: String) throws(StoreError) -> Date?

  /// Notes that a host is not to be asked before a date; a later date that is noted already stays.
  func notePause(of host: String, until date: Date) throws(StoreError)

  /// Notes that a host does not answer, so that other machines do not ask it before a date.
  func noteSilence(of host: String, until date: Date) throws(StoreError)
}

extension HostPausing {
  /// A store of one machine notes nothing: its network may be back at once.
  package func noteSilence(of host: String, until date: Date) throws(StoreError) {}
}

package import FoundationEssentials

/// Takes the numbered result of a request in a group.
package typealias FetchAnswer = @Sendable (Int, Result<NetworkReply, NetworkError>) -> Void

/// Requests documents and pictures from servers.
///
/// Cancelling the calling task ends the transfer at any stage; the call then throws `NetworkError.Reason.cancelled`.
package protocol Networking: Sendable {
  /// Makes a request, and returns when the header of the final response has arrived; the body follows.
  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse

  /// Makes a request, and returns when the whole body has arrived; it is for small bodies.
  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply

  /// Makes a group of requests, each of which is answered like `fetch`.
  ///
  /// - Parameter answer: Is called on a thread of the network, and must not block it.
  /// - Returns: The group, which has not made any request yet.
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
  /// The bytes that were transferred for it: header and body as sent.
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

  /// The bytes that were transferred so far: headers, and bodies as sent.
  var wireBytes: Int { get }
}

extension NetworkBody {
  /// Reads an unneeded body to its end, so that all of its bytes are counted.
  ///
  /// - Returns: The bytes that were transferred.
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

/// Many concurrent requests, each with a number that the caller gives it.
///
/// It is for many small bodies that the caller does not await one by one.
package protocol FetchGroup: Sendable {
  /// Adds any number of requests; each is answered once, even if the group is cancelled.
  func ask(_ requests: [NumberedRequest])

  /// Reports that the caller has processed bodies.
  ///
  /// Unprocessed bodies are held in memory. If they are too many, the group does not start more requests.
  ///
  /// - Parameter bytes: The length of all of these bodies.
  func took(bytes: Int)

  /// Cancels the running requests, and all later ones.
  func cancel()
}

/// A request of a `FetchGroup`, with a number that identifies its answer.
package struct NumberedRequest: Sendable {
  package var number: Int
  package var request: NetworkRequest

  package init(number: Int, request: NetworkRequest) {
    self.number = number
    self.request = request
  }
}

/// Stores which hosts have asked for a pause, for every process that uses the library.
///
/// The network calls it on a separate thread, and waits for the result.
package protocol HostPausing: Sendable {
  /// The date until which a host must not be asked; nil if it may be asked now.
  func pause(of host: String) throws(StoreError) -> Date?

  /// Records that a host must not be asked before a date, unless a later date is recorded already.
  func notePause(of host: String, until date: Date) throws(StoreError)

  /// Records that a host does not answer, so that other machines do not ask it before a date.
  func noteSilence(of host: String, until date: Date) throws(StoreError)
}

extension HostPausing {
  /// Does nothing in a store of one machine, whose network may be back at any moment.
  package func noteSilence(of host: String, until date: Date) throws(StoreError) {}
}

import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Web
import Workers

/// The facts that routes need about a request, in addition to the request itself.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The rights of the request; it has no rights before `AccessMiddleware` sets them.
  var access = Access(name: "", isAdmin: false)
  /// The address of the client, or what a trusted proxy says of it.
  var clientAddress: ClientAddress
  /// How the client reaches the server.
  var reach = Reach()
  /// The token in a path such as `/iiif/~TOKEN/…`.
  var pathToken: String?
  /// The token in the addresses of the answer, for a request that has its token in its address.
  var feedToken: String?
  /// The hash of the token in the request's address; nil for a token of a feed, which the answer repeats.
  var addressParent: String?
  /// The connection.
  let channel: any Channel
  /// The event loop of the connection.
  var eventLoop: any EventLoop
  /// The answer to the request.
  let answer = OpenAnswer()

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    eventLoop = source.channel.eventLoop
    clientAddress = ClientAddress(source.channel.remoteAddress)
  }

  var client: Client { Client(token: access.name, address: clientAddress) }

  /// A path or address of this server, with the token of the request's address.
  func carrying(_ address: String) -> String {
    guard let feedToken else { return address }
    return
      "\(address)\(address.contains("?") ? "&" : "?")\(AccessMiddleware.feedParameter)=\(feedToken)"
  }

  /// Whether the token is that in the addresses of a list, which opens pictures alone, also where the list has all
  /// images.
  private var isOfList: Bool { feedToken != nil && addressParent == nil }

  /// Whether the request may learn facts about all feeds and the server.
  var seesWholeLibrary: Bool { access.part.isWhole && !isOfList }

  /// Rejects the token of a list; used for answers that tell facts about feeds.
  func requireOwnToken() throws(WebProblem) {
    if isOfList { throw .forbidden("the token opens the pictures of a list") }
  }

  /// Rejects a token that is limited to a part of the library; used for answers about the whole library.
  func requireWholeLibrary() throws(WebProblem) {
    guard seesWholeLibrary else {
      throw .forbidden("the token is limited to a part of the library")
    }
  }

  /// Rejects a request that may not change the library.
  func requireAdmin() throws(WebProblem) {
    guard access.isAdmin else {
      throw .forbidden("the token may read the library, but not change it")
    }
  }
}

extension Channel {
  /// Whether it is a stream of HTTP/2, whose parent is a connection.
  ///
  /// The parent of a connection is a listening socket.
  var isStream: Bool { parent?.parent != nil }
}

extension WebProblem {
  static func forbidden(_ detail: String) -> WebProblem {
    WebProblem(status: 403, title: "Forbidden", detail: detail)
  }
}

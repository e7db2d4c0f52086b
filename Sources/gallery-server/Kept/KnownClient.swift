import FoundationEssentials
import NIOCore

/// What a connection shows about its client; the streams of a connection (HTTP/2) share it.
///
/// It is a handler only so that streams find it in the pipeline of their connection.
final class KnownClient: ChannelOutboundHandler {
  typealias OutboundIn = Never

  /// The last credentials with which the routes have given out a picture, and the rights that these give.
  private var accepted: (credentials: KeptQuestion.Credentials, standing: Standing)?
  /// The last host of a request that is a name of this server.
  private var knownHost: String?

  /// Whether a host is one of this server, as `HostMiddleware` decides.
  func names(_ host: String, _ hosts: HostMiddleware) -> Bool {
    if host == knownHost { return true }
    guard hosts.isKnown(host) else { return false }
    knownHost = host
    return true
  }

  /// The rights of a request that the routes would accept; nil when they have to look.
  func standing(of question: KeptQuestion, now: Date) -> Standing? {
    guard let accepted, accepted.credentials == question.credentials,
      accepted.standing.lasts(until: now)
    else { return nil }
    return accepted.standing
  }

  /// Notes that the routes have given out a picture.
  func accept(_ question: KeptQuestion, by access: AccessMiddleware) {
    let now = Date()
    if standing(of: question, now: now) != nil { return }
    accepted = access.standing(of: question.head, now: now).map { (question.credentials, $0) }
  }

  /// The rights of a client that shows the server's own token, or a session of it, before the routes have seen it; nil
  /// for any other client.
  func introduce(
    _ question: KeptQuestion,
    to server: GalleryServer,
    on channel: any Channel,
    now: Date
  ) -> Standing? {
    guard names(question.credentials.host, server.hosts),
      let standing = server.access.standing(of: question.head, now: now, isStranger: true),
      server.connections.note(standing.name, on: channel)
    else { return nil }
    accepted = (question.credentials, standing)
    return standing
  }
}

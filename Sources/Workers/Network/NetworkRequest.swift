package import Models

/// A request to a server, with limits for the response.
package struct NetworkRequest: Sendable, Equatable {
  package var address: WebAddress
  /// The addresses to which it may connect.
  package var reach: NetworkReach
  /// The validators of the stored response (RFC 9110, section 13); empty for an unconditional request.
  package var validators: Validators
  /// The `Accept` field (RFC 9110, section 12.5.1).
  package var accept: String
  /// Whether the body may be sent compressed (RFC 9110, section 12.5.3); it is delivered decompressed.
  package var acceptsCompression: Bool
  /// The most bytes of the body, after decompression; a larger body fails the transfer.
  package var byteLimit: Int
  /// The folder that must contain the files of `file:` addresses, once links are resolved.
  ///
  /// Nil refuses `file:` addresses.
  package var fileFolder: String?
  /// The part of the body to request; nil for all of it.
  package var range: NetworkRange?
  /// The number of earlier attempts for the same document that were cut off; this one waits accordingly.
  package var attempt: Int
  /// The time limit for the whole response; nil for the network's own limit.
  package var timeLimit: Duration?
  /// The feed of the request; no single feed may use all connections to a host.
  package var feedKey: Int
  /// Whether the request precedes others for its host, because its response leads to more requests.
  package var comesFirst: Bool
  /// The body that it sends; nil for a GET, which has none.
  package var content: NetworkContent?
  /// Whether the user wants it although its host has asked for a pause; a normal response then ends the pause.
  package var ignoresPause = false
  /// Whether a person waits for the first answer: then a failure before it is final, and an error of the server, too.
  ///
  /// It is repeated all the same when the server asks for patience (429 and 503).
  package var isAwaited = false
  /// Hears of the pauses before further attempts; nil if nothing shows them.
  package var waits: NetworkWaits?
  /// The address of the feed to which the response belongs; nil for a request of no feed.
  ///
  /// The login in that address is also sent to other addresses of its scheme, host and port (RFC 7617, section 2.2). A
  /// request over http for a feed with https has no login.
  package var feed: WebAddress?
  /// The page that shows the requested picture; nil for other requests.
  ///
  /// If the server refuses a picture with 403, the request is repeated with the origins of the picture and of this page
  /// as the `Referer` field.
  package var page: WebAddress?
  /// The `Referer` field to begin with; nil to begin without one, or with the one that the host has accepted.
  package var referer: PictureReferer?
  /// The reader's language (RFC 5646) for the `Accept-Language` field; nil to send none.
  package var language: String?
  /// Whether a compressed body is delivered decompressed; false asks for a body without compression, and delivers it as
  /// it comes.
  package var decompresses = true

  package init(
    address: WebAddress,
    reach: NetworkReach,
    validators: Validators = Validators(),
    accept: String = "*/*",
    acceptsCompression: Bool = false,
    byteLimit: Int,
    fileFolder: String? = nil,
    range: NetworkRange? = nil,
    attempt: Int = 0,
    timeLimit: Duration? = nil,
    feedKey: Int = 0,
    comesFirst: Bool = false,
    content: NetworkContent? = nil
  ) {
    self.address = address
    self.reach = reach
    self.validators = validators
    self.accept = accept
    self.acceptsCompression = acceptsCompression
    self.byteLimit = byteLimit
    self.fileFolder = fileFolder
    self.range = range
    self.attempt = attempt
    self.timeLimit = timeLimit
    self.feedKey = feedKey
    self.comesFirst = comesFirst
    self.content = content
  }
}

/// Hears why a request is made again, and when.
package final class NetworkWaits: Sendable, Equatable {
  /// A pause before another attempt.
  package struct Wait: Sendable, Equatable {
    /// The status of the last answer; nil if there was none.
    package var status: Int?
    /// The cause of the last failure; nil if there was an answer, or no known cause.
    package var cause: NetworkError.Cause?
    package var delay: Duration
    /// The number of the next attempt after the first one, from 1, and the most of them.
    package var retry: Int
    package var retries: Int

    package init(
      status: Int?,
      cause: NetworkError.Cause?,
      delay: Duration,
      retry: Int,
      retries: Int
    ) {
      self.status = status
      self.cause = cause
      self.delay = delay
      self.retry = retry
      self.retries = retries
    }
  }

  /// Takes a pause when it begins, and nil when it ends.
  package let note: @Sendable (Wait?) -> Void

  /// `note` is called on a thread of the network, and must not block it.
  package init(_ note: @escaping @Sendable (Wait?) -> Void) { self.note = note }

  package static func == (one: NetworkWaits, other: NetworkWaits) -> Bool { one === other }
}

/// The body of a request, with the method that it needs (RFC 9110, section 9.3).
///
/// It is sent without the user's logins, cookies and request fields. A POST follows redirects that keep the method
/// (307, 308), but never from https to http. A PUT or DELETE does not follow redirects, since its fields may contain a
/// signature.
package struct NetworkContent: Sendable, Equatable {
  package enum Method: String, Sendable {
    case delete = "DELETE"
    case post = "POST"
    case put = "PUT"

    /// Whether a request that the server may have received can be repeated (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
      switch self {
      case .delete, .put: true
      case .post: false
      }
    }
  }

  package enum Body: Sendable, Equatable {
    case bytes([UInt8])
    /// A file that is read while it is sent; it must not change until then.
    case file(path: String)
  }

  /// A field of the request (RFC 9110, section 5).
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var method: Method
  package var fields: [Field]
  package var body: Body

  package init(_ method: Method, fields: [Field] = [], body: Body = .bytes([])) {
    self.method = method
    self.fields = fields
    self.body = body
  }

  /// The fields of a form (WHATWG URL, section 5.2, with %20 for a space), sent by POST.
  package static func form(_ fields: [(name: String, value: String)]) -> NetworkContent {
    func escaped(_ text: String) -> String { PercentEncoding.encode(text, keeping: "-._") }
    let pairs = fields.map { "\(escaped($0.name))=\(escaped($0.value))" }
    return NetworkContent(
      .post,
      fields: [Field("Content-Type", "application/x-www-form-urlencoded")],
      body: .bytes(Array(pairs.joined(separator: "&").utf8))
    )
  }
}

/// A part of a body, on condition that it belongs to the version of the stored part.
package struct NetworkRange: Sendable, Equatable {
  /// The offset of the first byte to request (RFC 9110, section 14.1.2).
  package var offset: Int
  /// The number of bytes to request; nil for the rest.
  package var count: Int?
  /// The `If-Range` field: a strong entity tag or a date (RFC 9110, section 13.1.5); nil for a body that never changes.
  package var validator: String?

  package init(offset: Int, count: Int? = nil, validator: String?) {
    self.offset = offset
    self.count = count
    self.validator = validator
  }
}

/// The addresses to which a transfer may connect, its redirects included.
///
/// Only the IP address of each connection counts and not the name, since the name's owner can change its address at any
/// time. Transfers never connect to link-local, multicast and unspecified addresses. Proxies that the user has set up
/// are exempt, with everything behind them.
package enum NetworkReach: Sendable, Hashable {
  /// Only public addresses.
  case publicOnly
  /// Also private addresses under this host name, in the spelling of `NetworkPeer`.
  case host(String)
  /// Also private addresses under the host name of the request, if the transfer's first connection leads to one.
  ///
  /// It is for an address that the user has typed.
  case typed
  /// Also private addresses under any name.
  case anywhere
}

extension NetworkReach {
  /// The reach of requests for a feed's content; the narrowest if the feed's reach is unknown.
  package init(_ reach: FeedReach?) {
    switch reach {
    case nil, .publicOnly: self = .publicOnly
    case .host(let name): self = .host(name)
    case .anywhere: self = .anywhere
    }
  }
}

/// The peer of a transfer's first connection, before any redirect.
package enum NetworkPeer: Sendable, Equatable {
  /// A public address.
  case `public`
  /// A private address under this host name, in the spelling with which `NetworkReach` is compared.
  case `private`(host: String)
  /// A proxy that the user has set up; the server behind it is unknown.
  case proxy
}

extension FeedReach {
  /// The reach of a feed whose address the user has typed; nil if the peer does not determine it.
  package init?(_ peer: NetworkPeer?) {
    switch peer {
    case .public: self = .publicOnly
    case .private(let host): self = .host(host)
    case .proxy, nil: return nil
    }
  }
}

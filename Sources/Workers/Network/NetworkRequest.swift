package import Models

/// A request to a server, with limits for the response.
package struct NetworkRequest: Sendable, Equatable {
  package var address: WebAddress
  /// The addresses to which it may connect.
  package var reach: NetworkReach
  /// The validators of the stored response; empty for an unconditional request (RFC 9110, section
  /// 13).
  package var validators: Validators
  /// The `Accept` field (RFC 9110, section 12.5.1).
  package var accept: String
  /// Whether the body may come compressed (RFC 9110, section 12.5.3); it is delivered unpacked.
  package var acceptsCompression: Bool
  /// The most bytes of body, after decompression; one more fails the transfer.
  package var byteLimit: Int
  /// The folder below which the files of `file:` addresses must lie, once links are resolved;
  /// nil refuses `file:` addresses.
  package var fileFolder: String?
  /// The part of the body to request; nil for all of it.
  package var range: NetworkRange?
  /// How many attempts for the same document have broken off before; this one waits accordingly.
  package var attempt: Int
  /// How long the whole response may take; nil for as long as the network allows.
  package var timeLimit: Duration?
  /// The feed that it is for: of several feeds at one host, none gets all of its connections.
  package var feedKey: Int
  /// Whether it comes before other requests for its host, because its response leads to more
  /// requests.
  package var comesFirst: Bool
  /// What it sends; nil for a GET, which sends nothing.
  package var content: NetworkContent?

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

/// The body of a request, with the method that it needs (RFC 9110, section 9.3).
///
/// It goes without the user's logins, cookies and request fields. A POST follows redirects that keep the method alone
/// (307, 308), never from https to http. A PUT or DELETE follows none, since its fields may hold a signature.
package struct NetworkContent: Sendable, Equatable {
  package enum Method: String, Sendable {
    case delete = "DELETE"
    case post = "POST"
    case put = "PUT"

    /// Whether a request that may have arrived can be repeated (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
      switch self {
      case .delete, .put: true
      case .post: false
      }
    }
  }

  package enum Body: Sendable, Equatable {
    case bytes([UInt8])
    /// A file that is read while it is sent; it must stay as it is until then.
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

/// A part of a body, on condition that it still belongs to the stored part.
package struct NetworkRange: Sendable, Equatable {
  /// The offset of the first byte to request (RFC 9110, section 14.1.2).
  package var offset: Int
  /// How many bytes to request; nil for all the rest.
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
/// The address of every connection counts, never a name: its owner can change where it leads at any
/// time. No transfer ever connects to some addresses: link-local, multicast and unspecified ones.
/// Proxies that the user has set up are exempt, with everything behind them.
package enum NetworkReach: Sendable, Hashable {
  /// Only public addresses.
  case publicOnly
  /// Also private addresses under this host name, in the spelling of `NetworkPeer`.
  case host(String)
  /// Also private addresses under the host name of the request, if the transfer's first connection
  /// leads to one: for an address that the user has typed.
  case typed
  /// Also private addresses under any name.
  case anywhere
}

extension NetworkReach {
  /// The reach of requests for a feed's content; the narrowest when the feed's reach is unknown.
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
  /// The reach of a feed whose address the user has typed; nil when the peer does not decide it.
  package init?(_ peer: NetworkPeer?) {
    switch peer {
    case .public: self = .publicOnly
    case .private(let host): self = .host(host)
    case .proxy, nil: return nil
    }
  }
}

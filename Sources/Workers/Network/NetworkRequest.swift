package import Models

/// What is asked of a server, and what is accepted of it.
package struct NetworkRequest: Sendable, Equatable {
  package var address: WebAddress
  /// To which addresses it may connect.
  package var reach: NetworkReach
  /// The validators of what is held already; empty asks unconditionally (RFC 9110, section 13).
  package var validators: Validators
  /// The `Accept` field (RFC 9110, section 12.5.1).
  package var accept: String
  /// Whether the body may come compressed (RFC 9110, section 12.5.3); it is delivered unpacked.
  package var acceptsCompression: Bool
  /// How many bytes of body are taken, after unpacking; one more fails the transfer.
  package var byteLimit: Int
  /// The folder below which the files of `file:` addresses must lie, once links are resolved;
  /// nil refuses `file:` addresses.
  package var fileFolder: String?
  /// The part of the body that is asked for; nil for all of it.
  package var range: NetworkRange?
  /// How many tries for the same thing have broken off before, so that this one waits accordingly.
  package var attempt: Int
  /// How long the response may take to its end; nil for as long as the network allows.
  package var timeLimit: Duration?
  /// Which feed it is for: where several wait for one host, none gets all of its connections.
  package var feedKey: Int
  /// Whether it comes before what else waits for the same host: it tells what more there is to ask for.
  package var comesFirst: Bool

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
    comesFirst: Bool = false
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
  }
}

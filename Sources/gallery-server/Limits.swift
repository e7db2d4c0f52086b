/// What one client may cost the server.
enum Limits {
  /// Bytes of all header fields of a request.
  static let headerBytes = 16 << 10
  /// Bytes of a request's body.
  static let bodyBytes = 1 << 20
  /// Bytes of a delivery of a hub, which are hashed and not kept.
  static let deliveryBytes = 8 << 20
  /// Seconds that a connection may be silent, in the middle of a header, too.
  static let idleSeconds: Int64 = 60
  /// Seconds that a client may take nothing of an answer that waits for it.
  static let stalledSeconds: Int64 = 600
  /// Requests of one client, by its token and its address, that are answered at once.
  static let requestsPerClient = 128
  /// Connections at once.
  static let connections = 16_384
  /// The most images of one answer, and of one feed.
  static let imagesPerAnswer = 1_000
  /// Images of a page without scripts, and of an answer that names no limit.
  static let imagesPerPage = 100
  /// Images of one document of a feed.
  static let imagesPerFeed = 200
  /// Bytes of JSON from which on an answer is compressed.
  static let leastCompressed = 1_024
  /// Bytes that are read from a file at once.
  static let fileChunk = 256 << 10
  /// Jobs that are remembered after their end.
  static let endedJobs = 100
  /// How long the filling of colours rests after every 32 thumbnails: about as long as they take.
  static let colourPause = Duration.milliseconds(40)
  /// How often a random picture is looked for among images without one.
  static let randomTries = 20
  /// Bytes of an original from which on its format can be told while it arrives.
  static let leastBeginning = 4 << 10
  /// Failed tries of a token in a minute, of all clients, before each one has to wait.
  static let failedTries = 10
  /// Thumbnails of one answer, and their bytes: more than the most that one of them can have.
  static let thumbnailsPerAnswer = 100
  static let thumbnailBytesPerAnswer = 9 << 20
  /// Changes of one page.
  static let changesPerPage = 1_000
  /// Seconds that a request may wait for a change.
  static let changeWaitSeconds = 25
  /// Event streams at once.
  static let eventStreams = 10_000
  /// Event streams of one token.
  static let eventStreamsPerToken = 1_000
  /// Seconds between two comments on a stream without news, which keep proxies from closing it.
  static let eventCommentSeconds = 20
  /// Seconds after which a client asks for a stream again.
  static let eventRetrySeconds = 3
  /// Trees of hashes that are kept, so that a client that compares can go on while the library changes.
  static let treesKept = 2
  /// Feeds that an event names; of more it names none.
  static let feedsPerEvent = 100
}

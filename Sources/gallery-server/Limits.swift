/// Limits on the resources that clients may use.
enum Limits {
  /// The maximum size of all header fields of a request, in bytes.
  static let headerBytes = 16 << 10
  /// The maximum size of a request's body, in bytes.
  static let bodyBytes = 1 << 20
  /// The maximum size of a hub's delivery, in bytes; a delivery is hashed and not kept.
  static let deliveryBytes = 8 << 20
  /// The seconds that a connection may be idle, even in the middle of a header.
  static let idleSeconds: Int64 = 60
  /// The seconds that a client may read nothing of an answer that waits for it.
  static let stalledSeconds: Int64 = 600
  /// The seconds for which a server that ends waits for the connections that are still open.
  static let endingSeconds: Int64 = 10
  /// The maximum number of simultaneous requests of one client, identified by its token and its address.
  static let requestsPerClient = 128
  /// The maximum number of simultaneous requests of all clients.
  static let requests = 2_048
  /// The maximum number of bytes of answers that wait in memory for one client, which reads them slowly or not at all; a
  /// longer answer waits alone.
  static let waitingBytesPerClient = 32 << 20
  /// The maximum number of bytes of answers that wait in memory for all clients.
  static let waitingBytes = 64 << 20
  /// The maximum number of requests that read much of the library at once, for each core; clients take turns.
  static let readingsPerCore = 4
  /// For each so many cores, a client may read much at once while others do, too: half of the machine stays for these.
  static let coresPerReading = 2
  /// The seconds after which a client with too many requests may try again.
  static let requestRetrySeconds = 1
  /// The maximum number of simultaneous connections; fewer when the process may open few files.
  static let connections = 16_384
  /// The maximum number of connections of one address that have not sent a valid token; at most a quarter of all.
  static let connectionsPerAddress = 1_024
  /// The maximum number of connections of one token; at most half of all.
  static let connectionsPerToken = 2_048
  /// The seconds after which a token with too many connections may try again.
  static let connectionRetrySeconds = 10
  /// The descriptors that stay free for all but connections and the files that clients read.
  static let otherDescriptors = 512
  /// The maximum number of connections that a round of the event loop accepts.
  static let acceptedAtOnce: UInt = 64
  /// The seconds without new connections after the descriptors have run out.
  static let acceptPauseSeconds: Int64 = 1
  /// The maximum number of images in one answer or feed document.
  static let imagesPerAnswer = 1_000
  /// The number of images on a page without scripts, and in an answer without an explicit limit.
  static let imagesPerPage = 100
  /// The default number of images in one feed document.
  static let imagesPerFeed = 200
  /// The minimum size of an answer in bytes at which it is compressed.
  static let leastCompressed = 1_024
  /// The bytes of memory for pictures that the server keeps to send them again, with `keptHeadBytes` for each.
  ///
  /// It is for 5,000 thumbnails of 12 KB, each in a buffer of 16 KiB: a look through a library by several people. With
  /// 64 MiB it would be for 3,800, and a look that is longer than that finds none again. Any change of the library frees
  /// all of it.
  static let keptBytes = 96 << 20
  /// About the bytes that the head of an answer takes in memory.
  static let keptHeadBytes = 2_048
  /// The maximum size of a picture that is kept in memory.
  static let keptPictureBytes = 1 << 20
  /// The maximum size of an original that an event loop sends by itself (sendfile(2)).
  ///
  /// All connections of the loop wait meanwhile, for about a tenth of a millisecond, and the client has
  /// `stalledSeconds` for all of it. A longer original is read in pieces on other threads, and its bytes take more time
  /// than these.
  static let sentFileBytes = 1 << 20
  /// The bytes of memory for what removes the places from originals, with `keptHeadBytes` for each.
  static let removalBytes = 8 << 20
  /// The seconds after which the routes look for an original again, and note that it is looked at.
  static let keptFileSeconds = 60
  /// The seconds between two looks at a file whose client reads slowly, to see whether it has become shorter.
  static let fileCheckSeconds: Int64 = 5
  /// The maximum number of files that are noted for answers that are not complete.
  static let notedFiles = 1_024
  /// The bytes to read from a file at once.
  static let fileChunk = 256 << 10
  /// The maximum number of renderings of one client that wait or run; a viewer asks for a hundred parts of a picture.
  static let renderingsPerClient = 100
  /// The maximum number of renderings of all clients that wait or run.
  static let renderings = 1_000
  /// The maximum number of syncs of one token that wait or run.
  static let syncsPerToken = 16
  /// The maximum number of syncs of all tokens that wait or run.
  static let syncs = 64
  /// The seconds after which a client with too many syncs may ask for another one.
  static let syncRetrySeconds = 30
  /// The number of ended jobs that are remembered.
  static let endedJobs = 100
  /// The pause after the colours of every 32 thumbnails: about as long as computing them takes.
  static let colourPause = Duration.milliseconds(40)
  /// The number of random images to try when some of them have no picture.
  static let randomTries = 20
  /// The number of first bytes that are enough to detect the format of an arriving original.
  static let leastBeginning = 4 << 10
  /// The number of failed attempts with a token within a minute, over all clients, after which further attempts are
  /// delayed.
  static let failedTries = 10
  /// The time after which a browser's session ends, in seconds; a browser that returns gets a new one after half of it.
  static let sessionSeconds = 30 * 86_400
  /// The maximum number of thumbnails in one answer, and of their bytes: more than the largest thumbnail can have.
  static let thumbnailsPerAnswer = 100
  static let thumbnailBytesPerAnswer = 9 << 20
  /// The default and maximum number of changes in one page.
  static let changesPerPage = 1_000
  /// The maximum number of seconds that a request may wait for a change.
  static let changeWaitSeconds = 25
  /// The maximum number of simultaneous event streams.
  static let eventStreams = 10_000
  /// The maximum number of event streams of one token.
  static let eventStreamsPerToken = 1_000
  /// The seconds between comments on a stream without news, which keep proxies from closing it.
  static let eventCommentSeconds = 20
  /// The seconds after which a client opens a stream again.
  static let eventRetrySeconds = 3
  /// The number of trees of hashes to keep, so that a client can finish a comparison while the library changes.
  static let treesKept = 2
  /// The maximum number of feeds that an event names; for more feeds, its list is empty.
  static let feedsPerEvent = 100
}

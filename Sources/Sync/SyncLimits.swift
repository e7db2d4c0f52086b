/// The limits of a sync that are policy rather than network.
enum SyncLimits {
  /// How often an export begins again because the library changes.
  static let exportAttempts = 10
  /// Feeds that are asked for at once: as many as the network takes.
  static let feedsAtOnce = 64
  /// Feeds whose documents are read, or whose pictures are fetched, at once.
  static let feedsReadAtOnce = 8
  /// For how long a document that has begun to come may wait to be read.
  ///
  /// It holds a connection, and its server waits, too: after that it is let go, and asked for again.
  static let longestHold = Duration.seconds(10)
  /// Thumbnails asked for at once: more than the network takes, so that no connection is idle while the
  /// sync has other things to do.
  static let thumbnailsAtOnce = 512
  /// Originals that arrive at once; each holds a file open.
  static let originalsAtOnce = 16
  /// Bytes of the addresses of pages and members of one feed that may wait to be asked for.
  static let waitingAddressBytes = 4 << 20
  /// How long a document may take, and a thumbnail.
  ///
  /// A server that sends a byte now and then would otherwise hold its connection for as long as it likes.
  /// Originals go on where they broke off, and have a day.
  static let documentTime = Duration.seconds(1_200)
  static let thumbnailTime = Duration.seconds(300)
  /// How often a document that breaks off is asked for again.
  static let documentRetries = 2
  /// For how long a server can keep a sync of every feed from asking for a document again, in
  /// seconds: by saying that its answer holds, and by asking for a pause.
  static let longestFreshness = 3_600.0
  static let longestPause = 86_400.0
  /// The most seconds until a server is asked again about a picture, whatever it says and however old the picture is.
  static let longestPictureFreshness = 30 * 86_400.0
  /// Between two tries for a feed that another process is syncing.
  static let lockRetry = Duration.milliseconds(250)
  /// Tries before it counts as not to be had: a minute.
  static let lockTries = 240
  /// Feeds of one sync, those that lists of feeds point to included.
  static let feedsPerSync = 10_000
  /// Bytes of their addresses.
  static let feedAddressBytes = 16 << 20
  /// How many lists of feeds and web pages may stand between what was asked for and a feed.
  static let pointersToFeed = 3
  /// Images compared and written in one transaction, in a document's first, and once it has turned out to be
  /// long: then it is worth more that each page is written fewer times than that thumbnails come at once.
  static let imagesPerBatch = 500
  static let imagesInFirstBatch = 50
  static let imagesPerLateBatch = 1_000
  static let imagesBeforeLateBatches = 10_000
  /// Bytes of a document that are parsed before it is looked whether a batch is complete.
  static let bytesParsedAtOnce = 32 << 10
  /// Batches of images that may wait for the writer while the next one is parsed.
  static let batchesAhead = 2
  /// Thumbnails written in one transaction, by number and by bytes: it stays well under 50 ms.
  static let thumbnailsPerBatch = 64
  static let thumbnailBytesPerBatch = 1 << 20
  /// Images of a document that the first batch may have: later ones are as long as the store is quick.
  static let imagesPerDocumentBatch = 1_000
  /// Images whose identity can wait in memory for the end of their document.
  static let imagesPutOff = 20_000
  /// Batches of thumbnails that may wait for the store while the next one is gathered: about as many as
  /// come while SQLite's log is moved into the database.
  static let thumbnailBatchesAhead = 10
  /// Wanted pictures read from the store at a time.
  static let picturesPerPage = 512
  /// Bytes of a feed document, unpacked.
  static let documentBytes = 512 << 20
  /// Bytes of a thumbnail of which many may be in memory at once.
  static let smallThumbnailBytes = 384 << 10
  /// Bytes of a thumbnail that is stored as it came, and pixels on its longer side; a larger one is
  /// made smaller, to as many pixels.
  static let thumbnailBytesAsItCame = 200 << 10
  static let thumbnailSide = 640
  /// Bytes of one thumbnail.
  static let thumbnailBytes = 8 << 20

  // MARK: Galleries

  /// Bytes of a page of another gallery's changes, or of a node of its tree, unpacked.
  static let galleryPageBytes = 64 << 20
  /// Pages without a change that may follow one another.
  static let emptyGalleryPages = 1_000
  /// How often the tree of a gallery is read from its root when it changes meanwhile.
  static let treeTries = 5
  /// Nodes of a gallery's tree that are asked for at once.
  static let treeNodesAtOnce = 8
  /// Images that are removed from a copy with one transaction.
  static let removalsPerPage = 1_000
  /// Wanted thumbnails that are read from the store at a time: a few packs of them.
  static let mirroredThumbnailsPerLook = 50_000
  /// Thumbnails and bytes that are stored with one transaction: they come faster than those of feeds.
  static let mirroredThumbnailsPerBatch = 512
  static let mirroredBytesPerBatch = 8 << 20
  /// Thumbnails outside packs that are asked for with one request, and their bytes.
  static let thumbnailsPerRequest = 100
  static let thumbnailBytesPerRequest = 1 << 20
  /// Bytes of thumbnails that are asked for by their hashes at once.
  static let mirroredBytesAtOnce = 8 << 20
  /// Bytes of a text or an address of an image of another gallery; an image with a longer one is left out.
  static let galleryTextBytes = 64 << 10
  /// From how many wanted thumbnails on a pack is asked for as a whole.
  static let thumbnailsOfPack = 8
  /// Bytes of a pack of another gallery.
  static let packBytes = 1 << 30

  // MARK: Colours

  /// Thumbnails that are decoded for their colours at once.
  static let colouredAtOnce = 4

  /// How long thumbnails get their colours at the end of a sync: a twentieth of its time, which is not
  /// felt, and 2 s at most; nil when that is too short to start a decoder.
  static func colouringTime(after sync: Duration) -> Duration? {
    let time = min(sync / 20, .seconds(2))
    return time < .milliseconds(100) ? nil : time
  }
}

/// The media types in `Accept` (RFC 9110, section 12.5.1).
enum AcceptField {
  static let feeds = """
    application/feed+json, application/atom+xml, application/rss+xml, application/json;q=0.9, \
    application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5
    """
  static let pictures = "image/*, */*;q=0.5"
}

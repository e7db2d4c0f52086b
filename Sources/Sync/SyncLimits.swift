/// The limits of a sync that are policy rather than network.
enum SyncLimits {
  /// The number of attempts of an export while the library changes.
  static let exportAttempts = 10
  /// Feeds that are requested at once: as many as the network takes.
  static let feedsAtOnce = 64
  /// Feeds whose documents are read, or whose pictures are fetched, at once.
  static let feedsReadAtOnce = 8
  /// The most named feeds of which new ones get their ids in the order in which they were named: as many as are read at
  /// once, because no feed may wait for one that does not run.
  static let feedsInOrder = feedsReadAtOnce
  /// How often, and after which pauses, a new feed looks whether those that were named before it have their ids.
  static let looksForTurn = 400
  static let betweenLooks = Duration.milliseconds(5)
  /// The time that a document which has begun to arrive may wait to be read.
  ///
  /// It holds a connection, and its server waits, too. After that time it is dropped, and requested again.
  static let longestHold = Duration.seconds(10)
  /// Thumbnails that are requested at once: more than the network takes, so that no connection is idle while the sync
  /// does other work.
  static let thumbnailsAtOnce = 512
  /// Originals that arrive at once; each holds a file open.
  static let originalsAtOnce = 16
  /// Bytes of the addresses of one feed's pages and members that may wait to be requested.
  static let waitingAddressBytes = 4 << 20
  /// The time that a document may take, and a thumbnail.
  ///
  /// Otherwise a server that sends a byte now and then could hold its connection as long as it likes. Originals resume
  /// where they broke off, and have a day.
  static let documentTime = Duration.seconds(1_200)
  static let thumbnailTime = Duration.seconds(300)
  /// The number of retries of a document that breaks off.
  static let documentRetries = 2
  /// The most seconds for which a server can keep a sync of every feed from requesting a document again: by the
  /// freshness of its response, and by asking for a pause.
  static let longestFreshness = 3_600.0
  static let longestPause = 86_400.0
  /// The most seconds until a server is asked again about a picture, whatever it declares and however old the picture
  /// is.
  static let longestPictureFreshness = 30 * 86_400.0
  /// The time between two attempts to lock a feed that another process is syncing.
  static let lockRetry = Duration.milliseconds(250)
  /// The number of attempts before the lock counts as unavailable: a minute.
  static let lockTries = 240
  /// Feeds of one sync, including those to which lists of feeds point.
  static let feedsPerSync = 10_000
  /// Bytes of the addresses of these feeds.
  static let feedAddressBytes = 16 << 20
  /// The most lists of feeds and web pages between the address that was asked for and a feed.
  static let pointersToFeed = 3
  /// Images that are compared and written in one transaction: usually, at the start of a document, and late in a long
  /// one.
  ///
  /// Late in a long document, writing each page of the database fewer times matters more than early thumbnails.
  static let imagesPerBatch = 500
  static let imagesInFirstBatch = 50
  static let imagesPerLateBatch = 1_000
  static let imagesBeforeLateBatches = 10_000
  /// Files of a folder that are read before their images are stored.
  static let folderFilesPerBatch = 100
  /// Files that a feed has open to read what cameras have written.
  static let filesOpenForDetails = 16
  /// Originals that could not be decoded, and are not tried again while the program runs: about half a megabyte.
  static let failedDetails = 4_096
  /// Bytes of a document that are parsed before the next check for a complete batch.
  static let bytesParsedAtOnce = 32 << 10
  /// Batches of images that may wait for the writer while the next one is parsed.
  static let batchesAhead = 2
  /// Thumbnails that are written in one transaction, and their bytes; the transaction stays well under 50 ms.
  static let thumbnailsPerBatch = 64
  static let thumbnailBytesPerBatch = 1 << 20
  /// The most images that the first transaction of a `FeedWriter` writes; later ones depend on the speed of the store.
  static let imagesPerDocumentBatch = 1_000
  /// Images whose identity may wait in memory for the end of their document.
  static let imagesPutOff = 20_000
  /// Batches of thumbnails that may wait for the store while the next one is collected.
  ///
  /// That is about as many as arrive while SQLite's log is moved into the database.
  static let thumbnailBatchesAhead = 10
  /// The least time between two reads of a feed for addresses that servers refuse, in seconds.
  static let betweenRenewals = 60.0
  /// Wanted pictures that are read from the store at a time.
  static let picturesPerPage = 512
  /// The most pictures of one sync with which later ones are compared, in case they are signs (`SubstituteSigns`).
  static let picturesComparedForSigns = 2_000
  /// Bytes of a feed document, after decompression.
  static let documentBytes = 512 << 20
  /// Bytes of a document in which a page's feed may be, after decompression, and the time that it may take.
  static let guessedDocumentBytes = 8 << 20
  static let guessedDocumentTime = Duration.seconds(30)
  /// Bytes of a small thumbnail; many of these may be in memory at once.
  static let smallThumbnailBytes = 384 << 10
  /// The most bytes of a thumbnail that is stored as it came, and the most pixels of its longer side; panoramas may
  /// be longer (`ThumbnailSides`).
  ///
  /// A larger one is made smaller, to this many pixels.
  static let thumbnailBytesAsItCame = 200 << 10
  static let thumbnailSide = 640
  /// Bytes of one thumbnail.
  static let thumbnailBytes = 8 << 20

  // MARK: Galleries

  /// Bytes after decompression of a page of another gallery's changes, and of one of its lines.
  ///
  /// A leaf of its tree may have as many, but it is read alone then.
  static let galleryPageBytes = 32 << 20
  static let galleryLineBytes = 1 << 20
  /// The bytes of a page up to which the next one is requested while it is applied.
  static let galleryBytesAhead = 4 << 20
  /// Lines of a page, or of a leaf; this program sends at most 1,000, or 2,000.
  static let linesPerGalleryPage = 5_000
  /// Bytes after decompression of the root of its tree, and of another node.
  static let galleryRootBytes = 8 << 20
  static let galleryNodeBytes = 4 << 20
  /// Feeds of one gallery.
  static let feedsPerGallery = 10_000
  /// Bytes of the name of its library, which usually is a UUID.
  static let libraryBytes = 200
  /// The bytes of an image's texts that do not count as bytes of its gallery.
  ///
  /// A gallery of 1,000,000 images usually has texts of some 600 MB, but images are counted in any case.
  static let galleryTextPerImage = 600
  /// The cost of the lines that are applied in one transaction (`ChangeLine.cost`).
  static let mirroredCostPerBatch = 250
  /// The changes that a page should bring; those that it lacks count, as do the lines that change nothing.
  static let newsPerGalleryPage = 100
  /// Pages without a change that may follow each other.
  static let emptyGalleryPages = 1_000
  /// The number of times that a gallery's tree is read from its root because it keeps changing.
  static let treeTries = 5
  /// Nodes of a gallery's tree that are requested at once.
  static let treeNodesAtOnce = 8
  /// Images that are removed from a copy in one transaction.
  static let removalsPerPage = 1_000
  /// The images of a copy from which on it may lose only a tenth of them at once (`isTooMuch`).
  static let imagesOfGuardedCopy = 20
  /// Wanted thumbnails that are read from the store at a time: a few packs of them.
  static let mirroredThumbnailsPerLook = 50_000
  /// Thumbnails that are stored in one transaction, and their bytes; they arrive faster than those of feeds.
  static let mirroredThumbnailsPerBatch = 512
  static let mirroredBytesPerBatch = 8 << 20
  /// Thumbnails outside packs that are requested together, and their bytes.
  static let thumbnailsPerRequest = 100
  static let thumbnailBytesPerRequest = 1 << 20
  /// Bytes of thumbnails that are requested by their hashes at the same time.
  static let mirroredBytesAtOnce = 8 << 20
  /// The other renditions of an image of another gallery; further ones are left out.
  static let renditions = 6
  /// Bytes of a text or an address of an image of another gallery; an image with a longer one is left out.
  static let galleryTextBytes = 64 << 10
  /// The fewest wanted thumbnails for which a pack is requested as a whole.
  static let thumbnailsOfPack = 8
  /// Bytes of a pack of another gallery.
  static let packBytes = 1 << 30

  /// Whether a copy would lose so many of its images at once that the user has to accept it: more than a tenth of them,
  /// or all of few.
  ///
  /// A library or a gallery whose disk was lost must not empty its copies.
  static func isTooMuch(_ lost: Int, of total: Int) -> Bool {
    total >= imagesOfGuardedCopy ? lost > total / 10 : lost > 0 && lost == total
  }

  // MARK: Colours

  /// Thumbnails that are decoded for their colours at the same time.
  static let colouredAtOnce = 4

  /// The time that a sync spends on colours at its end: a twentieth of its own time, which is not noticeable, and at
  /// most 2 s.
  ///
  /// It is nil if that is too short to start a decoder.
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
  static let originals = "*/*"
}

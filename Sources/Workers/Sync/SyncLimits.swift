/// The limits of a sync that are policy rather than network.
package enum SyncLimits {
  /// Feeds whose documents are asked for and read at once.
  static let feedsAtOnce = 8
  /// Thumbnails asked for at once: as many as the network takes, so that no connection is idle.
  static let thumbnailsAtOnce = 64
  /// Originals that arrive at once; each holds a file open.
  static let originalsAtOnce = 16
  /// Images compared and written in one transaction.
  static let imagesPerBatch = 500
  /// Thumbnails written in one transaction, by number and by bytes: it stays well under 50 ms.
  static let thumbnailsPerBatch = 64
  static let thumbnailBytesPerBatch = 1 << 20
  /// Orders for pictures read from the store at a time.
  static let ordersPerPage = 512
  /// Bytes of a feed document, unpacked.
  static let documentBytes = 512 << 20
  /// Bytes of one thumbnail.
  static let thumbnailBytes = 8 << 20
  /// Bytes of one original.
  static let originalBytes = 16 << 30
}

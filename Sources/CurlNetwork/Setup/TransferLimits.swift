/// What a single transfer may cost; the limit of its body comes with the request.
enum TransferLimits {
  /// Redirects followed before a transfer fails.
  static let redirects = 10
  /// Bytes of one response's header, with its interim responses and trailers.
  static let headerBytes = 64 * 1024
  /// Bytes of body that are passed over, to keep a connection, before a request is made again.
  static let passedOver = 64 * 1024
  /// Bytes of a streamed body that may wait for their reader; beyond it the transfer is paused.
  ///
  /// As many as two reads bring, so that one can come while the other is taken.
  static let highWater = 512 * 1024
  /// Likewise of a body that may be compressed: a document, of which many are read at once.
  static let packedHighWater = 256 * 1024
  /// What libcurl may read at once for a streamed body.
  static let streamReadSize = 256 * 1024
  /// What libcurl may read at once of a body that may be compressed: it unpacks all of it before it
  /// can be paused.
  static let packedReadSize = 16 * 1024
  /// What libcurl may read at once for a collected body: header and picture in one system call.
  static let fetchReadSize = 32 * 1024
  /// Transfers of a group that the loop has at a time: all that may be at work, and those that come next.
  static let groupUnderWay = 80
  /// How many fewer they are before it is told of more.
  static let groupRefill = 16
  /// Bytes of the answers of all groups that may wait to be taken; beyond its share no more of a group's are
  /// begun.
  static let untakenBytes = 4 * 1024 * 1024
  /// Bytes set aside for a collected body because its header promises them; no more than its limit.
  static let reservation = 8 * 1024 * 1024
}

import Models

extension NetworkRequest {
  /// A request for a feed's document.
  init(
    document address: WebAddress,
    reach: NetworkReach,
    validators: Validators,
    fileFolder: String?,
    of feed: WebAddress,
    attempt: Int = 0
  ) {
    self.init(
      address: address,
      reach: reach,
      validators: validators,
      accept: AcceptField.feeds,
      acceptsCompression: true,
      byteLimit: SyncLimits.documentBytes,
      fileFolder: fileFolder,
      attempt: attempt,
      timeLimit: SyncLimits.documentTime,
      feedKey: feed.hashValue,
      comesFirst: true
    )
  }
}

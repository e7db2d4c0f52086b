import Models

extension NetworkRequest {
  /// A request for a feed's document.
  init(
    document address: WebAddress,
    validators: Validators,
    fileFolder: String?,
    attempt: Int = 0
  ) {
    self.init(
      address: address,
      validators: validators,
      accept: AcceptField.feeds,
      acceptsCompression: true,
      byteLimit: SyncLimits.documentBytes,
      fileFolder: fileFolder,
      attempt: attempt
    )
  }
}

import DecoderFrames

/// A request, and the picture's file that came beside it.
struct IncomingRequest: ~Copyable {
  let request: DecoderRequest
  let file: PictureFile

  init(_ request: DecoderRequest, file: consuming PictureFile) {
    self.request = request
    self.file = file
  }
}

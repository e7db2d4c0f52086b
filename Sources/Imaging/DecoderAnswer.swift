import Workers

/// What a decoder answered, once it was found to be true.
enum DecoderAnswer: Sendable {
  case facts(PictureFacts)
  case thumbnail(MadeThumbnail)
  case pixels(DecodedPixels)
}

import FeedFormats
import Models
import Workers

/// What reading a document gives: its images and its end, or why it cannot be read.
struct FeedResult: Equatable {
  var images: [FeedImage] = []
  var document: FeedDocument?
  var error: FeedError?

  /// Reads a document that arrives in pieces.
  init(_ pieces: [ArraySlice<UInt8>], from source: FeedSource) {
    let parser = FeedReader().parser(for: source)
    do throws(FeedError) {
      for piece in pieces { images += try parser.push(Array(piece)) }
      var document = try parser.finish()
      images += document.images
      document.images = []
      self.document = document
    } catch {
      self.error = error
      // How many images come before a failure depends on how the bytes come, and may.
      images = []
    }
  }
}

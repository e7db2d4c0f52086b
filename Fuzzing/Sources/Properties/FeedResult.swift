import FeedFormats
import Models
import Workers

/// The result of reading a document: its entries and its end, or the error.
struct FeedResult: Equatable {
  var entries: [FeedEntry] = []
  var document: FeedDocument?
  var error: FeedError?

  /// Reads a document that arrives in pieces.
  init(_ pieces: [ArraySlice<UInt8>], from source: FeedSource) {
    let parser = FeedReader().parser(for: source)
    do throws(FeedError) {
      for piece in pieces { entries += try parser.push(Array(piece)) }
      let end = try parser.finish()
      entries += end.entries
      document = end.document
    } catch {
      self.error = error
      // The number of entries before a failure may depend on how the bytes arrive.
      entries = []
    }
  }
}

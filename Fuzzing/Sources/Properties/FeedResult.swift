import FeedFormats
import Models
import Workers

/// What reading a document gives: its entries and its end, or why it cannot be read.
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
      // How many entries come before a failure depends on how the bytes come, and may.
      entries = []
    }
  }
}

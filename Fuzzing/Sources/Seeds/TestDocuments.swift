import Foundation

/// The documents that the tests of the feed formats read.
enum TestDocuments {
  /// The length limit: longer documents make each run slow, and find no more than short ones.
  private static let longest = 24_000

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Tests/FeedFormatsTests/Documents").standardized

  /// The document at a path, or the documents in the folder at this path.
  static func read(_ path: String) -> [[UInt8]] {
    let place = folder.appending(path: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    let files = names.isEmpty ? [place] : names.sorted().map { place.appending(path: $0) }
    // Reading a folder inside the folder fails, so it does not become a seed.
    let documents = files.compactMap { try? Data(contentsOf: $0) }
    return documents.filter { $0.count <= longest }.map(Array.init)
  }
}

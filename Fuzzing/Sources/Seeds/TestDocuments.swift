import Foundation

/// The documents that the tests of the feed formats read.
enum TestDocuments {
  /// Longer documents make each run slow, and say nothing that short ones do not.
  private static let longest = 24_000

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Tests/FeedFormatsTests/Documents").standardized

  /// The document at a path, or those in the folder there.
  static func read(_ path: String) -> [[UInt8]] {
    let place = folder.appending(path: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    let files = names.isEmpty ? [place] : names.sorted().map { place.appending(path: $0) }
    // What is no document but a folder of them cannot be read, and is none of the seeds.
    let documents = files.compactMap { try? Data(contentsOf: $0) }
    return documents.filter { $0.count <= longest }.map(Array.init)
  }
}

import Foundation

/// Writes seeds as files, one input each, for libFuzzer to read.
struct SeedWriter {
  let folder: URL

  /// Longer documents make each run slow, and say nothing that short ones do not.
  private static let longestDocument = 24_000

  private static var documents: URL {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Tests/FeedFormatsTests/Documents").standardized
  }

  func write(_ seeds: [Seed]) {
    for (number, seed) in seeds.enumerated() {
      switch seed {
      case .bytes(let bytes): write(bytes, as: "seed-\(number)")
      case .documents(let path): copy(path)
      }
    }
  }

  private func copy(_ path: String) {
    let place = Self.documents.appending(path: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    let files = names.isEmpty ? [place] : names.map { place.appending(path: $0) }
    for file in files {
      // What is no document but a folder of them cannot be read, and is none of the seeds.
      guard let data = try? Data(contentsOf: file), data.count <= Self.longestDocument else {
        continue
      }
      write(Array(data), as: "document-" + file.lastPathComponent)
    }
  }

  private func write(_ bytes: [UInt8], as name: String) {
    do {
      try Data(bytes).write(to: folder.appending(path: name))
    } catch {
      fatalError("cannot write '\(name)' into '\(folder.path)': \(error)")
    }
  }
}

import Foundation

/// Writes inputs as files for libFuzzer.
struct SeedWriter {
  let folder: URL

  func write(_ inputs: [[UInt8]]) {
    for (number, input) in inputs.enumerated() {
      let name = "seed-\(number)"
      do {
        try Data(input).write(to: folder.appending(path: name))
      } catch {
        fatalError("cannot write '\(name)' into '\(folder.path)': \(error)")
      }
    }
  }
}

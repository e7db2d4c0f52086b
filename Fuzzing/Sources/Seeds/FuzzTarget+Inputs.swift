import Foundation

extension FuzzTarget {
  /// The seeds as inputs, always in the same order.
  var inputs: [[UInt8]] {
    seeds.flatMap { seed in
      switch seed {
      case .bytes(let bytes): [bytes]
      case .documents(let path): TestDocuments.read(path)
      }
    }
  }
}

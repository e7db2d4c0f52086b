import Foundation
import Models

extension Expectation {
  /// What the `EXPECTED.txt` of some folders of documents says of them.
  ///
  /// A line a document: its file, its format, how many images it holds, and `damaged` where a
  /// warning is due. Below it, indented, the first image and the last, if that is another: title,
  /// thumbnail and original, separated by tabs, `-` for none. A line that begins with `#` says which
  /// rule decides where a reader might expect something else.
  static func written(in folders: [String]) throws -> [Expectation] {
    try folders.flatMap { folder in
      let bytes = try ReadDocument.bytes(of: "\(folder)/EXPECTED.txt")
      return try read(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func read(_ text: String) throws -> [Expectation] {
    try text.components(separatedBy: "\n\n").map { block in
      let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
      return try Expectation(head: lines.first ?? "", images: lines.dropFirst().map(image))
    }
  }

  private static func image(_ line: Substring) -> Image? {
    let fields = line.dropFirst(2).split(separator: "\t").map { $0 == "-" ? nil : String($0) }
    guard fields.count == 3, let original = fields[2] else { return nil }
    return Image(title: fields[0], thumbnail: fields[1], original: original)
  }

  private init(head: Substring, images: [Image?]) throws {
    let words = head.split(separator: " ").map(String.init)
    guard words.count >= 3, let format = FeedFormat(rawValue: words[1]), let count = Int(words[2]),
      images.count == min(count, 2), !images.contains(nil)
    else { throw CocoaError(.propertyListReadCorrupt, userInfo: ["line": String(head)]) }
    self.init(
      file: words[0],
      format: format,
      count: count,
      first: images.first ?? nil,
      last: images.last ?? nil,
      isDamaged: words.contains("damaged")
    )
  }
}

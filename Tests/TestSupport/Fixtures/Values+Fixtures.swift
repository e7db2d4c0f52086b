import CTLS
package import FoundationEssentials
package import Models
package import Scenes

extension Date {
  /// 2026-11-02T08:00:00Z.
  package static let novemberMorning = Date(timeIntervalSince1970: 1_793_606_400)

  /// 2026-11-02T12:00:00Z.
  package static let novemberNoon = Date(timeIntervalSince1970: 1_793_620_800)
}

extension WebAddress {
  /// The address in a test's text; an invalid one ends the test run.
  package static func at(_ text: String) -> WebAddress {
    guard let address = WebAddress(text) else { preconditionFailure("no address: \(text)") }
    return address
  }
}

extension SHA256Digest {
  /// The hash of bytes.
  package init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    var words = SIMD4<UInt64>()
    for index in 0..<32 { words[index / 8] = words[index / 8] << 8 | UInt64(digest[index]) }
    self.init(words: words)
  }
}

extension HintedText {
  /// The text with the name of each hint in its place.
  package var described: String { text { "<\($0)>" } }
}

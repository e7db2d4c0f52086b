import Foundation

/// What titles are sorted by: their letters without case and accents.
enum TitleKey {
  /// Sorts behind every title: the last of all code points.
  static let none = "\u{10FFFF}"

  static func of(_ title: String?) -> String {
    guard let title else { return none }
    let isASCII = title.utf8.allSatisfy { $0 < 0x80 }
    let folded =
      isASCII
      ? title.lowercased()
      : title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    if folded.utf8.count <= Limits.titleKeyScalars { return folded }
    return String(String.UnicodeScalarView(folded.unicodeScalars.prefix(Limits.titleKeyScalars)))
  }
}

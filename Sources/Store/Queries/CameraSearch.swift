import Models
import Workers

/// The words of a search that are about the camera, such as those of `camera:x100` and `camera:"eos 5d"`.
///
/// Each must begin a word of the name of the camera or of the lens, as an image's original says it.
struct CameraSearch {
  /// The words of cameras.
  let words: SearchWords
  /// The other words of the search.
  let rest: String

  private static let mark = Array("camera:".unicodeScalars)

  init(_ search: String) {
    var rest = String.UnicodeScalarView()
    var names: [LetterPairs] = []
    var left = search.unicodeScalars[...]
    while !left.isEmpty {
      if let name = Self.takeName(&left) {
        names.append(LetterPairs(name))
      } else {
        rest.append(contentsOf: Self.take(&left) { !$0.properties.isWhitespace })
      }
      rest.append(contentsOf: Self.take(&left) { $0.properties.isWhitespace })
    }
    (words, self.rest) = (SearchWords(names), String(rest))
  }

  /// Takes the mark and the words behind it, which end with the next blank or with their second quotation mark.
  private static func takeName(_ left: inout Substring.UnicodeScalarView) -> String? {
    let lowered = left.prefix(mark.count).lazy.map(\.properties.lowercaseMapping)
    guard lowered.elementsEqual(mark.lazy.map(String.init)) else { return nil }
    var name = left.dropFirst(mark.count)
    guard let first = name.first, !first.properties.isWhitespace else { return nil }
    defer { left = name }
    guard isQuotationMark(first) else {
      return String(String.UnicodeScalarView(take(&name) { !$0.properties.isWhitespace }))
    }
    name.removeFirst()
    defer { name = name.dropFirst() }
    return String(String.UnicodeScalarView(take(&name) { !isQuotationMark($0) }))
  }

  /// The straight mark, and those that telephones type in its place.
  private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
    ["\"", "\u{201C}", "\u{201D}", "\u{201E}"].contains(scalar)
  }

  private static func take(
    _ left: inout Substring.UnicodeScalarView,
    while isWanted: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView {
    let taken = left.prefix(while: isWanted)
    left = left[taken.endIndex...]
    return taken
  }
}

extension CameraSearch {
  /// The condition that an image's original was taken with such a camera, and whether many were.
  ///
  /// A library has few names of cameras, which are compared here; an index leads from them to the originals.
  func condition(_ db: Connection) throws -> (sql: String, isCommon: Bool) {
    guard try DetailQueries.areKept(db) else { return ("false", false) }
    let names = try DetailQueries.names(db).filter { isName($0) }
    guard !names.isEmpty else { return ("false", false) }
    // Names have no zero, which would end the statement: see `PictureDetails.text`.
    let list = names.map { "'\($0.escaping("'", as: "''"))'" }.joined(separator: ", ")
    let isNamed = "\(DetailQueries.name(db.dialect)) IN (\(list))"
    let many = "SELECT 1 FROM picture_details WHERE \(isNamed) LIMIT \(WordMatches.commonImages)"
    var isCommon = false
    // The text has the names, so it hardly ever repeats.
    let count = "SELECT count(*) = \(WordMatches.commonImages) FROM (\(many)) AS named"
    try db.forEachRow(count, with: Values(), isKept: false) { row in
      isCommon = try row.value(0)
      return false
    }
    if isCommon { return (Self.each(isNamed), true) }
    return (Self.all(isNamed), false)
  }

  private func isName(_ name: String) -> Bool {
    let known = SearchWords(name)
    return !name.utf8.contains(0) && words.words.allSatisfy { known.has($0) }
      && words.pairWords.allSatisfy { known.has($0) }
  }

  /// Begins with the details: the way for few.
  private static func all(_ isNamed: String) -> String {
    """
    image.id IN (
      WITH named AS (SELECT sha256 FROM picture_details WHERE \(isNamed))
      SELECT image_id FROM named JOIN original ON original.sha256 = named.sha256
        JOIN image_original ON original_id = original.id
      UNION ALL
      SELECT image_id FROM named JOIN folder_original ON folder_original.sha256 = named.sha256
    )
    """
  }

  /// Looks at the details of each image: the way for many.
  private static func each(_ isNamed: String) -> String {
    """
    (EXISTS (
      SELECT 1 FROM image_original JOIN original ON original.id = original_id
        JOIN picture_details ON picture_details.sha256 = original.sha256
      WHERE image_id = image.id AND \(isNamed)
    ) OR EXISTS (
      SELECT 1 FROM folder_original
        JOIN picture_details ON picture_details.sha256 = folder_original.sha256
      WHERE image_id = image.id AND \(isNamed)
    ))
    """
  }
}

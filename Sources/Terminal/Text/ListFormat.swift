import Scenes

/// What a line of a list says of an image: a user's pattern, such as `{id}\t{title}`.
///
/// `{{` and `}}` stand for braces, `\t`, `\n`, `\0` and `\\` for what they mean in C.
package struct ListFormat: Equatable, Sendable {
  /// The members of a record, by the names that they have in JSON.
  package enum Field: String, CaseIterable, Sendable {
    case id, title, caption, author, published
    case feedID = "feed.id"
    case feedTitle = "feed.title"
    case thumbnailURL = "thumbnail.url"
    case thumbnailStored = "thumbnail.stored"
    case thumbnailBytes = "thumbnail.bytes"
    case thumbnailType = "thumbnail.type"
    case thumbnailWidth = "thumbnail.width"
    case thumbnailHeight = "thumbnail.height"
    case originalStored, gone
  }

  /// Why a pattern means nothing.
  package enum Problem: Error, Equatable {
    case unknownField(String)
    case loneBrace
  }

  private enum Piece: Equatable, Sendable {
    case text(String)
    case field(Field)
  }

  private var pieces: [Piece] = []

  package init(_ pattern: String) throws(Problem) {
    var text = ""
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("{", "{"), ("}", "}"):
        text.append(character)
        rest.removeFirst()
      case ("{", _):
        pieces += [.text(text), .field(try Self.field(in: &rest))]
        text = ""
      case ("}", _): throw .loneBrace
      case ("\\", let next?):
        text += Self.escapes[next] ?? "\\\(next)"
        rest.removeFirst()
      default: text.append(character)
      }
    }
    pieces.append(.text(text + "\n"))
  }

  private static let escapes: [Character: String] = ["t": "\t", "n": "\n", "0": "\0", "\\": "\\"]

  private static func field(in rest: inout Substring) throws(Problem) -> Field {
    guard let end = rest.firstIndex(of: "}") else { throw .loneBrace }
    let name = String(rest[..<end])
    guard let field = Field(rawValue: name) else { throw .unknownField(name) }
    rest = rest[end...].dropFirst()
    return field
  }

  /// The line of a record with its end; what comes from strangers is made harmless.
  func line(_ record: ImageRecord) -> String {
    var line = ""
    for piece in pieces {
      switch piece {
      case .text(let text): line += text
      case .field(let field): line += HarmlessText.line(Self.value(of: field, in: record) ?? "")
      }
    }
    return line
  }

  private static func value(of field: Field, in record: ImageRecord) -> String? {
    let thumbnail = record.thumbnail
    return switch field {
    case .id: String(record.id)
    case .title: record.title
    case .caption: record.caption
    case .author: record.author
    case .published: record.published
    case .feedID: String(record.feed.id)
    case .feedTitle: record.feed.title
    case .thumbnailURL: thumbnail.url
    case .thumbnailStored: String(thumbnail.stored)
    case .thumbnailBytes: thumbnail.bytes.map { String($0) }
    case .thumbnailType: thumbnail.type
    case .thumbnailWidth: thumbnail.width.map { String($0) }
    case .thumbnailHeight: thumbnail.height.map { String($0) }
    case .originalStored: String(record.originalStored)
    case .gone: String(record.gone)
    }
  }
}

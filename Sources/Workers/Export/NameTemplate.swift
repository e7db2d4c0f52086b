import Models

/// A template for the names of exported files: `{feed}/{date:%Y-%m}/{title} [{id}].{ext}`.
///
/// Slashes of the template separate folders; slashes in a value do not, but for a part `{folder}` of its own, which stands
/// for all folders of the image, and for none. A doubled brace is a literal brace.
package struct NameTemplate: Sendable, Equatable {
  /// The reason why a text is not a template.
  package enum Flaw: Error, Sendable, Equatable {
    case unknownField(String)
    /// A brace without its partner.
    case openBrace
    /// A format that the field does not have; nil for a field without formats.
    case format(String, field: NameField)
    /// The file or a folder has an empty name.
    case emptyPart
    /// The path would leave the folder, or lead into the export's own subfolder.
    case place(String)
    /// A literal text is so long that no room remains for values.
    case tooLong
  }

  fileprivate enum Piece: Sendable, Equatable {
    case text(String)
    case field(NameField, format: String?)
  }

  package static let standard = "{feed}/{date:%Y-%m}/{title} [{id}].{ext}"
  /// The most bytes of literal text in one part of the path.
  private static let longestText = 100

  package let text: String
  /// The pieces of each part of the path.
  private let parts: [[Piece]]

  package init(_ text: String = standard) throws(Flaw) {
    self.text = text
    var parts: [[Piece]] = []
    for part in try Self.parts(of: text) { parts.append(try Self.checked(part)) }
    if parts.last == Self.folders { throw .emptyPart }
    self.parts = parts
    if case .text(let first)? = parts.first?.first, first.lowercased() == ".gallery-export" {
      throw .place(first)
    }
  }

  /// Whether it has a field of what the camera has written, which is read for it alone.
  package var needsDetails: Bool {
    parts.joined().contains { piece in
      if case .field(let field, _) = piece { field.isOfDetails } else { false }
    }
  }

  /// Whether the names end in the kind of the picture, or in an ending that the template writes out.
  package var hasEnding: Bool {
    (parts.last ?? []).contains { piece in
      switch piece {
      case .text(let text): text.contains(".")
      case .field(let field, _): field == .ext
      }
    }
  }

  /// The path of an image's file, relative to the folder.
  package func path(of image: NamedImage) -> String {
    parts.flatMap { part in
      part == Self.folders ? image.folders.map(FileName.safe) : [Self.name(part, image)]
    }.joined(separator: "/")
  }

  /// The part that stands for the folders of an image.
  private static let folders: [Piece] = [.field(.folder, format: nil)]

  /// Joins the pieces of a name, and shortens the longest values if it is too long.
  private static func name(_ part: [Piece], _ image: NamedImage) -> String {
    var values = part.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field, let format): FileName.cleaned(field.value(of: image, format))
      }
    }
    var excess = excess(of: values)
    while excess > 0 {
      let lengths = values.map(\.utf8.count)
      guard let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) else { break }
      let room = max(lengths[longest] - excess, lengths[longest] / 2)
      values[longest] = FileName.shortened(values[longest], to: room)
      excess = Self.excess(of: values)
    }
    return FileName.finished(FileName.cleaned(values.joined()))
  }

  private static func excess(of values: [String]) -> Int {
    values.reduce(-FileName.longestPart) { $0 + $1.utf8.count }
  }

  // MARK: Reading a template

  private static func parts(of text: String) throws(Flaw) -> [[Piece]] {
    var parts: [[Piece]] = [[]]
    var rest = text[...]
    var literal = ""
    func end() {
      if !literal.isEmpty { parts[parts.count - 1].append(.text(literal)) }
      literal = ""
    }
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(character)
        rest.removeFirst()
      case "{":
        guard let close = rest.firstIndex(of: "}") else { throw .openBrace }
        end()
        parts[parts.count - 1].append(try field(rest[..<close]))
        rest = rest[rest.index(after: close)...]
      case "}": throw .openBrace
      case "/":
        end()
        parts.append([])
      default: literal.append(character)
      }
    }
    end()
    return parts
  }

  private static func field(_ text: Substring) throws(Flaw) -> Piece {
    let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(words[0])
    guard let field = NameField(rawValue: name) else { throw .unknownField(name) }
    guard words.count == 2 else { return .field(field, format: nil) }
    let format = String(words[1])
    guard field.isDate, DateForm.isValid(format) else { throw .format(format, field: field) }
    return .field(field, format: format)
  }

  /// Refuses a part that is not a valid name in its folder.
  private static func checked(_ part: [Piece]) throws(Flaw) -> [Piece] {
    if part.isEmpty { throw .emptyPart }
    var literal = ""
    for case .text(let text) in part { literal += text }
    if literal.utf8.count > longestText { throw .tooLong }
    if part.count == 1, case .text(let text) = part[0], FileName.safe(text) != text {
      throw .place(text)
    }
    return part
  }
}

/// A field of an image for templates; the raw value is its name in templates.
package enum NameField: String, Sendable, CaseIterable {
  case id
  case title
  case feed
  case feedID = "feed-id"
  case date
  case added
  case taken
  case camera
  case lens
  case author
  case caption
  case licence
  case manifest
  case folder
  case name
  case hash
  case width
  case height
  case ext

  package var isDate: Bool { [.date, .added, .taken].contains(self) }

  fileprivate var isOfDetails: Bool { [.taken, .camera, .lens].contains(self) }

  /// The value for an image, as its feed gives it; `unknown` when the feed does not give one.
  func value(of image: NamedImage, _ format: String?) -> String {
    switch self {
    case .id: String(image.id)
    case .title: image.title
    case .feed: image.feed
    case .feedID: String(image.state.feedID)
    case .date: DateForm.text(image.state.date, format ?? DateForm.day)
    case .added: DateForm.text(image.state.firstSeen, format ?? DateForm.day)
    case .taken:
      image.details.taken.map { DateForm.text($0.seconds, format ?? DateForm.day) } ?? Self.unknown
    case .camera: image.details.camera ?? Self.unknown
    case .lens: image.details.lens ?? Self.unknown
    case .author: image.state.fields.author ?? Self.unknown
    case .caption: image.state.fields.caption ?? Self.unknown
    case .licence: image.state.fields.licence ?? Self.unknown
    case .manifest: image.state.manifest?.label ?? Self.unknown
    case .folder: image.folders.isEmpty ? Self.unknown : image.folders.joined(separator: "/")
    case .name: image.addressName
    case .hash: image.hash.hexadecimal
    case .width: image.width.map(String.init) ?? Self.unknown
    case .height: image.height.map(String.init) ?? Self.unknown
    case .ext: image.original.format.fileExtension
    }
  }

  private static let unknown = "unknown"
}

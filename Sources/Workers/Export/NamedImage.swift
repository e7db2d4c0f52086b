package import Models

/// An image with a stored original, as input for the name of its file and for its sidecar.
package struct NamedImage: Sendable, Equatable {
  package let state: ImageState
  /// The title of its feed, or the host if the feed has no title.
  package let feed: String
  /// The address of its feed if that is a folder of pictures; nil otherwise.
  private let place: WebAddress?
  /// The stored original.
  package let original: PictureInfo
  package let hash: SHA256Digest
  /// What the camera has written; empty unless its file's name needs it.
  package var details = PictureDetails()

  /// Returns nil when no original is stored, or when it is damaged.
  package init?(_ state: ImageState, feed: String, place: WebAddress? = nil) {
    guard let original = state.original?.info, let hash = original.hash else { return nil }
    self.state = state
    self.feed = feed
    self.place = place
    self.original = original
    self.hash = hash
  }

  package var id: Int64 { state.id }
  package var width: Int? { original.width ?? state.fields.width }
  package var height: Int? { original.height ?? state.fields.height }

  /// Its title, or else the first line of its caption, or else the name in its address.
  package var title: String {
    ImageTile.name(title: state.fields.title, caption: state.fields.caption) ?? addressName
  }

  /// The last part of the original's address, without the file name's extension.
  package var addressName: String {
    WebAddress(state.fields.originalAddress).map(Self.name) ?? "untitled"
  }

  /// The folders in which its file is, below the folder that its feed follows; none for images of other feeds.
  package var folders: [String] {
    guard let top = place?.filePath,
      let path = WebAddress(state.fields.originalAddress)?.filePath,
      path.utf8.starts(with: top.utf8)
    else { return [] }
    return path.utf8.dropFirst(top.utf8.count).split(separator: UInt8(ascii: "/")).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  package static func name(in address: WebAddress) -> String {
    guard let last = address.path.split(separator: "/").last else { return "untitled" }
    let name = PercentEncoding.decode(last)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// Formats dates for names, in UTC, with a few of the conversions of strftime(3).
enum DateForm {
  static let day = "%Y-%m-%d"

  static func isValid(_ format: String) -> Bool {
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%" else { continue }
      guard let letter = rest.popFirst(), "YymdHMSj%".contains(letter) else { return false }
    }
    return !format.isEmpty
  }

  static func text(_ seconds: Int64, _ format: String) -> String {
    let day = CalendarDay(ofSecond: seconds)
    let time = Int((seconds % 86_400 + 86_400) % 86_400)
    let (year, month, dayOfMonth) = day.parts
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch letter {
      case "Y": text += padded(year, 4)
      case "y": text += padded(abs(year) % 100, 2)
      case "m": text += padded(month, 2)
      case "d": text += padded(dayOfMonth, 2)
      case "H": text += padded(time / 3_600, 2)
      case "M": text += padded(time / 60 % 60, 2)
      case "S": text += padded(time % 60, 2)
      case "j":
        let first = CalendarDay(year: year, month: 1, day: 1).daysSince1970
        text += padded(day.daysSince1970 - first + 1, 3)
      default: text.append("%")
      }
    }
    return text
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, digits - text.count))
    return (number < 0 ? "-" : "") + zeros + text
  }
}

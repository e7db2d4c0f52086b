import FoundationEssentials
package import Models
package import Scenes
package import Workers

/// Changes as lines of JSON, for clients that keep a copy of the library.
///
/// A copy has a line for each image, so members without information (null, false, empty) are left out.
package struct ChangeLines {
  /// Whether the lines of feeds are limited to the facts that a list of images shows.
  private let tellsFeedsBriefly: Bool
  /// Whether the lines of images tell where a pack has the thumbnail.
  private let tellsPacks: Bool

  package init(for part: LibraryPart) {
    tellsFeedsBriefly = part.search != nil
    // Packs have thumbnails of all feeds.
    tellsPacks = part.isWhole
  }

  /// A line for each change.
  package func json(_ lines: [ChangeLine]) -> [UInt8] {
    JSONLine.lines(of: lines) { line, json in write(line, to: &json) }
  }

  /// The last line of a page; `title` is that of the gallery.
  package static func end(
    cursor: String,
    library: String,
    title: String? = nil,
    hasMore: Bool
  ) -> [UInt8] {
    JSONLine.lines(of: CollectionOfOne(cursor)) { cursor, json in
      json.member("cursor", cursor)
      json.member("more", hasMore)
      json.member("library", library)
      json.tell("title", title)
    }
  }

  /// The members of a line.
  package func write(_ line: ChangeLine, to json: inout JSONLine) {
    json.member("seq", line.position.number)
    if case .removed = line.state { json.member("op", "delete") } else { json.member("op", "put") }
    json.member("type", line.position.kind.recordName)
    json.member("id", line.position.id)
    switch line.state {
    case .removed: return
    case .feed(let feed): json.member("data") { write(feed, to: &$0) }
    case .image(let image): json.member("data") { image.write(to: &$0, withPack: tellsPacks) }
    case .pin(let date): json.member("data") { $0.member("pinned", Wording.timestamp(date)) }
    }
  }

  private func write(_ feed: Feed, to json: inout JSONLine) {
    json.tell("url", feed.publishedAddress)
    json.tell("title", feed.title)
    json.tell("format", feed.format?.rawValue)
    if tellsFeedsBriefly { return }
    if feed.givenTitle != nil { json.tell("ownTitle", feed.ownTitle) }
    json.member("images", feed.imageCount)
    json.tell("whole", feed.isWhole)
    json.tell("paused", feed.isPaused)
    let aliases = feed.aliases.compactMap(\.published)
    if !aliases.isEmpty { json.member("aliases", .texts(aliases)) }
  }
}

extension ChangedKind {
  /// The name in JSON, and in the parameter `types`.
  package var recordName: String {
    switch self {
    case .feed: "feed"
    case .image: "image"
    case .pin: "pin"
    }
  }
}

extension ImageState {
  fileprivate func write(to json: inout JSONLine, withPack tellsPack: Bool) {
    json.member("feed", feedID)
    json.member("position", position)
    json.member("date", Self.timestamp(date))
    json.member("firstSeen", Self.timestamp(firstSeen))
    json.tell("published", fields.published.map(Self.timestamp))
    json.tell("title", fields.title)
    json.tell("caption", fields.caption)
    json.tell("author", fields.author)
    json.tell("licence", fields.licence)
    json.tell("pageURL", fields.pageAddress.flatMap(Self.published))
    json.tell("thumbnailURL", fields.thumbnailAddress.flatMap(Self.published))
    json.tell("originalURL", Self.published(fields.originalAddress))
    let renditions = fields.renditions.compactMap(Self.published)
    if !renditions.isEmpty { json.member("renditionURLs", .texts(renditions)) }
    json.tell("width", fields.width)
    json.tell("height", fields.height)
    json.tell("bytes", fields.bytes)
    json.tell("entry", entryID.flatMap(Self.published))
    json.tell("entryAmbiguous", isEntryAmbiguous)
    json.tell("gone", isGone)
    if let thumbnail { json.member("thumbnail") { Self.write(thumbnail, tellsPack, to: &$0) } }
    if let original {
      json.member("original") { json in
        json.tell(original.info)
        json.tell("stale", original.isStale)
      }
    }
    if let manifest { json.member("manifest", .record(Record(manifest).withholdingFiles)) }
  }

  private static func write(
    _ thumbnail: Thumbnail,
    _ tellsPack: Bool,
    to json: inout JSONLine
  ) {
    json.tell(thumbnail.info)
    json.tell("made", thumbnail.isMade)
    json.tell("stale", thumbnail.isStale)
    json.tell("colours", thumbnail.colours.map { Data($0).base64EncodedString() })
    guard tellsPack, let pack = thumbnail.pack else { return }
    json.member("pack") { json in
      json.member("sha256", pack.hash.hexadecimal)
      json.member("offset", pack.offset)
    }
  }

  private static func timestamp(_ seconds: Int64) -> String {
    Wording.timestamp(Date(storedSeconds: seconds))
  }

  /// As `WebAddress.published`, and any other text as it is.
  ///
  /// Most addresses have no place for a secret and do not begin like that of a file, so their parts are not looked at.
  private static func published(_ address: String) -> String? {
    let bytes = address.utf8
    let mayBeFile = bytes.first.map { $0 | 0x20 == UInt8(ascii: "f") } ?? false
    let hasPlace = bytes.contains { byte in
      byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
    guard hasPlace || mayBeFile, let read = WebAddress(address) else { return address }
    return read.published
  }
}

extension JSONLine {
  fileprivate mutating func tell(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  fileprivate mutating func tell(_ name: StaticString, _ value: Int?) {
    if let value { member(name, value) }
  }

  fileprivate mutating func tell(_ name: StaticString, _ value: Bool) {
    if value { member(name, true) }
  }

  /// Writes the members that pictures of both kinds have.
  fileprivate mutating func tell(_ info: PictureInfo) {
    member("sha256", info.hash?.hexadecimal)
    member("type", info.format.mediaType)
    member("bytes", info.bytes)
    tell("width", info.width)
    tell("height", info.height)
  }
}

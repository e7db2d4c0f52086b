import Scenes

/// Takes the members of an image's record, one by one.
protocol ImageMemberWriting: ~Copyable {
  mutating func member(_ name: StaticString, _ value: String?)
  mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?)
  mutating func member(_ name: StaticString, _ value: Bool)
  mutating func member(_ name: StaticString, _ members: (inout Self) -> Void)
  mutating func member(_ name: StaticString, _ failures: [FailureRecord])
}

extension JSONLine: ImageMemberWriting {}

extension ImageRecord {
  /// The members, for JSON and for the formats of `list --format` alike.
  func write<Line: ImageMemberWriting & ~Copyable>(to line: inout Line) {
    line.member("id", id)
    line.member("title", title)
    line.member("caption", caption)
    line.member("author", author)
    line.member("published", published)
    line.member("feed") { line in
      line.member("id", feed.id)
      line.member("title", feed.title)
    }
    line.member("thumbnail") { line in
      line.member("url", thumbnail.url)
      line.member("stored", thumbnail.stored)
      line.member("bytes", thumbnail.bytes)
      line.member("type", thumbnail.type)
      line.member("width", thumbnail.width)
      line.member("height", thumbnail.height)
      line.member("damaged", thumbnail.damaged)
    }
    line.member("originalStored", originalStored)
    line.member("originalDamaged", originalDamaged)
    line.member("gone", gone)
    line.member("failures", failures)
  }
}

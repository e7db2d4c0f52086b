/// The formats whose documents are JSON; the last takes whatever the others do not.
enum JSONFormats {
  static let all: [any JSONFormat.Type] = [
    JSONFeedFormat.self, IIIFFormat.self, JSONListFormat.self,
  ]
}

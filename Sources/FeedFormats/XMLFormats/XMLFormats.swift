/// The formats whose documents are XML.
enum XMLFormats {
  static let all: [any XMLFormat.Type] = [RSSFormat.self, AtomFormat.self, OPMLFormat.self]
}

/// Says what a JSON document is by its members, when it is known and no feed.
enum ForeignJSON {
  /// A noun with its article; nil when the members say nothing of the kind.
  static func description(of members: [JSONMember]) -> String? {
    let document = JSONValue.object(members)
    if let context = document["@context"], names(context, "iiif.io") {
      return isCollection(document) ? "a IIIF collection" : "a IIIF manifest"
    }
    if document["type"] == .string("FeatureCollection") { return "a GeoJSON map" }
    return nil
  }

  private static func isCollection(_ document: JSONValue) -> Bool {
    let type = document["type"]?.string ?? document["@type"]?.string ?? ""
    return type.hasSuffix("Collection")
  }

  private static func names(_ context: JSONValue, _ word: String) -> Bool {
    let texts = [context.string].compactMap(\.self) + context.elements.compactMap(\.string)
    return texts.contains { $0.contains(word) }
  }
}

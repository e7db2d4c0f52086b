/// Says what a JSON document is by its members, when it is known and no feed.
enum ForeignJSON {
  /// A noun with its article; nil when the members say nothing of the kind.
  static func description(of members: [JSONMember]) -> String? {
    let document = JSONValue.object(members)
    if IIIFFormat.reads(members, key: "", element: nil) { return nil }
    if IIIFContext.namesImages(members) { return "a IIIF image's description" }
    if IIIFContext.namesPresentation(members) { return "a part of a IIIF manifest" }
    if document["type"] == .string("FeatureCollection") { return "a GeoJSON map" }
    return nil
  }
}

/// Reads the `@context` of a document, one address or several, which tells IIIF's APIs apart.
enum IIIFContext {
  /// Whether a document is one of the presentation API.
  static func namesPresentation(_ members: [JSONMember]) -> Bool {
    names(["iiif.io/api/presentation", "shared-canvas.org"], in: members)
  }

  /// Whether a document is one of the image API: the description of an image service.
  static func namesImages(_ members: [JSONMember]) -> Bool {
    names(["iiif.io/api/image", "library.stanford.edu/iiif/image-api"], in: members)
  }

  private static func names(_ words: [String], in members: [JSONMember]) -> Bool {
    let contexts = members.filter { $0.key == "@context" }.flatMap(\.value.listed)
    return contexts.contains { context in
      words.contains { context.string?.contains($0) ?? false }
    }
  }
}

import Models
import Workers

/// Manifests and collections of IIIF Presentation 2.1 and 3.0 (https://iiif.io/api/presentation/).
///
/// A manifest is an object with canvases: version 3 in `items`, version 2 in the `canvases` of its
/// first sequence. Each canvas is an entry, and is read when it has arrived. The manifest's own
/// description applies to the canvases after it, as nearly every manifest has it first. A
/// collection contains the addresses of manifests and of other collections.
final class IIIFFormat: JSONFormat {
  static let kind = FeedFormat.Kind.manifest

  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool {
    let document = JSONValue.object(members)
    let isOfFormat = IIIFContext.namesPresentation(members)
    switch document.iiifType {
    case "Manifest": return true
    case "AnnotationPage": return true
    case "Collection": return isOfFormat || document["@type"] == .string("sc:Collection")
    default: return isOfFormat && document.iiifType.isEmpty
    }
  }

  var entries: [FeedEntry] = []
  private let feed: FeedFacts
  private var facts: [String: [JSONValue]] = [:]
  private var description: IIIFDescription?
  private var sequenceCount = 0
  private var imageCount = 0
  private var isCollection = false
  private var members: AddressList
  /// The words for the pictures in annotation pages of their own, by the addresses of the pages.
  private var parts: [WebAddress: EntryWords] = [:]
  private var unreadableCanvases = 0
  private let languages: [String]
  /// The annotations of the document, if it is an annotation page, and the words for their pictures.
  private var annotations: [JSONValue] = []
  private let source: FeedSource
  private var firstPage: String?
  private var nextPage: String?

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    members = AddressList(of: source.address)
    languages = source.languages
    self.source = source
  }

  func whole(_ value: JSONValue) {
    for member in value.members where !Self.lists.contains(member.key) {
      self.member(member.key, member.value, depth: 1)
    }
    for member in value.members where Self.lists.contains(member.key) {
      for element in member.value.elements { self.element(element, of: member.key, depth: 2) }
    }
  }

  func member(_ key: String, _ value: JSONValue, depth: Int) {
    guard depth == 1 else { return }
    switch key {
    case "type", "@type": isCollection = value.string?.hasSuffix("Collection") ?? false
    case "first": firstPage = value.iiifID
    case "next": nextPage = value.iiifID
    default: note(value.listed, as: key)
    }
  }

  func opening(of key: String) {
    if key == "sequences" { sequenceCount += 1 }
  }

  func element(_ value: JSONValue, of key: String, depth: Int) {
    switch (key, depth) {
    case ("sequences", 2):
      sequenceCount += 1
      if sequenceCount == 1 { value.list("canvases").forEach(canvas) }
    case ("canvases", 3...): if sequenceCount == 1 { canvas(value) }
    case ("items", 2): item(value)
    case ("manifests", 2), ("collections", 2), ("members", 2): listed(value)
    case (_, 2): note([value], as: key)
    default: break
    }
  }

  func document(isSound: Bool) throws(FeedError) -> FeedDocument {
    if members.all.isEmpty, let firstPage { members.add(firstPage) }
    if let nextPage { members.add(nextPage) }
    closePage()
    let isEmpty = imageCount == 0 && members.all.isEmpty
    if isEmpty, !isSound { throw .notAFeed(looksLike: "a IIIF manifest without pictures") }
    var document = FeedDocument(format: .iiif, title: words.title)
    let isManifest = (imageCount > 0 || !parts.isEmpty) && annotations.isEmpty
    if isManifest { document.manifest = IIIFDescription.manifest(of: said, in: languages) }
    document.parts = parts
    if isEmpty { document.flaws.append(emptiness) }
    if unreadableCanvases > 0 { document.flaws.append(.unreadableCanvases(unreadableCanvases)) }
    if members.isCut { document.flaws.append(.excessiveMembers) }
    document.listsEverything = isSound && document.flaws.isEmpty
    if !members.all.isEmpty { document.continuation = .members(members.all) }
    return document
  }

  /// The members that are lists of entries; `whole` handles them after all other members.
  private static let lists: Set<String> = [
    "items", "sequences", "manifests", "collections", "members",
  ]

  private var emptiness: DocumentFlaw { isCollection ? .emptyCollection : .emptyManifest }

  /// The document's description of itself, as far as it has been read.
  private var words: IIIFDescription {
    if let description { return description }
    let words = IIIFDescription(of: said, in: languages)
    description = words
    return words
  }

  private var said: JSONValue {
    .object(facts.map { JSONMember(key: $0.key, value: Self.value(of: $0.value)) })
  }

  private static func value(of list: [JSONValue]) -> JSONValue {
    list.count == 1 ? list[0] : .array(list)
  }

  private func note(_ values: [JSONValue], as key: String) {
    guard IIIFDescription.members.contains(key) else { return }
    let known = facts[key] ?? []
    facts[key] = known + values.prefix(FormatLimits.manifestFacts - known.count)
    description = nil
  }

  private func item(_ value: JSONValue) {
    switch value.iiifType {
    case "Manifest", "Collection": listed(value)
    case "Annotation":
      if annotations.count < FormatLimits.picturesPerEntry { annotations.append(value) }
    default: canvas(value)
    }
  }

  /// Handles a member of the collection; for an embedded collection, its members.
  private func listed(_ value: JSONValue) {
    let inner = Self.lists.subtracting(["sequences"]).sorted().flatMap { value.list($0) }
    if value.iiifType == "Collection", !inner.isEmpty {
      inner.forEach(listed)
    } else if let id = value.iiifID {
      members.add(id)
    }
  }

  private func canvas(_ value: JSONValue) {
    let pages = IIIFCanvas.pages(of: value)
    if !pages.isEmpty { note(pages: pages, of: value) }
    add(IIIFCanvas.entry(of: value, in: words))
  }

  /// Notes the pages with the pictures of a canvas, which are members of the document.
  private func note(pages: [String?], of canvas: JSONValue) {
    let known = pages.compactMap { $0.flatMap { members.add($0) } }
    if known.count < pages.count { unreadableCanvases += 1 }
    if known.isEmpty { return }
    let words = IIIFCanvas.words(of: canvas, in: words)
    for page in known { parts[page] = words }
  }

  private func closePage() {
    if annotations.isEmpty { return }
    add(IIIFCanvas.entry(of: annotations, source.words))
  }

  private func add(_ entry: Entry) {
    let found = EntryImages(of: entry, in: feed, relativeTo: .document).found().entry
    imageCount += found?.images.count ?? 0
    entries.append(found)
  }
}

/// Reads the `@context` of a document, one address or several, which distinguishes IIIF's APIs.
enum IIIFContext {
  /// Whether a document belongs to the presentation API.
  static func namesPresentation(_ members: [JSONMember]) -> Bool {
    names(["iiif.io/api/presentation", "shared-canvas.org"], in: members)
  }

  /// Whether a document belongs to the image API, which describes image services.
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

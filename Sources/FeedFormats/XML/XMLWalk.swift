import CXML2
import Models
import Workers

/// Follows the events of the XML parser and hands the elements to the format that reads them.
///
/// It keeps a stack of its own beside the parser's. In a damaged document the parser answers an end
/// tag that does not fit by closing whatever was opened last, so that one missing `</br>` would
/// shift every element after it. Here the end tag closes the element it names, wherever that is.
struct XMLWalk {
  private struct Frame {
    let name: XMLName
    let local: UnsafePointer<xmlChar>?
    let content: XMLContent
    let base: WebAddress?
  }

  let source: FeedSource
  private(set) var format: (any XMLFormat)?
  /// The format's type: to ask it copies nothing.
  private var kind: (any XMLFormat.Type)?
  private(set) var failure: FeedError?
  var flaws = Flaws()
  private var names = XMLNames()
  private var stack: [Frame] = []
  private var text: [UInt8] = []
  /// How many of the open elements lie inside one whose children are not looked at.
  private var unseenDepth = 0
  /// The name in an end tag that does not fit what is open.
  private var strayEnd: String?

  init(source: FeedSource) { self.source = source }

  /// Whether some element is open.
  var isOpen: Bool { !stack.isEmpty }

  /// The images that are complete.
  mutating func takeImages() -> [FeedImage] {
    guard let format, !format.images.isEmpty else { return [] }
    defer { self.format?.images.removeAll(keepingCapacity: true) }
    return format.images
  }

  mutating func start(
    local: UnsafePointer<xmlChar>?,
    prefix: UnsafePointer<xmlChar>?,
    address: UnsafePointer<xmlChar>?,
    attributes: XMLAttributes
  ) {
    guard failure == nil else { return }
    let name = names.name(local: local, prefix: prefix, address: address)
    if let kind, stack.count > 1, kind.beginsEntry(name) { closeUnendedEntry(before: name) }
    if unseenDepth > 0 {
      enterUnseen(local: local, attributes: attributes)
      return
    }
    do throws(FeedError) {
      try chooseFormat(root: name, local: local)
      try open(name, local: local, attributes: attributes)
    } catch {
      failure = error
    }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !stack.isEmpty else { return }
    let content = stack[stack.count - 1].content
    if unseenDepth == 0, content == .none { return }
    let limit = content == .markup ? FormatLimits.markupText : FormatLimits.elementText
    let room = max(0, limit - text.count)
    if bytes.count > room { flaws.add(.longText(limit: limit)) }
    let fitting = UnsafeBufferPointer(rebasing: bytes.prefix(room))
    if content == .markup, unseenDepth > 1 { return MarkupWriter.escape(fitting, into: &text) }
    text.append(contentsOf: fitting)
  }

  mutating func end(local: UnsafePointer<xmlChar>?) {
    guard failure == nil else { return }
    if let name = strayEnd {
      strayEnd = nil
      let match = stack.lastIndex { $0.local.map { String(cString: $0) == name } ?? false }
      if let match { close(downTo: match) }
    } else if let match = stack.lastIndex(where: { $0.local == local }) {
      close(downTo: match)
    }
  }

  /// Takes what the parser has to complain of; `end` is the name in an end tag that does not fit.
  mutating func complaint(_ flaw: DocumentFlaw, strayEnd end: String?) {
    strayEnd = end.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
    flaws.add(flaw)
  }

  /// Says that the document is declared to be another kind of document.
  mutating func declares(rootName: String) {
    if rootName.lowercased() == "html" { failure = .notAFeed(looksLike: "an HTML page") }
  }

  /// Closes what a document that ends too early has left open.
  ///
  /// The text that was being read is dropped: half an address is the address of something else.
  mutating func closeAll() {
    text.removeAll()
    if failure == nil { close(downTo: 0) }
  }

  /// What the document as a whole is.
  ///
  /// - Throws: when not one element could be read.
  mutating func document() throws(FeedError) -> FeedDocument {
    guard let format else { throw .malformed(.noRoot) }
    var document = try self.document(of: format)
    document.images = takeImages()
    document.flaws = flaws.all + document.flaws
    return document
  }

  /// A damaged document of which nothing could be read is not said to be something else.
  private func document(of format: any XMLFormat) throws(FeedError) -> FeedDocument {
    do throws(FeedError) {
      return try format.document()
    } catch {
      guard let worst = flaws.worst else { throw error }
      throw .malformed(worst)
    }
  }

  private mutating func chooseFormat(root: XMLName, local: UnsafePointer<xmlChar>?)
    throws(FeedError)
  {
    guard kind == nil else { return }
    guard let type = XMLFormats.all.first(where: { $0.reads(root: root) }) else {
      let name = local.map { String(cString: $0) } ?? ""
      throw .notAFeed(looksLike: ForeignRoot.description(of: name))
    }
    kind = type
    format = type.init(source: source)
  }

  private mutating func open(
    _ name: XMLName,
    local: UnsafePointer<xmlChar>?,
    attributes: XMLAttributes
  ) throws(FeedError) {
    guard stack.count < FormatLimits.depth else {
      throw .beyondLimit(of: "the nesting of elements", limit: FormatLimits.depth)
    }
    var base = stack.last?.base
    if let reference = attributes.base {
      base = (base ?? source.address).resolving(reference) ?? base
    }
    let parent = stack.last?.name ?? .document
    let element = XMLElement(name: name, parent: parent, attributes: attributes, base: base)
    let content = try format?.open(element) ?? .none
    text.removeAll(keepingCapacity: true)
    stack.append(Frame(name: name, local: local, content: content, base: base))
    if content != .children { unseenDepth = 1 }
  }

  /// Goes into an element whose like is not looked at but for its text.
  private mutating func enterUnseen(local: UnsafePointer<xmlChar>?, attributes: XMLAttributes) {
    guard let last = stack.last, stack.count < FormatLimits.depth else {
      failure = .beyondLimit(of: "the nesting of elements", limit: FormatLimits.depth)
      return
    }
    let outer = stack[stack.count - unseenDepth].base
    let base = attributes.base.flatMap { (last.base ?? source.address).resolving($0) } ?? last.base
    if let local, isWritten(local, in: last.content) {
      MarkupWriter.open(local, attributes, base: base == outer ? nil : base, into: &text)
    } else {
      separateWords(around: local)
    }
    stack.append(Frame(name: .document, local: local, content: last.content, base: base))
    unseenDepth += 1
  }

  private func isWritten(_ local: UnsafePointer<xmlChar>, in content: XMLContent) -> Bool {
    content == .markup && text.count < FormatLimits.markupText && MarkupWriter.isWritten(local)
  }

  private mutating func separateWords(around local: UnsafePointer<xmlChar>?) {
    guard let local, text.count < FormatLimits.markupText,
      HTMLTag.separatesWords(String(cString: local))
    else { return }
    text.append(0x20)
  }

  private mutating func close(downTo depth: Int) {
    while stack.count > depth { closeLast() }
  }

  private mutating func closeLast() {
    guard let frame = stack.popLast() else { return }
    if unseenDepth > 1 {
      if let local = frame.local, isWritten(local, in: frame.content) {
        MarkupWriter.close(local, into: &text)
      } else {
        separateWords(around: frame.local)
      }
      unseenDepth -= 1
      return
    }
    unseenDepth = 0
    format?.close(frame.name, in: stack.last?.name ?? .document, text: XMLText(text))
    text.removeAll(keepingCapacity: true)
  }

  /// An entry begins inside an entry: the end tag of the first is missing.
  ///
  /// Or inside something that is not looked at, whose end tag is missing then.
  private mutating func closeUnendedEntry(before name: XMLName) {
    if let open = stack.lastIndex(where: { $0.name == name }) {
      close(downTo: open)
    } else if unseenDepth > 0 {
      close(downTo: stack.count - unseenDepth)
    }
  }
}

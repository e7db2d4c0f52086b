import Glibc

/// A cache of a document's names, and the namespaces of their prefixes at each element.
///
/// Expat returns names as they are written. This type parses each spelling once; after that, a name
/// costs a lookup. It also resolves namespaces itself, because expat would refuse a document for one
/// prefix that is not declared.
struct XMLNames {
  /// A name as written: `media:thumbnail`.
  private struct Spelling {
    let count: Int
    let prefix: Int
    let prefixCount: Int
    let word: XMLWord
  }

  /// The namespace of a prefix.
  private struct Meaning {
    let space: XMLNamespace
    let isDeclared: Bool
  }

  /// A declaration whose scope is an element, and the meaning that it replaced.
  private struct Declaration {
    let depth: Int
    let prefix: Int
    let replaced: Meaning
  }

  private var spellings: [[UInt8]: Spelling] = [:]
  /// The number of bytes of all spellings; expat keeps as many.
  private var bytes = 0
  private var prefixes = ["": 0, "xmlns": 1, "xml": 2]
  private var meanings = [
    Meaning(space: .rss, isDeclared: true), Meaning(space: .other, isDeclared: true),
    Meaning(space: .other, isDeclared: true),
  ]
  private var declarations: [Declaration] = []
  /// Whether the root is that of RSS 2.0 or 0.9x.
  private var isRSS = false

  /// Whether a name had an undeclared prefix.
  private(set) var hasUndeclared = false

  /// Whether the document has more different names than the limit.
  var isFull: Bool {
    bytes + spellings.count * MemoryLayout<Spelling>.size > FormatLimits.names
  }

  /// Begins an element, and returns the meaning of its name and the name without its prefix.
  mutating func enter(
    _ name: UnsafePointer<UInt8>,
    _ attributes: XMLAttributes,
    depth: Int
  ) -> (name: XMLName, local: UnsafeBufferPointer<UInt8>) {
    readAttributes(attributes, depth: depth)
    let spelling = spelling(of: name)
    if depth < 3 { adoptRSS(spelling, depth: depth) }
    let local = UnsafeBufferPointer(
      start: name + spelling.prefixCount,
      count: spelling.count - spelling.prefixCount
    )
    return (XMLName(space(of: spelling), spelling.word), local)
  }

  /// Treats the namespace of an RSS document's root, channel and items as RSS, whatever its address.
  ///
  /// RSS has no official namespace, so programs have invented their own.
  private mutating func adoptRSS(_ spelling: Spelling, depth: Int) {
    let isFrame = isRSS && (spelling.word == .channel || spelling.word == .item)
    guard depth == 0 && spelling.word == .rss || isFrame else { return }
    isRSS = true
    meanings[spelling.prefix] = Meaning(
      space: .rss,
      isDeclared: meanings[spelling.prefix].isDeclared
    )
  }

  /// The part of a name after its prefix.
  static func local(of name: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, count) = (0, 0)
    while name[count] != 0 {
      if name[count] == UInt8(ascii: ":"), start == 0 { start = count + 1 }
      count += 1
    }
    return UnsafeBufferPointer(start: name + start, count: count - start)
  }

  /// Ends the declarations of an element.
  mutating func leave(depth: Int) {
    while let last = declarations.last, last.depth >= depth {
      meanings[last.prefix] = last.replaced
      declarations.removeLast()
    }
  }

  private mutating func readAttributes(_ attributes: XMLAttributes, depth: Int) {
    var hasPrefixes = false
    for index in 0..<attributes.count {
      let name = attributes.name(at: index)
      let spelling = spelling(of: name)
      if spelling.prefix > 1 { hasPrefixes = true }
      guard let prefix = declared(by: name, spelling) else { continue }
      let address = String(decoding: attributes.value(at: index), as: UTF8.self)
      declare(prefix, address, depth: depth)
    }
    guard hasPrefixes else { return }
    for index in 0..<attributes.count {
      let spelling = spelling(of: attributes.name(at: index))
      if !meanings[spelling.prefix].isDeclared { hasUndeclared = true }
    }
  }

  /// The prefix that an attribute declares; nil for any other attribute.
  private mutating func declared(by name: UnsafePointer<UInt8>, _ spelling: Spelling) -> String? {
    if spelling.prefix == 1 { return String(cString: name + spelling.prefixCount) }
    return spelling.count == 5 && memcmp(name, "xmlns", 5) == 0 ? "" : nil
  }

  private mutating func declare(_ prefix: String, _ address: String, depth: Int) {
    let number = number(ofPrefix: prefix)
    // An empty address does not declare a prefix (Namespaces in XML, section 5).
    if number > 0, address.isEmpty { return }
    declarations.append(Declaration(depth: depth, prefix: number, replaced: meanings[number]))
    let space = XMLNamespace(address: address, prefix: number == 0 ? nil : prefix)
    meanings[number] = Meaning(space: space, isDeclared: true)
  }

  private mutating func space(of spelling: Spelling) -> XMLNamespace {
    let meaning = meanings[spelling.prefix]
    if !meaning.isDeclared { hasUndeclared = true }
    return meaning.space
  }

  /// The number of a prefix; an undeclared prefix has its usual meaning.
  private mutating func number(ofPrefix prefix: String) -> Int {
    if let number = prefixes[prefix] { return number }
    prefixes[prefix] = meanings.count
    meanings.append(Meaning(space: XMLNamespace(address: nil, prefix: prefix), isDeclared: false))
    return meanings.count - 1
  }

  private mutating func spelling(of name: UnsafePointer<UInt8>) -> Spelling {
    let key = Array(UnsafeBufferPointer(start: name, count: strlen(name)))
    if let spelling = spellings[key] { return spelling }
    let colon = key.firstIndex(of: UInt8(ascii: ":"))
    let prefix = String(decoding: key[..<(colon ?? 0)], as: UTF8.self)
    let prefixCount = colon.map { $0 + 1 } ?? 0
    let local = String(decoding: key[prefixCount...], as: UTF8.self)
    let spelling = Spelling(
      count: key.count,
      prefix: number(ofPrefix: prefix),
      prefixCount: prefixCount,
      word: XMLWord(localName: local)
    )
    bytes += key.count
    spellings[key] = spelling
    return spelling
  }
}

/// The vocabularies that feeds use.
enum XMLNamespace: UInt8 {
  /// RSS elements: in no namespace, or in one of several that programs have invented.
  case rss
  case atom
  case media
  case content
  case dublinCore
  case itunes
  case licence
  case rdf
  case xhtml
  /// iPhoto's photocasts: RSS with an additional vocabulary for pictures.
  case photocast
  case other

  /// Finds the vocabulary by the namespace's address.
  ///
  /// A prefix that is not declared, or is declared with an unknown address, has its usual meaning.
  init(address: String?, prefix: String?) {
    if let address, let known = Self.addresses[Self.normalized(address)] {
      self = known
    } else if let prefix {
      self = Self.prefixes[prefix.lowercased()] ?? .other
    } else {
      self = address == nil ? .rss : .other
    }
  }

  /// Makes spellings equal that differ in a final slash, in http or https, in case or in white space.
  private static func normalized(_ address: String) -> String {
    var bytes = address.utf8.filter { $0 > 0x20 }.map { $0.lowercased }
    while let last = bytes.last, last == UInt8(ascii: "/") || last == UInt8(ascii: "#") {
      bytes.removeLast()
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count))
    }
    return text
  }

  private static let addresses: [String: XMLNamespace] = [
    "": .rss,
    "backend.userland.com/rss": .rss,
    "backend.userland.com/rss2": .rss,
    "backend.userland.com/rss091": .rss,
    "backend.userland.com/rss092": .rss,
    "blogs.law.harvard.edu/tech/rss": .rss,
    "cyber.law.harvard.edu/rss": .rss,
    "cyber.law.harvard.edu/rss/rss.html": .rss,
    "my.netscape.com/rdf/simple/0.9": .rss,
    "channel.netscape.com/rdf/simple/0.9": .rss,
    "purl.org/rss/1.0": .rss,
    "purl.oclc.org/net/rss_2.0/enc": .rss,
    "www.w3.org/2005/atom": .atom,
    "purl.org/atom/ns": .atom,
    "search.yahoo.com/mrss": .media,
    "video.search.yahoo.com/mrss": .media,
    "www.rssboard.org/media-rss": .media,
    "purl.org/rss/1.0/modules/content": .content,
    "purl.org/dc/elements/1.1": .dublinCore,
    "purl.org/dc/elements/1.0": .dublinCore,
    "purl.org/dc/terms": .dublinCore,
    "www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
    "backend.userland.com/creativecommonsrssmodule": .licence,
    "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": .licence,
    "web.resource.org/cc": .licence,
    "creativecommons.org/ns": .licence,
    "www.w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "www.w3.org/1999/xhtml": .xhtml,
    "www.apple.com/ilife/wallpapers": .photocast,
  ]

  private static let prefixes: [String: XMLNamespace] = [
    "rss": .rss, "atom": .atom, "media": .media, "content": .content, "dc": .dublinCore,
    "dcterms": .dublinCore, "itunes": .itunes, "creativecommons": .licence, "cc": .licence,
    "rdf": .rdf, "xhtml": .xhtml,
  ]
}

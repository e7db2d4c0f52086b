/// The vocabularies that feeds are made of.
enum XMLNamespace: UInt8 {
  /// RSS's own elements: in no namespace, or in one of those that some have given it.
  case rss
  case atom
  case media
  case content
  case dublinCore
  case itunes
  case licence
  case rdf
  case xhtml
  /// iPhoto's photocasts, RSS with a vocabulary for pictures of its own.
  case photocast
  case other

  /// Finds the vocabulary by the namespace's address; a prefix that is not declared, or declared
  /// with an unknown address, means what it usually stands for.
  init(address: String?, prefix: String?) {
    if let address, let known = Self.addresses[Self.normalized(address)] {
      self = known
    } else if let prefix {
      self = Self.prefixes[prefix.lowercased()] ?? .other
    } else {
      self = address == nil ? .rss : .other
    }
  }

  /// Addresses are written with and without final slash, with http and https, with blanks.
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

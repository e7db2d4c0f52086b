import Models

/// The parts of sentences that other Swift packages read, too; `Wording` has the sentences of the programs.
package enum Words {
  /// The name of a thing in quotes, as the user or the feed wrote it.
  package static func quoted(_ name: String) -> String { "'\(name)'" }

  /// A number and its noun: "1 image", "12,345 images".
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A number with commas between groups of three digits: "12,345".
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var index = digits.count - 3
    while index > 0, digits[index - 1] != "-" {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }
}

extension DocumentFlaw {
  /// A description of the flaw, without a capital and a full stop, such as "an & that begins no character reference".
  package var words: String {
    switch self {
    case .bareAmpersand: "an & that begins no character reference"
    case .bareLessThan: "a < that begins no tag"
    case .bareAttribute: "an attribute without quotes or value"
    case .excessiveAttribute: "an attribute too long, or too many of them"
    case .malformedTag: "a tag that is not well-formed"
    case .unmatchedEndTag: "an end tag that closes nothing"
    case .missingEndTag: "an element without end tag"
    case .textBeforeRoot: "text before the root element"
    case .lateDeclaration: "an XML declaration that is not at the beginning"
    case .cutMarkup: "markup that is cut off"
    case .undeclaredPrefix: "a prefix that no namespace is declared for"
    case .malformedMarkup: "markup that is not well-formed"
    case .noRoot: "no root element"
    case .malformedEntry: "an entry that is not valid JSON"
    case .unexpectedCharacter: "an unexpected character in JSON"
    case .unreadableKey: "an unreadable key in JSON"
    case .preceded: "something before the document"
    case .followed: "something follows the end of the document"
    case .cutOff: "the document is cut off"
    case .longText(let limit): "a text of more than \(Words.grouped(limit)) bytes"
    case .noMemory: "not enough memory"
    case .emptyCollection: "the collection is empty"
    case .emptyManifest: "no picture is painted on a canvas"
    case .excessiveMembers: "the collection has too many members"
    case .unreadableCanvases(let number):
      "\(Words.count(number, "canvas", plural: "canvases")) whose pictures cannot be read"
    case .excessiveFeeds: "the list has too many feeds"
    case .feedsLeftOut(let number, let first):
      "\(Words.count(number, "feed")) of the list left out, such as \(Words.quoted(WebAddress.masking(first)))"
    case .filesLeftOut(let number, let first):
      "\(Words.count(number, "file or folder", plural: "files or folders")) of this disk left out, which"
        + " count only in a list on this disk, and folders only if the sync names that list: "
        + first.map { Words.quoted($0.masked) }.joined(separator: ", ")
        + (number > first.count ? " and \(Words.grouped(number - first.count)) more" : "")
    case .unreadableFolders(let number, let first):
      "\(Words.count(number, "folder")) that cannot be read, such as \(Words.quoted(first))"
    case .unreadableFiles(let number, let first):
      "\(Words.count(number, "file")) that cannot be read or \(number == 1 ? "is" : "are") being written, such as"
        + " \(Words.quoted(first))"
    case .notPictures(let number, let first):
      "\(Words.count(number, "file")) without a picture in \(number == 1 ? "it" : "them"), such as"
        + " \(Words.quoted(first))"
    case .linksLeftOut(let number, let first):
      "\(Words.count(number, "link")) that \(number == 1 ? "leads" : "lead") out of it, such as \(Words.quoted(first))"
    case .excessiveFiles(let limit): "more than \(Words.grouped(limit)) files and folders"
    case .unknownEncoding(let label): "an unknown encoding, \(Words.quoted(label))"
    case .undeclaredEncoding(let encoding): "no declared encoding, and was read as \(encoding)"
    case .otherEncoding(let declared, let encoding):
      "another encoding than \(declared), as declared, and was read as \(encoding)"
    case .unreadableEncoding(let encoding): "the system cannot read \(encoding)"
    case .badUTF8: "bytes that are not UTF-8"
    case .controlCharacters: "control characters"
    case .badCharacters: "bytes that stand for no character"
    case .damagedGzip: "damaged gzip data"
    case .cutGzip: "gzip data that are cut off"
    }
  }
}

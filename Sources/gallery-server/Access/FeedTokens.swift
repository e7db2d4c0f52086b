import Composition
import FoundationEssentials
import Models
import Workers

/// The tokens in the addresses of a published list: each can only read the images with the list's feed and words, and
/// ends with the token that it is derived from.
///
/// A feed reader asks for the pictures of a feed without a login, and keeps their addresses. So these have a token that
/// opens nothing else. Its code is made with the server's own token, so it needs no storage.
struct FeedTokens: Sendable {
  /// The number of hexadecimal digits that name the parent; the code covers its whole hash.
  private static let nameLength = 16
  /// 128 bits, in hexadecimal digits.
  private static let codeLength = 32

  private let key: [UInt8]

  /// - Parameter serverToken: The server's own token, which only the user and the server can read.
  init(serverToken: String) { key = Array(serverToken.utf8) }

  /// A token for a part of the library; nil when libcrypto cannot be loaded.
  func token(for part: LibraryPart, parent hash: String) -> String? {
    let feed = part.feedID.map { String($0) } ?? ""
    // A search may have no words, which is another part than no search.
    let search = part.search.map { "s" + Data($0.utf8).base64URL } ?? ""
    let content = "\(hash.prefix(Self.nameLength)).\(feed).\(search)"
    return code(of: content, hash).map { "\(content).\($0)" }
  }

  /// The part that a token opens, and its parent; nil for any other text.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - parents: The hashes of the tokens that are valid now.
  /// - Returns: The part, and the hash of the parent.
  func open(_ token: String, parents: [String]) -> (part: LibraryPart, parent: String)? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0].utf8.count == Self.nameLength,
      let parent = parents.first(where: { $0.hasPrefix(parts[0]) }),
      let code = code(of: parts[..<3].joined(separator: "."), parent),
      BrowserSessions.isEqual(Array(code.utf8), Array(parts[3].utf8))
    else { return nil }
    let search = parts[2].isEmpty ? nil : Data(base64URL: parts[2].dropFirst())
    return (
      LibraryPart(
        feedID: Int64(parts[1]),
        search: search.map { String(decoding: $0, as: UTF8.self) }
      ),
      parent
    )
  }

  private func code(of content: String, _ parent: String) -> String? {
    let code = try? BrowserSessions.code(of: "feed \(content) \(parent)", key)
    return code.map { String($0.prefix(Self.codeLength)) }
  }
}

extension Data {
  /// Base64 for addresses, without padding (RFC 4648, section 5).
  var base64URL: String {
    base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  init?(base64URL text: some StringProtocol) {
    let usual = String(text).replacing("-", with: "+").replacing("_", with: "/")
    self.init(base64Encoded: usual + String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4))
  }
}

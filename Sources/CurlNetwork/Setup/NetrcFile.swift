import FoundationEssentials
import Models

/// The logins of a netrc file (netrc(5)), by host.
///
/// A `default` entry is ignored. Feeds name hosts that the user does not know, and a password must not reach a host for
/// which it is not meant. `CURLOPT_NETRC_FILE` would use the entry, and would also look up the target of each redirect.
struct NetrcFile: Sendable, Equatable {
  struct Login: Sendable, Equatable {
    var host: String
    var name = ""
    var password = ""
  }

  private(set) var logins: [Login] = []

  /// Reads a file; an unreadable file yields no logins.
  init(path: String?) {
    let data = path.flatMap { FileManager.default.contents(atPath: $0) }
    self.init(text: String(decoding: data ?? Data(), as: UTF8.self))
  }

  init(text: String) {
    var words = NetrcWords(text)
    var login: Login?
    while let word = words.next() {
      switch word {
      case "machine":
        append(login)
        login = words.next().map { Login(host: $0.lowercased()) }
      case "default":
        append(login)
        login = nil
      case "login": words.next().map { login?.name = $0 }
      case "password": words.next().map { login?.password = $0 }
      case "account": _ = words.next()
      case "macdef": words.skipMacro()
      default: break
      }
    }
    append(login)
  }

  /// The login for an address; nil if there is no entry, or if the address has user-info.
  func login(for address: WebAddress) -> Login? {
    guard !logins.isEmpty, let host = address.host, address.userInfo == nil else { return nil }
    return logins.first { $0.host == host }
  }

  private mutating func append(_ login: Login?) { login.map { logins.append($0) } }
}

extension NetrcFile.Login {
  /// Makes the login of an address from its user-info, which may have percent-escapes (RFC 3986, section 3.2.1).
  init(userInfo: Substring) {
    let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    func decoded(_ part: Substring?) -> String {
      part.map { PercentEncoding.decode($0) } ?? ""
    }
    host = ""
    (name, password) = (decoded(parts.first), decoded(parts.dropFirst().first))
  }
}

/// The words of a netrc file.
///
/// White space separates words, and quotes enclose a word with white space. A `#` at the beginning of a word begins a
/// comment, which ends with the line.
private struct NetrcWords {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = Substring(text).unicodeScalars }

  mutating func next() -> String? {
    while let scalar = rest.first {
      if scalar == "#" {
        rest = rest.drop { !Self.isLineEnd($0) }
      } else if Self.isSpace(scalar) {
        rest.removeFirst()
      } else {
        return scalar == "\"" ? quoted() : plain()
      }
    }
    return nil
  }

  /// Skips a macro, which ends with an empty line.
  mutating func skipMacro() {
    var wasLineEnd = false
    while let scalar = rest.popFirst() {
      if Self.isLineEnd(scalar), wasLineEnd { return }
      wasLineEnd = Self.isLineEnd(scalar)
    }
  }

  private mutating func plain() -> String {
    let word = rest.prefix { !Self.isSpace($0) }
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// Reads a word in quotes, with the escapes that curl defines.
  private mutating func quoted() -> String {
    rest.removeFirst()
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\", let escaped = rest.popFirst() else {
        word.append(scalar)
        continue
      }
      switch escaped {
      case "n": word.append("\n")
      case "r": word.append("\r")
      case "t": word.append("\t")
      default: word.append(escaped)
      }
    }
    return String(word)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || isLineEnd(scalar)
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }
}

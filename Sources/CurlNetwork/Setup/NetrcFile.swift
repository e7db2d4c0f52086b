import Foundation
import Models

/// The logins of a netrc file (netrc(5)), by host.
///
/// An entry `default` is passed over: feeds name hosts that the user has never heard of, and none of
/// them is to be sent a password that was not meant for it.
struct NetrcFile: Sendable, Equatable {
  struct Login: Sendable, Equatable {
    var host: String
    var name = ""
    var password = ""
  }

  private(set) var logins: [Login] = []

  /// Reads a file; one that cannot be read has no logins.
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

  /// The login for an address that names none itself.
  func login(for address: WebAddress) -> Login? {
    guard !logins.isEmpty, let host = address.host, address.userInfo == nil else { return nil }
    return logins.first { $0.host == host }
  }

  private mutating func append(_ login: Login?) { login.map { logins.append($0) } }
}

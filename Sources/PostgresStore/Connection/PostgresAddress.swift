import CPostgres
import Glibc
import Store

/// The address of a database, `postgresql://user@host:port/database?name=value`
/// (postgresql.org/docs/15/libpq-connect.html, section 34.1.1.2).
package struct PostgresAddress: Sendable, Equatable {
  /// The text for libpq; it may have a password.
  private let text: String
  /// The address for messages, without password and parameters.
  package let name: String
  /// Whether the login ends where libpq looks for its end; otherwise libpq's messages may have parts of the password.
  private let isLoginPlain: Bool

  /// Returns nil when the text is not such an address, but the path of a folder.
  package init?(_ text: String) {
    let schemes = ["postgresql://", "postgres://"]
    guard let scheme = schemes.first(where: text.hasPrefix) else { return nil }
    self.text = text
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    isLoginPlain = Self.isLoginPlain(authority, in: rest)
    let user = authority.prefix { $0 != ":" && $0 != "@" }
    let address = rest.prefix { $0 != "?" }
    if !isLoginPlain {
      name = "\(scheme)\(user)@…"
    } else if let end = authority.firstIndex(of: "@") {
      name = "\(scheme)\(user)\(address[end...])"
    } else {
      name = scheme + address
    }
  }

  /// Whether the only "@" of a login is in the authority, so that no part of a password looks like a port, a database
  /// or a parameter.
  private static func isLoginPlain(_ authority: Substring, in rest: Substring) -> Bool {
    if authority.contains("@") { return authority.count { $0 == "@" } == 1 }
    guard authority.contains(":") else { return true }
    let ports = authority.split(separator: ",").map { host in
      host.split(separator: "]", omittingEmptySubsequences: false).last?.drop { $0 != ":" }
    }
    let arePorts = ports.allSatisfy { $0?.dropFirst().allSatisfy(\.isNumber) ?? true }
    let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
    let parameter = rest.drop { $0 != "?" }.prefix { $0 != "@" && $0 != "=" }
    let isParameter = rest[parameter.endIndex...].first != "@"
    return arePorts && !path.contains("@") && isParameter
  }

  /// The folder for the files of this database's library, named by the address without its secrets.
  ///
  /// No other address has the same folder, or a folder inside it.
  package var folderName: String {
    let place = name.drop { $0 != "/" }.dropFirst(2)
    let parameters = text.drop { $0 != "?" }.dropFirst().split(separator: "&").filter { parameter in
      Self.placeParameters.contains(String(parameter.prefix { $0 != "=" }))
    }
    let words = [String(place)] + parameters.sorted().map { "?\($0)" }
    var (folders, length) = ("", 0)
    for byte in words.joined().utf8 {
      // The system limits a name to 255 bytes (limits.h(0p), NAME_MAX).
      if length > 200 { (folders, length) = (folders + "+/", 0) }
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      let text =
        isPlain || "-_.:@=".contains(character)
        ? String(character) : "%" + String(byte, radix: 16, uppercase: true)
      folders += text
      length += text.utf8.count
    }
    return folders
  }

  /// The parameters that distinguish one library from another.
  private static let placeParameters: Set = [
    "dbname", "host", "hostaddr", "options", "port", "user",
  ]

  /// The parameters for libpq; of two with the same keyword, the last one counts.
  ///
  /// Over the network, libpq checks the server's certificate, unless the address or the environment sets another mode.
  /// By default, libpq accepts any certificate.
  ///
  /// - Throws: for an address that libpq cannot read.
  func parameters() throws(PostgresError) -> [(keyword: String, value: String)] {
    let options = try options()
    var parameters = [
      (keyword: "application_name", value: FeedLeases.sessionName),
      (keyword: "client_encoding", value: "UTF8"),
      (keyword: "connect_timeout", value: "10"),
    ]
    let host = options["hostaddr"] ?? options["host"] ?? Self.environment("PGHOST") ?? ""
    let hasMode = options["sslmode"] != nil || Self.environment("PGSSLMODE") != nil
    if !hasMode, host.split(separator: ",").contains(where: { !Self.isLocal($0) }) {
      parameters.append((keyword: "sslmode", value: "verify-full"))
      if Self.environment("PGSSLROOTCERT") == nil, access(Self.authorities, R_OK) == 0 {
        parameters.append((keyword: "sslrootcert", value: Self.authorities))
      }
    }
    return parameters + [(keyword: "dbname", value: text)]
  }

  /// The values in the address, by libpq's keywords.
  private func options() throws(PostgresError) -> [String: String] {
    if let problem = cpostgres_load() {
      let message = "it needs PostgreSQL's library libpq: \(String(cString: problem))"
      throw PostgresError(message, state: "08000")
    }
    guard isLoginPlain else {
      throw PostgresError(Self.unreadableLogin, state: PostgresError.unusableParameter)
    }
    var problem: UnsafeMutablePointer<CChar>?
    guard let first = cpostgres_conninfoParse(text, &problem) else {
      defer { cpostgres_freemem(problem) }
      let message = problem.map { String(cString: $0) } ?? "no memory is left"
      throw PostgresError(
        Self.withoutQuotation(PostgresDriver.line(message)),
        state: PostgresError.unusableParameter
      )
    }
    defer { cpostgres_conninfoFree(first) }
    var options: [String: String] = [:]
    var option = first
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.value {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return options
  }

  private static let unreadableLogin =
    "the login has a character that ends it too early: write '@' as %40, '/' as %2F, '?' as %3F, ':' as %3A"

  /// A message of libpq about an address, without the part that it quotes: that may be the password.
  private static func withoutQuotation(_ message: String) -> String {
    var message = message.prefix { !"\"“„«".contains($0) }
    while let last = message.last, last == " " || last == ":" { message.removeLast() }
    return "its address cannot be read: \(message)"
  }

  /// The certificate authorities that the system trusts, at Debian's path; libpq 15 does not look there.
  private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

  private static func isLocal(_ host: Substring) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.")
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

import Models

@testable import CurlNetwork

/// The logins of a netrc file.
struct NetrcTarget: FuzzTarget {
  let name = "netrc"
  let dictionary = "netrc"
  let seeds: [Seed] = [
    .text("# mine\nmachine moon.example login \"moon \\\"light\\\"\" password p#w # old\n"),
    .text("machine a login b\nmacdef init\nmachine c login d\n\nmachine E\n  account 7 password f"),
    .text("default login anyone password anything"), .text("name\nword\\n\"\ta b"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let text = String(decoding: input, as: UTF8.self)
    for login in NetrcFile(text: text).logins {
      try requireEqual(login.host, login.host.lowercased(), "the case of a host")
      guard let address = WebAddress("https://\(login.host)/"), address.host == login.host else {
        continue
      }
      let found = NetrcFile(text: text).login(for: address)
      try requireEqual(found?.host, login.host, "the host that a login is for")
    }
    try requireNoDefault(text)
    try requireReadBack(text)
  }

  /// The words after `default` apply to no host, whatever they are.
  private func requireNoDefault(_ text: String) throws(BrokenProperty) {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace }.map(String.init)
    // Words that could begin another entry, or could be quoted, are not part of this test.
    let plain = words.filter { $0 != "machine" && !$0.contains("\"") && !$0.contains("#") }
    let file = "default " + plain.joined(separator: " ")
    try requireEqual(NetrcFile(text: file).logins, [], "the logins of '\(file)'")
  }

  /// Every login can be written so that the reader returns it unchanged.
  private func requireReadBack(_ text: String) throws(BrokenProperty) {
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let name = String(String.UnicodeScalarView(parts[0]))
    let password = parts.dropFirst().first.map { String(String.UnicodeScalarView($0)) } ?? ""
    let file = NetrcFile(
      text: "machine moon.example password \(quoted(password)) login \(quoted(name))\nmachine b"
    )
    var expected = NetrcFile.Login(host: "moon.example")
    (expected.name, expected.password) = (name, password)
    try requireEqual(file.logins, [expected, .init(host: "b")], "the login of '\(name)'")
  }

  private func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }
}

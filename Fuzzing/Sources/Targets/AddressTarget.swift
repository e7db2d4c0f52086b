@testable import Models

/// Parses, assembles, resolves and masks addresses.
///
/// The first line of the input is an address, and the rest is a reference in the document there.
struct AddressTarget: FuzzTarget {
  let name = "address"
  let dictionary = "address"
  let seeds: [Seed] = [
    .text("https://user:pass@example.org:443/a/b;c?d=e&token=f#g\n../h/./i?j"),
    .text("http://[::1]:80/\n//example.org/a"), .text("file:///a/b%20c\n  d e\t.jpg"),
    .text("HTTP://EXAMPLE.org\n?key=1"), .text("mailto:a@b\n#c"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let lines = String(decoding: input, as: UTF8.self)
      .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    try requireMasked(lines[0])
    try requireEqual(AddressParts(lines[0]).text, lines[0], "the parts of an address put together")
    guard let address = WebAddress(lines[0]) else { return }
    let masked = address.masked
    try requireEqual(WebAddress(masked)?.masked, masked, "an address masked twice")
    if lines.count > 1 { try requireResolved(lines[1], at: address) }
    _ = (address.identity, address.fileFolder, address.host, address.isWeb)
  }

  private func requireResolved(_ reference: String, at base: WebAddress) throws(BrokenProperty) {
    guard let address = base.resolving(reference) else { return }
    try require(!address.scheme.isEmpty, "'\(address.text)' has no scheme")
    // The program keeps an address from the user as it was typed.
    if base.text.unicodeScalars.contains(where: { $0.value <= 0x20 }) { return }
    try require(!address.text.unicodeScalars.contains { $0.value <= 0x20 }, "white space stays")
    try requireEqual(base.resolving(address.text), address, "an absolute address resolved")
  }

  /// A masked address contains no secret, whatever text surrounds the secret.
  private func requireMasked(_ text: String) throws(BrokenProperty) {
    let secret = "S3CRET"
    // Text after a second `@` is outside the user info, and may be shown.
    let user = "http://user:p\(without("@", in: text))\(secret)@example.org/a"
    try require(!(WebAddress(user)?.masked.contains(secret) ?? false), "a password in \(user)")
    let value = without("&", in: without("#", in: text))
    let query = "https://example.org/a?b&token=\(value)\(secret)&c"
    try require(!(WebAddress(query)?.masked.contains(secret) ?? false), "a token in \(query)")
  }

  private func without(_ scalar: Unicode.Scalar, in text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != scalar }))
  }
}

/// Guesses the encoding of a text that is no UTF-8 and of which nothing is known, as browsers do.
///
/// First by form: in the encodings of East Asia bytes beyond ASCII come in pairs of a kind. Then by
/// frequency: half of what is written in an alphabet is written with a quarter of its letters, and
/// these stand in places of their own in each encoding. What is left are single accented letters
/// between ASCII: there the part of the world that the address names decides.
enum EncodingGuess {
  /// The encoding that `sample` is most likely in, as served by `host`.
  static func encoding(of sample: [UInt8], host: String?) -> TextEncoding {
    if let encoding = PairForm.encoding(of: sample) { return encoding }
    if let encoding = AlphabetForm.encoding(of: sample) { return encoding }
    let domain = host?.split(separator: ".").last.map(String.init) ?? ""
    return domains[domain] ?? .windows1252
  }

  private static let domains: [String: TextEncoding] = {
    var domains: [String: TextEncoding] = [:]
    for (encoding, names) in table {
      for name in names.split(separator: " ") { domains[String(name)] = encoding }
    }
    return domains
  }()

  /// Top-level domains where something else than windows-1252 was the custom.
  private static let table: [(TextEncoding, String)] = [
    (.windows1250, "pl cz sk hu si hr ro rs ba me al"), (.windows1251, "ru su by bg ua kz mk kg"),
    (.windows1253, "gr cy"), (.windows1254, "tr az"), (.windows1255, "il"),
    (.windows1256, "ir sa ae eg jo kw lb ma dz tn sy iq qa om ye ps pk"),
    (.windows1257, "lt lv ee"), (.windows1258, "vn"), (.windows874, "th"),
    (.shiftJIS, "jp"), (.gb18030, "cn sg"), (.big5, "tw hk mo"), (.eucKR, "kr"),
  ]
}

extension String {
  /// Replaces each occurrence of a sign that ends or begins something in another language, such as a quotation mark.
  ///
  /// `replacing` compares characters. To it, a quotation mark with a combining mark behind it is another character, but
  /// a shell or a database ends its text there.
  package func escaping(_ sign: Unicode.Scalar, as text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == sign {
        escaped.append(contentsOf: text.unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

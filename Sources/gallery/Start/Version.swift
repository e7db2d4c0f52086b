/// The program's version, after Semantic Versioning 2.0.0.
enum Version {
  static let current = "0.1.0"
  /// What names the program to servers (RFC 9110, section 10.1.5).
  static let userAgent = "gallery/\(current)"
}

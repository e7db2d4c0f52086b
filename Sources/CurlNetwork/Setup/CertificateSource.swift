import Foundation

/// Which certificate authorities are trusted; nil leaves it to libcurl as it was built.
///
/// libcurl reads no environment; the variables are OpenSSL's, and tools on it obey them.
struct CertificateSource: Sendable {
  let file: String?
  let folder: String?
  /// Whether those alone are trusted, and none of the folder that libcurl was built with.
  let isOnlySource: Bool

  init(file: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.file = file ?? environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    isOnlySource = file != nil
    folder = file == nil ? environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 } : nil
  }
}

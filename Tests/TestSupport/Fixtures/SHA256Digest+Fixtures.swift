import CTLS
package import Models

extension SHA256Digest {
  /// The hash of bytes.
  package init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    var words = SIMD4<UInt64>()
    for index in 0..<32 { words[index / 8] = words[index / 8] << 8 | UInt64(digest[index]) }
    self.init(words: words)
  }
}

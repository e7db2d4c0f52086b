import Models
import Workers

/// The location of a library's objects in an object store, as users write it: `s3://bucket/prefix`.
package struct S3Location: Sendable, Equatable {
  package let bucket: String
  /// The prefix without slashes at its ends; empty without a prefix.
  package let prefix: String

  /// Nil unless the bucket has a valid name.
  ///
  /// By the rules of S3, a name has 3 to 63 lower-case letters, digits, dots and hyphens (Amazon S3 User Guide, Bucket
  /// naming rules).
  package init?(_ text: String) {
    let scheme = "s3://"
    guard text.hasPrefix(scheme), !text.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F }) else {
      return nil
    }
    let parts = text.dropFirst(scheme.count).split(separator: "/")
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
    guard let bucket = parts.first, (3...63).contains(bucket.utf8.count),
      bucket.utf8.allSatisfy(allowed.contains), bucket.first != ".", bucket.first != "-",
      !parts.contains("."), !parts.contains("..")
    else { return nil }
    self.bucket = String(bucket)
    prefix = parts.dropFirst().joined(separator: "/")
  }

  package var name: String { prefix.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(prefix)" }

  /// The common beginning of the keys of all objects of a kind.
  func keys(of kind: ObjectKind) -> String { key(kind == .original ? "o/" : "p/") }

  /// The key of an object.
  func key(of hash: SHA256Digest, _ kind: ObjectKind) -> String {
    let digits = hash.hexadecimal
    let folder = kind == .original ? digits.prefix(2) + "/" : ""
    return keys(of: kind) + folder + digits
  }

  /// The key of the note that names the library of the objects.
  var note: String { key("library") }

  private func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

  /// The hash in the key of an object of a kind; nil for other keys.
  func hash(of key: String, _ kind: ObjectKind) -> SHA256Digest? {
    let hash = SHA256Digest(hexadecimal: String(key.suffix(64)))
    return hash.flatMap { self.key(of: $0, kind) == key ? $0 : nil }
  }
}

/// The credentials and the address of an object store, from the variables of the AWS SDKs (AWS SDKs and Tools Reference
/// Guide).
package struct S3Settings: Sendable, Equatable {
  struct Credentials: Sendable, Equatable {
    var id: String
    var secret: String
    /// The session token of temporary credentials.
    var token: String?
  }

  /// Nil when the variables are not set.
  let credentials: Credentials?
  let region: String
  /// The address of a store other than Amazon's; nil for Amazon's.
  let endpoint: String?

  package init(environment: [String: String]) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let (id, secret) = (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"))
    credentials = id.flatMap { id in
      secret.map { Credentials(id: id, secret: $0, token: value("AWS_SESSION_TOKEN")) }
    }
    region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1"
    endpoint = value("AWS_ENDPOINT_URL")
  }

  /// The address of a bucket, without a slash at its end; nil when the endpoint is not a web address.
  ///
  /// Amazon's address has the bucket in its host, unless the bucket's name contains a dot, which Amazon's certificates
  /// do not cover. Other stores have the bucket in the path.
  func address(ofBucket bucket: String) -> WebAddress? {
    let amazon = "s3.\(region).amazonaws.com"
    guard let endpoint else {
      return WebAddress(
        bucket.contains(".") ? "https://\(amazon)/\(bucket)" : "https://\(bucket).\(amazon)"
      )
    }
    let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    guard let address = WebAddress("\(base)/\(bucket)"), address.isWeb, address.query == nil else {
      return nil
    }
    return address
  }
}

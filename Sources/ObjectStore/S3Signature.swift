import FoundationEssentials
import LibraryFiles
import Models
import Workers

/// A request to S3 to be signed (AWS Signature Version 4, "Create a signed AWS API request").
struct S3Request {
  var method = "GET"
  /// The path as it is sent, escaped.
  var path: String
  /// Names and values, not escaped.
  var query: [(name: String, value: String)] = []
  /// The fields that are signed, with names in lower case.
  var fields: [(name: String, value: String)]
  /// The SHA-256 of the body in hexadecimal digits, or a keyword of S3 that replaces it.
  var bodyHash: String

  static let unsigned = "UNSIGNED-PAYLOAD"

  var signedFields: String { sortedFields.map(\.name).joined(separator: ";") }

  /// The query as it is sent and signed: escaped, sorted by name.
  var escapedQuery: String {
    query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
      .sorted { $0 < $1 }
      .map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// The canonical form of the request, which is hashed.
  var canonical: String {
    let lines = sortedFields.map { "\($0.name):\($0.value)\n" }.joined()
    return [method, path, escapedQuery, lines, signedFields, bodyHash].joined(separator: "\n")
  }

  private var sortedFields: [(name: String, value: String)] { fields.sorted { $0.name < $1.name } }
}

/// Signs requests for a time and a region.
struct S3Signer {
  private static let algorithm = "AWS4-HMAC-SHA256"

  let credentials: S3Settings.Credentials
  let region: String
  /// The time as S3 writes it: `20130524T000000Z`.
  let time: String

  init(_ credentials: S3Settings.Credentials, region: String, at date: Date) {
    self.credentials = credentials
    self.region = region
    time = Self.text(of: date)
  }

  /// The fields of a request, including its signature in `Authorization`.
  func signedFields(of request: S3Request) throws(StoreError) -> [(name: String, value: String)] {
    var request = request
    request.fields.append(("x-amz-content-sha256", request.bodyHash))
    request.fields.append(("x-amz-date", time))
    if let token = credentials.token { request.fields.append(("x-amz-security-token", token)) }
    let value = """
      \(Self.algorithm) Credential=\(credentials.id)/\(scope), \
      SignedHeaders=\(request.signedFields), Signature=\(try signature(of: request))
      """
    return request.fields + [("authorization", value)]
  }

  /// The query of a presigned request, whose address is valid for some time and needs no login.
  func signedQuery(of request: S3Request, for time: Duration) throws(StoreError) -> String {
    var request = request
    request.query += [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.id)/\(scope)"),
      ("X-Amz-Date", self.time), ("X-Amz-Expires", String(time.components.seconds)),
      ("X-Amz-SignedHeaders", request.signedFields),
    ]
    if let token = credentials.token { request.query.append(("X-Amz-Security-Token", token)) }
    return "\(request.escapedQuery)&X-Amz-Signature=\(try signature(of: request))"
  }

  private var scope: String { "\(time.prefix(8))/\(region)/s3/aws4_request" }

  func signature(of request: S3Request) throws(StoreError) -> String {
    let hash = try SHA256.digits(of: Array(request.canonical.utf8), path: "a request")
    let text = [Self.algorithm, time, scope, hash].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secret)".utf8)
    for part in [String(time.prefix(8)), region, "s3", "aws4_request"] {
      key = try HMAC.sha256(of: Array(part.utf8), key: key)
    }
    let code = try HMAC.sha256(of: Array(text.utf8), key: key)
    return code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func text(of date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let (year, month, day) = CalendarDay(daysSince1970: seconds / 86_400).parts
    let rest = seconds % 86_400
    return two(year / 100) + two(year % 100) + two(month) + two(day) + "T" + two(rest / 3_600)
      + two(rest / 60 % 60) + two(rest % 60) + "Z"
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

import Models
import Testing
import Workers

@testable import ObjectStore

struct S3LocationTests {
  private let hash = SHA256Digest(words: [.max, 0, 0, 1])

  @Test(arguments: [
    ("s3://photos", "s3://photos", ""), ("s3://photos/", "s3://photos", ""),
    ("s3://my.photos-2/a/b/", "s3://my.photos-2/a/b", "a/b/"),
    ("s3://photos//a//b", "s3://photos/a/b", "a/b/"),
  ])
  func `names objects by their hashes`(text: String, name: String, prefix: String) throws {
    let location = try #require(S3Location(text))
    let digits = hash.hexadecimal

    #expect(location.name == name)
    #expect(location.key(of: hash, .original) == "\(prefix)o/ff/\(digits)")
    #expect(location.key(of: hash, .pack) == "\(prefix)p/\(digits)")
    #expect(location.hash(of: "\(prefix)o/ff/\(digits)", .original) == hash)
    #expect(location.hash(of: "\(prefix)o/fe/\(digits)", .original) == nil)
    #expect(location.hash(of: "\(prefix)o/ff/\(digits)", .pack) == nil)
    #expect(location.hash(of: "\(prefix)p/\(digits)", .pack) == hash)
    #expect(location.hash(of: digits, .original) == nil)
  }

  @Test(arguments: [
    "photos", "s3:photos", "s3://", "s3://ab", "s3://Photos", "s3://pho_tos", "s3://-photos",
    "s3://photos/../a", "s3://photos/a b", "https://photos.s3.amazonaws.com", "s3://photos/a\n",
  ])
  func `refuses what is not a bucket`(text: String) {
    #expect(S3Location(text) == nil)
  }

  @Test(arguments: [
    ([:], "photos", "https://photos.s3.us-east-1.amazonaws.com"),
    (["AWS_REGION": "eu-west-3"], "a.photos", "https://s3.eu-west-3.amazonaws.com/a.photos"),
    (["AWS_DEFAULT_REGION": "eu-west-3"], "photos", "https://photos.s3.eu-west-3.amazonaws.com"),
    (["AWS_ENDPOINT_URL": "http://127.0.0.1:8333/"], "photos", "http://127.0.0.1:8333/photos"),
    (["AWS_ENDPOINT_URL": "127.0.0.1:8333"], "photos", nil),
    (["AWS_ENDPOINT_URL": ""], "photos", "https://photos.s3.us-east-1.amazonaws.com"),
  ])
  func `knows where a bucket is`(environment: [String: String], bucket: String, address: String?) {
    #expect(S3Settings(environment: environment).address(ofBucket: bucket)?.text == address)
  }

  @Test func `needs both halves of the credentials`() {
    #expect(S3Settings(environment: ["AWS_ACCESS_KEY_ID": "a"]).credentials == nil)
    let both = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c"]
    #expect(
      S3Settings(environment: both).credentials == .init(id: "a", secret: "b", token: "c")
    )
  }
}

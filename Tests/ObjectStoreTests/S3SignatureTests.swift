import Foundation
import Models
import Testing
import Workers

@testable import ObjectStore

/// The examples of Amazon's documentation (Amazon S3 API Reference, "Signature Calculations for the Authorization
/// Header" and "Authenticating Requests: Using Query Parameters").
struct S3SignatureTests {
  private let signer = S3Signer(
    .init(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1",
    at: Date(timeIntervalSince1970: 1_369_353_600)
  )
  private let host = (name: "host", value: "examplebucket.s3.amazonaws.com")
  /// The SHA-256 of an empty body.
  private let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func signature(_ fields: [(name: String, value: String)]) -> Substring? {
    fields.last?.value.split(separator: "Signature=").last
  }

  @Test func `writes the time as S3 does`() {
    #expect(signer.time == "20130524T000000Z")
  }

  @Test func `signs a request for a part of an object`() throws {
    let fields = try signer.signedFields(
      of: S3Request(
        path: "/test.txt",
        fields: [host, ("range", "bytes=0-9")],
        bodyHash: empty
      )
    )

    #expect(
      signature(fields) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    )
    #expect(
      fields.last?.value.contains("SignedHeaders=host;range;x-amz-content-sha256;x-amz-date")
        == true
    )
  }

  @Test func `signs an upload`() throws {
    let fields = try signer.signedFields(
      of: S3Request(
        method: "PUT",
        path: "/\(PercentEncoding.encode("test$file.text", keeping: "-._~/"))",
        fields: [
          ("date", "Fri, 24 May 2013 00:00:00 GMT"), host,
          ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ],
        bodyHash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
      )
    )

    #expect(
      signature(fields) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    )
  }

  @Test(arguments: [
    (
      [(name: "lifecycle", value: "")],
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    ),
    (
      [(name: "prefix", value: "J"), (name: "max-keys", value: "2")],
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ),
  ])
  func `signs a query`(query: [(name: String, value: String)], expected: String) throws {
    let fields = try signer.signedFields(
      of: S3Request(path: "/", query: query, fields: [host], bodyHash: empty)
    )

    #expect(signature(fields) ?? "" == expected)
  }

  @Test func `signs an address`() throws {
    let query = try signer.signedQuery(
      of: S3Request(path: "/test.txt", fields: [host], bodyHash: S3Request.unsigned),
      for: .seconds(86_400)
    )

    #expect(
      query.hasSuffix(
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
      )
    )
    #expect(
      query.contains(
        "X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
      )
    )
  }

  @Test func `temporary credentials are signed with their token`() throws {
    let temporary = S3Signer(
      .init(id: "A", secret: "B", token: "C/D"),
      region: "eu-west-3",
      at: Date(timeIntervalSince1970: 0)
    )
    let request = S3Request(path: "/", fields: [host], bodyHash: S3Request.unsigned)

    #expect(
      try temporary.signedQuery(of: request, for: .seconds(1)).contains(
        "X-Amz-Security-Token=C%2FD&"
      )
    )
    #expect(
      try temporary.signedFields(of: request).contains { $0 == ("x-amz-security-token", "C/D") }
    )
  }
}

import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Servers with certificates of two authorities; in the place of the system's authorities is the file of the first one.
struct CertificateTests {
  private let usual: LoopbackServer
  private let own: LoopbackServer
  private let certificates: [UInt8]

  init() throws {
    usual = try Self.server(.valid)
    own = try Self.server(.ofOtherAuthority)
    let file = URL(filePath: LoopbackCertificate.otherAuthorityFile)
    certificates = try [UInt8](Data(contentsOf: file))
  }

  private static func server(_ certificate: LoopbackCertificate) throws -> LoopbackServer {
    try LoopbackServer(LoopbackWays(security: try LoopbackSecurity(certificate))) { request in
      request.target == "/away" ? .redirect(to: "/x") : .whole([1])
    }
  }

  private func worker(
    _ certificates: [UInt8] = [],
    feeds: [FeedAuthorities] = []
  ) -> NetworkWorker {
    .testing(
      certificateFile: LoopbackCertificate.authorityFile,
      extraCertificates: certificates,
      feedAuthorities: feeds
    )
  }

  @Test func `trusts no other authority by itself`() async throws {
    let worker = worker()

    #expect(await worker.failure(of: try usual.request()) == nil)
    #expect(await worker.failure(of: try own.request())?.reason == .untrusted)
    #expect(own.requests.isEmpty)
  }

  @Test func `trusts more authorities beside those of the system`() async throws {
    let worker = worker(certificates)

    #expect(try await worker.fetch(try own.request("/away")).body == [1])
    #expect(try await worker.fetch(try usual.request()).body == [1])
  }

  @Test func `checks the other properties of a certificate of such an authority`() async throws {
    let file = URL(filePath: LoopbackCertificate.authorityFile)
    let worker = worker(try [UInt8](Data(contentsOf: file)))
    for certificate in [LoopbackCertificate.expired, .ofAnotherHost, .selfSigned] {
      let server = try Self.server(certificate)

      #expect(await worker.failure(of: try server.request()) != nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `trusts the authorities of a feed on its origin and in its requests only`()
    async throws
  {
    let other = try Self.server(.ofOtherAuthority)
    let feed = try #require(own.address("/feed.xml"))
    let worker = worker(feeds: [FeedAuthorities(for: feed, .success(certificates))])
    var picture = try other.request("/1.jpg")
    let stranger = picture
    picture.feed = feed
    var ofOtherFeed = stranger
    ofOtherFeed.feed = usual.address("/feed.xml")

    #expect(await worker.failure(of: try own.request("/feed.xml")) == nil)
    #expect(await worker.failure(of: stranger)?.reason == .untrusted)
    #expect(await worker.failure(of: picture) == nil)
    // The connection of the feed is open, and not for others.
    #expect(await worker.failure(of: stranger)?.reason == .untrusted)
    #expect(await worker.failure(of: ofOtherFeed)?.reason == .untrusted)
    #expect(await worker.failure(of: try usual.request()) == nil)
    #expect(other.requests.count == 1)
  }

  @Test func `trusts the authorities of all transfers for a feed with its own, too`() async throws {
    let feed = try #require(usual.address("/feed.xml"))
    let authority = URL(filePath: LoopbackCertificate.authorityFile)
    let ofFeed = FeedAuthorities(for: feed, .success(try [UInt8](Data(contentsOf: authority))))
    let worker = worker(certificates, feeds: [ofFeed])
    var picture = try own.request()
    picture.feed = feed

    #expect(await worker.failure(of: picture) == nil)
    #expect(await worker.failure(of: try usual.request()) == nil)
  }

  @Test func `trusts the authorities of a feed on its origin when another feed asks there, too`()
    async throws
  {
    let feed = try #require(own.address("/feed.xml"))
    let other = try #require(usual.address("/feed.xml"))
    let authority = URL(filePath: LoopbackCertificate.authorityFile)
    let worker = worker(feeds: [
      FeedAuthorities(for: other, .success(try [UInt8](Data(contentsOf: authority)))),
      FeedAuthorities(for: feed, .success(certificates)),
    ])
    var picture = try own.request()
    picture.feed = other

    #expect(await worker.failure(of: picture) == nil)
  }

  @Test func `a feed whose file cannot be used fails alone`() async throws {
    let feed = try #require(own.address("/feed.xml"))
    let problem = FeedAuthorities.Problem("the certificates of 'a.pem' cannot be used: it is gone")
    let worker = worker(certificates, feeds: [FeedAuthorities(for: feed, .failure(problem))])
    let other = try Self.server(.ofOtherAuthority)

    let failure = await worker.failure(of: try own.request("/feed.xml"))
    #expect(failure?.message == problem.message)
    #expect(own.connections.count == 0)
    #expect(await worker.failure(of: try other.request()) == nil)
    #expect(await worker.failure(of: try usual.request()) == nil)
  }
}

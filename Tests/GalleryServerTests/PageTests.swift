import Foundation
import HTTPTypes
import TestSupport
import Testing
import Web

@testable import gallery_server

/// The pages as a browser without scripts receives them.
struct PageTests {
  @Test func `lists the images with thumbnails, names and addresses`() async throws {
    let bench = try await ServerBench()

    let page = try await bench.ask("/")

    #expect(page.status == 200)
    #expect(page.fields[.contentType] == "text/html; charset=utf-8")
    #expect(page.text.contains(#"href="/images/1""#))
    #expect(page.text.contains("Seeding"))
    #expect(page.text.components(separatedBy: "src=\"/t/").count == 13)
    #expect(!page.text.contains("01-dandelion.jpg"))
  }

  @Test func `has a policy that lets nothing in from elsewhere`() async throws {
    let policy = try #require(try await ServerBench().ask("/").fields[.contentSecurityPolicy])

    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
    #expect(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"))
    #expect(!policy.contains("unsafe") && !policy.contains("upgrade-insecure-requests"))
  }

  @Test func `every page has its scripts and styles in files`() async throws {
    let bench = try await ServerBench()
    for path in ["/", "/images/1", "/feeds", "/frame", "/nothing"] {
      var fields = ServerBench.admin
      fields[.accept] = "text/html"
      let html = try await bench.ask(path, .get, fields).text
      #expect(html.contains("<!DOCTYPE html>"), "\(path)")
      #expect(!html.contains(" style=\"") && !html.contains("onclick"), "\(path)")
      for match in html.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/) {
        #expect(try await bench.ask(String(match.1)).status == 200, "\(match.1)")
      }
    }
  }

  @Test func `keeps assets for a year, compressed for those who take it`() async throws {
    let bench = try await ServerBench(syncing: nil)
    var fields = ServerBench.admin
    fields[.acceptEncoding] = "gzip, br"

    let plain = try await bench.ask("/assets/\(bench.server.assets.hash)/app.css")
    let gzipped = try await bench.ask("/assets/\(bench.server.assets.hash)/app.css", .get, fields)

    #expect(plain.fields[.cacheControl] == "public, max-age=31536000, immutable")
    #expect(gzipped.fields[.contentEncoding] == "gzip")
    #expect(gzipped.bytes.count < plain.bytes.count)
    #expect(try await bench.ask("/assets/0000000000000000/app.css").status == 404)
  }

  @Test func `shows an image with its facts, and leads to its neighbours`() async throws {
    let page = try await ServerBench().ask("/images/2").text

    #expect(page.contains(#"href="/images/1""#))
    #expect(page.contains(#"href="/images/3""#))
    #expect(page.contains("/images/2/original"))
    #expect(page.contains(#"<dt>Licence</dt><dd><a href="https://creativecommons.org/"#))
    #expect(page.contains(#"<dt>First seen</dt><dd><time datetime=""#))
  }

  @Test func `says that there is no such image, as a page for a browser`() async throws {
    var fields = ServerBench.admin
    fields[.accept] = "text/html,application/xhtml+xml"

    let page = try await ServerBench().ask("/images/99", .get, fields)

    #expect(page.status == 404)
    #expect(page.text.contains("no such image"))
    #expect(page.fields[.contentType] == "text/html; charset=utf-8")
  }

  @Test func `lists the feeds with the number of their images`() async throws {
    let page = try await ServerBench().ask("/feeds").text

    #expect(page.contains(#"data-number="12">12<"#))
    #expect(page.contains(#"action="/feeds/1/remove""#))
  }

  @Test func `searches and sorts by address`() async throws {
    let bench = try await ServerBench()

    let found = try await bench.ask("/search?q=dandelion").text
    let nothing = try await bench.ask("/search?q=zeppelin")

    #expect(found.components(separatedBy: "src=\"/t/").count == 2)
    #expect(nothing.status == 200)
    #expect(nothing.text.contains("no image matches"))
    #expect(try await bench.ask("/?sort=random").status == 400)
  }

  @Test(arguments: [
    ("/", HTTPRequest.Method.post, "GET, HEAD"), ("/sync", .get, "POST"),
    ("/api/v1/feeds", .put, "GET, HEAD, POST"), ("/api/v1/feeds/1", .get, "DELETE"),
    ("/api/v1/images/1/pin", .post, "DELETE, PUT"),
    ("/t/\(String(repeating: "0", count: 64))", .delete, "GET, HEAD"),
  ])
  func `tells which methods an address has`(
    path: String,
    method: HTTPRequest.Method,
    allowed: String
  ) async throws {
    for base in ["", "/gallery"] {
      let bench = try await ServerBench(.init(basePath: base), syncing: nil)

      let answer = try await bench.ask(base + path, method)

      #expect(answer.status == 405)
      #expect(answer.fields[.allow] == allowed)
      #expect(answer.fields[.contentType] == "application/problem+json")
    }
  }

  @Test func `answers that nothing has changed`() async throws {
    let bench = try await ServerBench()
    let tag = try #require(try await bench.ask("/").fields[.eTag])
    var fields = ServerBench.admin
    fields[.ifNoneMatch] = tag

    let again = try await bench.ask("/", .get, fields)

    #expect(again.status == 304)
    #expect(again.bytes.isEmpty)
  }

  @Test func `has every address below its base path`() async throws {
    let bench = try await ServerBench(.init(basePath: "/gallery"))
    for path in ["/gallery/", "/gallery/images/2", "/gallery/feeds", "/gallery/frame"] {
      let html = try await bench.ask(path).text
      #expect(html.contains(#"data-base="/gallery""#), "\(path)")
      for match in html.matches(of: /(?:src|href|action)="(\/[^"]*)"/) {
        #expect(match.1.hasPrefix("/gallery/"), "\(match.1) on \(path)")
      }
    }
    #expect(try await bench.ask("/").status == 404)
  }

  @Test func `begins with what to do in an empty library`() async throws {
    let bench = try await ServerBench(syncing: nil)

    #expect(try await bench.ask("/").text.contains("add a feed under Feeds"))
    #expect(try await bench.ask("/feeds").status == 200)
  }
}

import Foundation
import TestSupport
import Testing
import Workers

/// A host deletes a picture, and answers with a sign from then on.
struct DeletedPictureTests {
  /// What the host does with the addresses of the deleted picture.
  enum Answer: CaseIterable {
    case redirect
    case login
    case sign
  }

  private let site: PhotoSite
  private let server: LoopbackServer
  private let answer = Locked<Answer?>(nil)
  /// Signs that look like pictures, by the paths at which they are.
  private let signs = Locked<[String: [UInt8]]>([:])
  private let program: Program
  private let library: TestLibrary
  private static let sign = TestPicture.jpeg(width: 161, height: 81)

  init() throws {
    let (site, answer, signs) = (try PhotoSite(), self.answer, self.signs)
    self.site = site
    // No two images have the same thumbnail.
    let thumbnail = TestPicture.jpeg(width: 320, height: 80, filling: 11)
    site.set("/sun-small.jpg", PhotoSite.Page(type: "image/jpeg", body: thumbnail))
    server = try LoopbackServer { request in
      if let sign = signs.withLock({ $0[request.target] }) {
        return .whole(sign, fields: ["ETag: \"\(sign.count)\""])
      }
      if ["/removed.jpg", "/members/a.jpg"].contains(request.target) { return .whole(Self.sign) }
      guard request.target.hasPrefix("/moon"), let answer = answer.withLock({ $0 }) else {
        return site.response(to: request)
      }
      switch answer {
      case .redirect: return .whole([], status: 302, fields: ["Location: /removed.jpg"])
      case .login: return .whole([], status: 303, fields: ["Location: /members/a.jpg"])
      case .sign: return .whole(Self.sign, fields: ["ETag: \"sign\""])
      }
    }
    library = try TestLibrary()
    program = library.program
    let feed = "http://127.0.0.1:\(server.port)/photos.xml"
    try program.run("sync", feed, "--originals")
  }

  private func content(_ result: Program.Result) throws -> Data {
    try Data(contentsOf: URL(filePath: result.output.trimmingCharacters(in: .newlines)))
  }

  @Test(arguments: Answer.allCases)
  func `the photograph stays, and the sign is beside it`(_ answer: Answer) throws {
    let before = try program.run("show", "1")
    self.answer.withLock { $0 = answer }

    let synced = try program.run("sync", "--force", "--originals")
    let shown = try program.run("show", "1")
    let refreshed = try program.run("show", "1", "--refresh")
    let facts = try program.run("show", "1", "--info").output
    let explained = try program.run("why", "1").output

    #expect(
      synced.output.contains(
        "1 newer picture kept beside the stored ones of image 1 — 'gallery show"
      )
    )
    #expect(shown == before)
    #expect(refreshed.output == before.output)
    #expect(facts.contains("thumbnail (320 × 80, JPEG, "))
    #expect(facts.contains("original (4000 × 1000, JPEG, "))
    #expect(facts.contains("newer       original (161 × 81, JPEG, "))
    #expect(facts.contains("newer       thumbnail (161 × 81, JPEG, "))
    #expect(explained.contains("it has less than a quarter of the area"))
    #expect(try program.run("verify").status == 0)
    #expect(try program.run("clean", "--dry-run").output == "nothing to clean\n")
    let newer = try program.run("show", "1", "--newer")
    #expect(try content(newer) == Data(Self.sign))
  }

  @Test func `a sign that looks like the photograph gives way when it comes for a second one`()
    throws
  {
    let before = try program.run("show", "1")
    let photo = try content(before)
    let sign = TestPicture.jpeg(width: 4_000, height: 1_000, filling: 7)
    let small = TestPicture.jpeg(width: 320, height: 80, filling: 7)
    signs.withLock { $0 = ["/moon.jpg": sign, "/moon-small.jpg": small] }
    try program.run("sync", "--force", "--originals")
    let deceived = try content(program.run("show", "1", "--offline"))

    signs.withLock { $0["/sun.jpg"] = sign }
    signs.withLock { $0["/sun-small.jpg"] = small }
    let synced = try program.run("sync", "--force", "--originals")
    try program.run("show", "2", "--refresh")
    let facts = try program.run("show", "1", "--info").output

    #expect(deceived == Data(sign))
    #expect(synced.output.contains("2 newer pictures kept beside the stored ones of images"))
    #expect(try content(program.run("show", "1", "--offline")) == photo)
    #expect(facts.contains("newer       original (4000 × 1000, JPEG, "))
    #expect(facts.contains("newer       thumbnail (320 × 80, JPEG, "))
    #expect(try program.run("why", "1").output.contains("other images have the same bytes"))
    #expect(try program.run("verify").status == 0)
    #expect(try program.run("clean", "--dry-run").output == "nothing to clean\n")
    #expect(try program.run("take-newer", "1").status == 0)
    #expect(try content(program.run("show", "1", "--offline")) == Data(sign))
  }

  @Test func `a plain sync and a plain show keep the photograph, too`() throws {
    let before = try program.run("show", "1")
    answer.withLock { $0 = .sign }

    try program.run("sync", "--force")
    let shown = try program.run("show", "1")

    #expect(shown == before)
    #expect(try program.run("why", "1").output.contains("kept beside the stored one"))
  }

  @Test func `an accepted sign takes the place of a pinned photograph`() throws {
    try program.run("pin", "1")
    let before = try program.run("show", "1")
    answer.withLock { $0 = .redirect }
    try program.run("sync", "--force")
    try program.run("show", "1", "--refresh")

    let taken = try program.run("take-newer", "1")
    let again = try program.run("take-newer", "1")
    let after = try program.run("show", "1", "--offline")

    #expect(taken.status == 0)
    #expect(taken.output.contains("stored      thumbnail (161 × 81, JPEG"))
    #expect(again.status == 3)
    #expect(again.errors == "no newer picture is kept beside the stored ones of '1'\n")
    #expect(try content(after) == Data(Self.sign))
    // The photograph is kept for a time.
    #expect(try content(before).count > Self.sign.count)
    #expect(try program.run("clean", "--dry-run").output == "nothing to clean\n")
  }

  @Test func `the photograph that comes back ends it`() throws {
    answer.withLock { $0 = .redirect }
    try program.run("sync", "--force")
    try program.run("show", "1", "--refresh")
    answer.withLock { $0 = nil }

    try program.run("sync", "--force", "--originals")
    try program.run("show", "1", "--refresh")

    #expect(try !program.run("show", "1", "--info").output.contains("newer "))
    #expect(try program.run("show", "1", "--newer").status == 3)
  }

  @Test func `scripts are told which images have newer pictures`() throws {
    answer.withLock { $0 = .sign }

    let synced = try program.run("sync", "--force", "--json")
    try program.run("show", "1", "--refresh")
    let facts = try program.run("show", "1", "--info", "--json").output
    let newer = try program.run("show", "1", "--newer", "--json").output

    #expect(synced.output.contains(#""newer":[[1,1]]"#))
    #expect(facts.contains(#""newer":[{"kind":"original","#))
    #expect(newer.hasPrefix(#"{"event":"newer","id":1,"file":"#))
    #expect(newer.contains(#""width":161,"height":81,"reasons":"smaller otherShape"}"#))
  }
}

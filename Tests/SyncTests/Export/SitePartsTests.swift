import Models
import Testing
import Workers

@testable import Sync

/// The division of a list into pages, and the files that a site keeps.
struct SitePartsTests {
  private func timeline(_ runs: [(month: Int, count: Int)]) -> Timeline {
    var timeline = Timeline()
    var id: Int64 = 0
    for run in runs {
      for _ in 0..<run.count {
        id += 1
        timeline.append(id, month: run.month)
      }
    }
    return timeline
  }

  @Test func `parts of a month are counted from its oldest image on`() {
    let parts = SiteExport.parts(of: timeline([(month: 11, count: 450), (month: 9, count: 200)]))

    #expect(parts.map(\.part.month) == [11, 11, 11, 9])
    #expect(parts.map(\.part.number) == [3, 2, 1, 1])
    #expect(parts.map(\.indices) == [0..<50, 50..<250, 250..<450, 450..<650])
  }

  @Test func `a new image changes the last part of its month alone`() {
    let before = SiteExport.parts(of: timeline([(month: 11, count: 450), (month: 9, count: 3)]))
    let after = SiteExport.parts(of: timeline([(month: 11, count: 451), (month: 9, count: 3)]))

    #expect(before.map(\.part) == after.map(\.part))
    #expect(
      before.dropFirst().map { $0.indices.lowerBound + 1 }
        == after.dropFirst().map(\.indices.lowerBound)
    )
    #expect(before.dropFirst().map(\.indices.count) == after.dropFirst().map(\.indices.count))
    #expect(SiteExport.parts(of: Timeline()).isEmpty)
  }

  @Test func `pictures are kept by their hashes, and all else by its name`() {
    var kept = KeptFiles()
    let hashes = (0..<100).map { SHA256Digest(words: SIMD4(UInt64($0) << 40, 1, 2, 3)) }
    for hash in hashes.reversed() { kept.add(picture: hash) }
    kept.add("months/2026-11-1.html")
    kept.sort()

    for hash in hashes { #expect(kept.contains("t/\(hash.hexadecimal)")) }
    #expect(kept.contains("months/2026-11-1.html"))
    let other = SHA256Digest(words: SIMD4(1, 1, 2, 3)).hexadecimal
    for name in ["t/\(other)", "t/x", "t/\(hashes[3].hexadecimal).new", "months/2026-11-2.html"] {
      #expect(!kept.contains(name), "\(name)")
    }
  }
}

import Foundation
import Models
import Testing
import Workers

@testable import FeedFormats

struct UnpackingTests {
  /// A feed of one image and 60,000 spaces, packed with gzip.
  private let packed = Array(
    Data(
      base64Encoded: "H4sIAAAAAAACA+3KsY0CMRRAwVbIyLBITx/XQAvLYrGAMWht+kfimiCYyZ70Yu09x7xMrZWaY1xH"
        + "Lfk4zfdyjvRfcR3lkaO0uT77ey2b91oP22WMV/9Ladqd0n53e122KUf6rhsAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAHxNpXqbWSs2R1t7z"
        + "B96JaWbE6gAA"
    ) ?? Data()
  )

  @Test func `unpacks gzip that no header announced`() throws {
    for chunk in [1, 5, 1000] {
      let read = try ReadDocument(packed, chunk: chunk)

      #expect(read.document.title == "Packed")
      #expect(read.originals == ["https://a.b/1.jpg"])
      #expect(read.document.flaws == [])
    }
  }

  @Test func `keeps what came before packed data end or break`() throws {
    var broken = packed
    broken[broken.count - 6] ^= 0xFF

    let cut = try ReadDocument(Array(packed.dropLast(12)))
    let damaged = try ReadDocument(broken)

    #expect(cut.originals == ["https://a.b/1.jpg"])
    #expect(cut.document.flaws.first == .cutGzip)
    #expect(damaged.originals == ["https://a.b/1.jpg"])
    #expect(damaged.document.flaws.first == .damagedGzip)
  }

  @Test func `reads no more at a time than so many unpacked bytes, however many were pushed`()
    throws
  {
    let address = try #require(WebAddress("https://a.b/feed"))
    let parser = FeedReader().parser(for: FeedSource(address: address))
    let item = "<item><enclosure url='http://a.b/1.jpg' type='image/jpeg'/></item>"
    let document = "<rss><channel>" + String(repeating: item, count: 20_000) + "</channel></rss>"

    var counts = [try parser.push(Self.stored(Array(document.utf8))).count]
    while parser.hasMore { counts.append(try parser.push([]).count) }

    #expect(counts.reduce(try parser.finish().entries.imageCount, +) == 20_000)
    #expect(counts.allSatisfy { $0 < 6_000 })
    #expect(parser.unpackedBytes == document.utf8.count)
  }

  /// Bytes in a gzip file of stored blocks (RFC 1951, section 3.2.4), without a checksum.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bytes.count, by: 60_000) {
      let block = bytes[start...].prefix(60_000)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      packed += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
    }
    return packed
  }

  @Test(arguments: [1, 7, 100_000])
  func `reads every member of a file, and ignores other bytes behind it`(chunk: Int) throws {
    let feed = Array("<rss><channel><title>Packed</title></channel></rss>".utf8)
    let (half, rest) = (Self.whole(feed[..<20]), Self.whole(feed[20...]))
    let empty = Self.whole([])
    let files = [
      half + rest, half + empty + rest, half + rest + empty,
      half + rest + [UInt8](repeating: 0, count: 64),
      half + rest + Array("\n<!-- cached page -->".utf8), half + rest + [0x1F],
    ]
    for file in files {
      let read = try ReadDocument(file, chunk: chunk)

      #expect(read.document.title == "Packed")
      #expect(read.document.flaws == [])
    }
  }

  @Test func `says that a later member is cut off`() throws {
    let feed = Array("<rss><channel><title>Packed</title></channel></rss>".utf8)

    let read = try ReadDocument(Self.whole(feed[...]) + Self.whole(feed[...]).dropLast(12))

    #expect(read.document.title == "Packed")
    #expect(read.document.flaws.contains(.cutGzip))
  }

  /// Bytes in a gzip member of one stored block (RFC 1951, section 3.2.4; RFC 1952, section 2.3).
  private static func whole(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
    let sum = ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
    let numbers = [sum, UInt32(bytes.count)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, low, high, ~low, ~high]
    return head + bytes + numbers
  }

  @Test func `says what is packed when it is not a feed`() throws {
    var empty = packed
    empty.removeSubrange(10...)

    #expect(throws: FeedError.notAFeed(looksLike: "a gzip archive")) { try ReadDocument(empty) }
  }

  @Test func `unpacks no more than the limit, block by block`() throws {
    let unpacker = try #require(GzipUnpacker(limit: 50_000, block: 20_000))
    unpacker.append(packed)

    #expect(try unpacker.next()?.count == 20_000)
    #expect(try unpacker.next()?.count == 20_000)
    #expect(
      throws: FeedError.beyondLimit(of: "the bytes of the unpacked document", limit: 50_000)
    ) { try unpacker.next() }
  }
}

import FoundationEssentials
import Testing

@testable import ObjectStore

/// Lists of objects, with numbers as any store may write them.
struct S3AnswerTests {
  private func object(changed: String, size: String) throws -> S3Answer.Object {
    let text = """
      <ListBucketResult><Contents><Key>a</Key><LastModified>\(changed)</LastModified>\
      <Size>\(size)</Size></Contents></ListBucketResult>
      """
    return try #require(S3Answer(Array(text.utf8))?.objects.first)
  }

  @Test func `reads a date and a size`() throws {
    let object = try object(changed: "2009-10-12T17:50:30.000Z", size: "4")

    #expect(object.changed == Date(timeIntervalSince1970: 1_255_369_830))
    #expect(object.bytes == 4)
  }

  @Test(arguments: [
    "", "0", "NaN", "2009-10-12", "9223372036854775807-01-01T00:00:00Z",
    "2009-10-9223372036854775807T00:00:00Z", "2009-10-12T9223372036854775807:00:00Z",
    "2009-10-12T00:00:18446744073709551615Z", "0-1-1T0:0:0Z", "2009-13-01T00:00:00Z", "1e308",
  ])
  func `takes an object whose date cannot be read for a new one`(changed: String) throws {
    #expect(try object(changed: changed, size: "4").changed == .distantFuture)
  }

  @Test(arguments: [
    ("0", 0), ("9223372036854775807", 72_057_594_037_927_935),
    ("18446744073709551615", 72_057_594_037_927_935), ("-1", -1), ("-9223372036854775808", -1),
    ("1e308", -1), ("NaN", -1), ("", -1),
  ])
  func `limits a size, of which others are added up`(size: String, bytes: Int) throws {
    #expect(try object(changed: "", size: size).bytes == bytes)
  }
}

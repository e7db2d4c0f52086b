import CExpat
import FoundationEssentials
import Models

/// The parts of an XML response of S3 that are used: a list of objects (ListObjectsV2), or an error.
struct S3Answer {
  struct Object: Equatable {
    var key = ""
    var bytes = 0
    var changed = Date(timeIntervalSince1970: 0)
  }

  private(set) var objects: [Object] = []
  /// Whether there are more objects after the last one.
  private(set) var isCut = false
  /// The code of an error, such as `NoSuchBucket`.
  private(set) var errorCode: String?
  /// The time of the answer by the clock of the store, from its header.
  var date: Date?

  private var depth = 0
  private var isInObject = false
  private var text: [UInt8] = []

  /// Nil for a text that is not XML.
  init?(_ bytes: [UInt8]) {
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    defer { XML_ParserFree(parser) }
    var answer = Self()
    let isWhole = withUnsafeMutablePointer(to: &answer) { answer in
      XML_SetUserData(parser, answer)
      XML_SetElementHandler(
        parser,
        { answer, name, _ in Self.of(answer)?.pointee.start(Self.text(name)) },
        { answer, name in Self.of(answer)?.pointee.end(Self.text(name)) }
      )
      XML_SetCharacterDataHandler(parser) { answer, start, count in
        guard let start else { return }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
        Self.of(answer)?.pointee.text.append(contentsOf: bytes)
      }
      return bytes.withUnsafeBytes { buffer in
        let start = buffer.bindMemory(to: CChar.self).baseAddress
        return XML_Parse(parser, start, Int32(buffer.count), 1) == XML_STATUS_OK
      }
    }
    guard isWhole else { return nil }
    self = answer
  }

  private init() {}

  private mutating func start(_ name: String) {
    depth += 1
    text = []
    guard depth == 2, name == "Contents" else { return }
    isInObject = true
    objects.append(Object())
  }

  private mutating func end(_ name: String) {
    let value = String(decoding: text, as: UTF8.self)
    switch (depth, name) {
    case (2, "Contents"): isInObject = false
    case (2, "IsTruncated"): isCut = value == "true"
    case (2, "Code"): errorCode = value
    case (3, "Key") where isInObject: objects[objects.count - 1].key = value
    case (3, "Size") where isInObject:
      objects[objects.count - 1].bytes = Int(digits: value)?.bounded ?? -1
    case (3, "LastModified") where isInObject:
      objects[objects.count - 1].changed = Self.date(value) ?? .distantFuture
    default: break
    }
    depth -= 1
    text = []
  }

  /// Reads a date such as `2009-10-12T17:50:30.000Z`; fractions of a second are ignored.
  private static func date(_ text: String) -> Date? {
    let parts = text.split(whereSeparator: { "-T:.Z".contains($0) }).prefix(6).map { Int($0) ?? -1 }
    let ranges = [1...9_999, 1...12, 1...31, 0...23, 0...59, 0...60]
    guard parts.count == 6, zip(ranges, parts).allSatisfy({ $0.contains($1) }) else { return nil }
    let days = CalendarDay(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
    let seconds = ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5]
    return Date(timeIntervalSince1970: Double(seconds))
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<S3Answer>? {
    user?.assumingMemoryBound(to: S3Answer.self)
  }

  private static func text(_ name: UnsafePointer<XML_Char>?) -> String {
    name.map { String(cString: $0) } ?? ""
  }
}

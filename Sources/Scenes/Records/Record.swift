package import Models

/// A result for scripts: a JSON object, with its members in the order in which they are written.
///
/// An unknown value is null, so that all objects of a kind have the same members.
package struct Record: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: Value
  }

  package enum Value: Equatable, Sendable {
    case text(String?)
    case integer(Int64?)
    case real(Double)
    case flag(Bool)
    case record(Record?)
    case records([Record])
    case numbers([Int64])
    case array([Value])
    /// In JSON, each range is an array of its first and its last number.
    case ranges([ClosedRange<Int64>]?)

    package static func texts(_ texts: [String]) -> Value { .array(texts.map { .text($0) }) }

    package static func number(_ number: Int?) -> Value { .integer(number.map(Int64.init)) }
  }

  package private(set) var members: [Member]

  package init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }

  fileprivate init(_ elements: [(String, Value)]) { members = elements.map(Member.init) }

  /// The text of a member; empty when the member is missing or is not a text.
  package func text(_ name: String) -> String {
    guard case .text(let text?) = members.first(where: { $0.name == name })?.value else {
      return ""
    }
    return text
  }

  /// A copy without one member of a nested record.
  package func without(_ name: String, in parent: String) -> Record {
    var result = self
    for index in members.indices where members[index].name == parent {
      guard case .record(var record?) = members[index].value else { continue }
      record.members.removeAll { $0.name == name }
      result.members[index].value = .record(record)
    }
    return result
  }

  /// A copy with other texts, also in nested records; a text becomes null when its change returns nil.
  package func mapTexts(_ change: (_ name: String, _ text: String) -> String?) -> Record {
    var result = self
    for index in members.indices {
      let name = members[index].name
      result.members[index].value = members[index].value.mapTexts(name, change)
    }
    return result
  }

  /// Adds a member at the end.
  package mutating func add(_ name: String, _ value: Value) {
    members.append(Member(name: name, value: value))
  }
}

extension Record.Value {
  fileprivate func mapTexts(_ name: String, _ change: (String, String) -> String?) -> Self {
    switch self {
    case .text(let text): .text(text.flatMap { change(name, $0) })
    case .record(let record): .record(record.map { $0.mapTexts(change) })
    case .records(let records): .records(records.map { $0.mapTexts(change) })
    case .array(let values): .array(values.map { $0.mapTexts(name, change) })
    case .integer, .real, .flag, .numbers, .ranges: self
    }
  }
}

extension Record.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }

  package init(integerLiteral value: Int64) { self = .integer(value) }

  package init(booleanLiteral value: Bool) { self = .flag(value) }

  package init(floatLiteral value: Double) { self = .real(value) }

  package init(dictionaryLiteral elements: (String, Record.Value)...) {
    self = .record(Record(elements))
  }
}

/// Records of one use case, for a display to write.
package struct RecordViewModel: Equatable, Sendable {
  package var records: [Record]
  /// Nil while more records follow.
  package var outcome: Outcome?

  package init(_ records: [Record], outcome: Outcome? = .done) {
    self.records = records
    self.outcome = outcome
  }

  package init(_ record: Record, outcome: Outcome? = .done) {
    self.init([record], outcome: outcome)
  }
}

/// A display for scripts, which all scenes share: it writes records as they arrive, and messages separately.
package protocol RecordDisplayLogic {
  func displayRecords(viewModel: RecordViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

// MARK: Records of several scenes

extension Record {
  init(_ feed: FeedReference) {
    self = ["id": .integer(feed.id), "title": .text(feed.title)]
  }

  /// Makes the record of a recent failure to get a picture.
  init(_ failure: PictureFailure) {
    self = [
      "picture": .text(failure.kind.recordName),
      "reason": .text(failure.reason),
      "tries": .number(failure.tries),
      "failed": .text(Wording.timestamp(failure.failed)),
      "retry": .text(Wording.timestamp(failure.retry)),
    ]
  }

  /// Makes the record of several pictures that failed for the same reason.
  init(_ group: FailureGroup) {
    self = [
      "picture": .text(group.kind.recordName),
      "count": .number(group.count),
      "reason": .text(group.reason),
      "retry": .text(Wording.timestamp(group.retry)),
    ]
  }
}

extension PictureKind {
  /// The name in JSON; made and fetched thumbnails have the same name.
  package var recordName: String { self == .original ? "original" : "thumbnail" }
}

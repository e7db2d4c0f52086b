import Foundation
import TestSupport
import Testing
import Threading

/// The limits in the tables of SECURITY, which name their constants, are those of the code.
struct LimitNumbersTests {
  @Test func `each row of SECURITY has the numbers of the constants that it names`() throws {
    let rows = try Checkout.text(of: "SECURITY.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
    let named = rows.flatMap { row in
      row.matches(of: /`(?:([A-Z]\w+)\.)?([a-z]\w+)`/).map { (row, $0.1, String($0.2)) }
    }
    let values = try Self.values(of: Set(named.map(\.2)))

    #expect(named.count > 60)
    for (row, type, name) in named {
      let files = try type.map { try Self.files(declaring: String($0)) }
      let own = values[name, default: []].filter { files?.contains($0.file) ?? true }
      let texts = Set(own.flatMap { Self.texts(of: $0.value) })
      #expect(!texts.isDisjoint(with: Self.numbers(in: row)), "\(name): \(row)")
    }
  }

  private static func grep(_ arguments: String...) throws -> String {
    let sources = Checkout.folder.appending(path: "Sources").path
    let command = ["/usr/bin/grep", "-rE", "--include=*.swift"] + arguments + [sources]
    return String(decoding: try ChildProcess.run(command).output, as: UTF8.self)
  }

  private static func files(declaring type: String) throws -> [Substring] {
    try grep("-l", "\\b(struct|enum|class) \(type)\\b").split(separator: "\n")
  }

  /// The numbers with which files declare constants, such as `8 << 20` or `.seconds(30)`.
  private static func values(
    of names: Set<String>
  ) throws -> [String: [(file: Substring, value: Int)]] {
    let name = "\\b(\(names.joined(separator: "|")))(: [A-Za-z.?0-9]+)?"
    let found = try grep("-oH", "\(name) = .*[0-9]")
    let pattern = /(?m)^([^:\n]+):(\w+)[^=\n]* = (?:Duration)?(?:\.seconds\()?(\d[\d_ <*]*)/
    return found.matches(of: pattern).reduce(into: [:]) { values, match in
      guard let value = Self.value(of: match.3) else { return }
      values[String(match.2), default: []].append((match.1, value))
    }
  }

  /// The value of a product or a shift.
  private static func value(of expression: Substring) -> Int? {
    let parts = expression.replacing("_", with: "").split(separator: " ")
    return parts.dropFirst(2).enumerated().reduce(Int(parts[0])) { value, part in
      guard part.offset.isMultiple(of: 2), let value, let number = Int(part.element) else {
        return value
      }
      return parts[part.offset + 1] == "<<" ? value << number : value * number
    }
  }

  /// The texts that the page may have for a value: a number, or one with a unit.
  private static func texts(of value: Int) -> [String] {
    let units = [
      ("", 1), (" s", 1), (" minutes", 60), (" hour", 3_600), (" day", 86_400), (" KiB", 1 << 10),
      (" MiB", 1 << 20), (" GiB", 1 << 30),
    ]
    return units.filter { value.isMultiple(of: $0.1) }.map { name, unit in
      grouped(value / unit) + name
    }
  }

  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return digits.enumerated().reduce("") { text, digit in
      let isStart = digit.offset > 0 && (digits.count - digit.offset).isMultiple(of: 3)
      return text + (isStart ? "," : "") + String(digit.element)
    }
  }

  private static func numbers(in row: Substring) -> Set<String> {
    let number = /\d+(?:,\d{3})*(?: (?:KiB|MiB|GiB|s|minutes|hour|day)\b)?/
    return Set(row.matches(of: number).map { String($0.output) })
  }
}

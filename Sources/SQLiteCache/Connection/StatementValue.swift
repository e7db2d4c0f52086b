/// A value that SQLite takes for a parameter of a statement (sqlite.org/datatype3.html).
enum StatementValue {
  case null
  case integer(Int64)
  case text(String)

  static func integer(_ value: Int64?) -> StatementValue { value.map { .integer($0) } ?? .null }

  static func integer(_ value: Int?) -> StatementValue {
    value.map { .integer(Int64($0)) } ?? .null
  }

  static func boolean(_ value: Bool) -> StatementValue { .integer(value ? 1 : 0) }

  static func text(_ value: String?) -> StatementValue { value.map { .text($0) } ?? .null }
}

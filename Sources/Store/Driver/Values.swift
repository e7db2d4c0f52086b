package import Models
package import Workers

/// Values for the parameters of a statement, in their order.
///
/// The bytes of all texts are in one buffer, from which the library of the database reads them. An image has a dozen
/// texts, and each would otherwise be copied to a separate buffer first.
package struct Values {
  /// The types of columns.
  package enum Kind: Sendable {
    case boolean
    case integer
    case real
    case text
    case bytes
  }

  package enum Value {
    /// NULL of a type; of an unknown type, it is where the statement determines the type.
    case null(Kind?)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case bytes(Range<Int>)
    case list(Kind, Range<Int>)
  }

  /// The bytes that are reserved for each value's text: texts are short, and many values have none.
  private static let bytesEach = 24

  private(set) var values: [Value] = []
  /// The elements of all lists.
  private(set) var elements: [Value] = []
  /// The bytes of all texts and bytes.
  private(set) var bytes: [UInt8] = []

  /// Reserves memory for a number of values.
  package init(count: Int = 0) {
    values.reserveCapacity(count)
    bytes.reserveCapacity(count * Self.bytesEach)
  }

  package init(_ parameters: [any Parameter]) {
    self.init(count: parameters.count)
    for parameter in parameters { parameter.add(to: &self) }
  }

  package var count: Int { values.count }

  // Not generic, so that a caller in another module pays for no more than the call.

  package mutating func add(_ integer: Int64?) {
    values.append(integer.map { .integer($0) } ?? .null(.integer))
  }

  package mutating func add(_ integer: Int?) { add(integer.map { Int64($0) }) }

  package mutating func add(_ isTrue: Bool?) {
    values.append(isTrue.map { .boolean($0) } ?? .null(.boolean))
  }

  package mutating func add(_ text: String?) {
    values.append(text?.value(&bytes) ?? .null(.text))
  }

  package mutating func add(_ hash: SHA256Digest?) {
    values.append(hash?.value(&bytes) ?? .null(.bytes))
  }

  package mutating func add(_ blob: [UInt8]) { add(Bytes(blob)) }

  package mutating func add(_ blob: Bytes) { values.append(blob.value(&bytes)) }

  package mutating func addNull() { values.append(.null(nil)) }

  fileprivate mutating func add(_ scalar: some Scalar) { values.append(scalar.value(&bytes)) }

  fileprivate mutating func add<Element: Scalar>(list: [Element]) {
    let start = elements.count
    for element in list { elements.append(element.value(&bytes)) }
    values.append(.list(Element.kind, start..<elements.count))
  }
}

/// A value that a statement can have as a parameter.
package protocol Parameter {
  func add(to values: inout Values)
}

/// A value that can also be an element of a list.
package protocol Scalar: Parameter {
  static var kind: Values.Kind { get }
  /// The value, whose bytes this appends to those of other values.
  func value(_ bytes: inout [UInt8]) -> Values.Value
}

extension Scalar {
  package func add(to values: inout Values) { values.add(self) }
}

extension Int64: Scalar {
  package static let kind = Values.Kind.integer
  package func value(_ bytes: inout [UInt8]) -> Values.Value { .integer(self) }
}

extension Int: Scalar {
  package static let kind = Values.Kind.integer
  package func value(_ bytes: inout [UInt8]) -> Values.Value { .integer(Int64(self)) }
}

extension Double: Scalar {
  package static let kind = Values.Kind.real
  package func value(_ bytes: inout [UInt8]) -> Values.Value { .real(self) }
}

extension Bool: Scalar {
  package static let kind = Values.Kind.boolean
  package func value(_ bytes: inout [UInt8]) -> Values.Value { .boolean(self) }
}

extension String: Scalar {
  package static let kind = Values.Kind.text
  package func value(_ bytes: inout [UInt8]) -> Values.Value {
    let start = bytes.count
    utf8Span.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    return .text(start..<bytes.count)
  }
}

extension SHA256Digest: Scalar {
  package static let kind = Values.Kind.bytes
  package func value(_ bytes: inout [UInt8]) -> Values.Value {
    let start = bytes.count
    appendBytes(to: &bytes)
    return .bytes(start..<bytes.count)
  }
}

/// Bytes as one value, which as an array would be a list of numbers.
package struct Bytes: Scalar {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static let kind = Values.Kind.bytes
  package func value(_ bytes: inout [UInt8]) -> Values.Value {
    let start = bytes.count
    bytes += self.bytes
    return .bytes(start..<bytes.count)
  }
}

extension Optional: Parameter where Wrapped: Scalar {}

extension Optional: Scalar where Wrapped: Scalar {
  package static var kind: Values.Kind { Wrapped.kind }
  package func value(_ bytes: inout [UInt8]) -> Values.Value {
    self?.value(&bytes) ?? .null(Wrapped.kind)
  }
}

/// A list, which a statement reads with `Dialect.ids`.
extension Array: Parameter where Element: Scalar {
  package func add(to values: inout Values) { values.add(list: self) }
}

extension CopiedValue: Parameter {
  package func add(to values: inout Values) {
    switch self {
    case .null: values.addNull()
    case .integer(let integer): values.add(integer)
    case .text(let text): values.add(text)
    case .bytes(let bytes): values.add(bytes)
    }
  }
}

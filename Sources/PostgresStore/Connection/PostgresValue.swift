/// A value of a statement's parameter, in the form in which it is sent: PostgreSQL's binary format.
struct PostgresValue {
  /// The object identifiers of types (src/include/catalog/pg_type.dat).
  enum TypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
    static let booleans: UInt32 = 1000
    static let byteArrays: UInt32 = 1001
    static let texts: UInt32 = 1009
    static let integers: UInt32 = 1016
  }

  /// The type; 0 leaves it to the server.
  var typeID: UInt32
  /// Nil for NULL.
  var bytes: [UInt8]?

  static let null = PostgresValue(typeID: 0, bytes: nil)

  static func integer(_ value: Int64) -> Self {
    Self(typeID: TypeID.integer, bytes: bigEndian(value))
  }

  static func boolean(_ value: Bool) -> Self {
    Self(typeID: TypeID.boolean, bytes: [value ? 1 : 0])
  }

  static func bytes(_ value: [UInt8]) -> Self { Self(typeID: TypeID.bytes, bytes: value) }

  /// A text cannot have a null character there.
  static func text(_ value: String) -> Self {
    Self(typeID: TypeID.text, bytes: Array(value.utf8.filter { $0 != 0 }))
  }

  /// A one-dimensional array of values of one type (array_recv in src/backend/utils/adt/arrayfuncs.c).
  private static func array(of elementType: UInt32, _ type: UInt32, _ values: [Self]) -> Self {
    var bytes: [UInt8] = []
    let hasNull = values.contains { $0.bytes == nil }
    for number in [values.isEmpty ? 0 : 1, hasNull ? 1 : 0, Int32(bitPattern: elementType)] {
      bytes += bigEndian(number)
    }
    if !values.isEmpty { bytes += bigEndian(Int32(values.count)) + bigEndian(Int32(1)) }
    for value in values {
      bytes += bigEndian(value.bytes.map { Int32($0.count) } ?? -1)
      bytes += value.bytes ?? []
    }
    return Self(typeID: type, bytes: bytes)
  }

  static func integers(_ values: [Self]) -> Self {
    array(of: TypeID.integer, TypeID.integers, values)
  }

  static func texts(_ values: [Self]) -> Self { array(of: TypeID.text, TypeID.texts, values) }

  static func booleans(_ values: [Self]) -> Self {
    array(of: TypeID.boolean, TypeID.booleans, values)
  }

  static func byteArrays(_ values: [Self]) -> Self {
    array(of: TypeID.bytes, TypeID.byteArrays, values)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

/// What can be the value of a parameter.
protocol PostgresEncodable {
  var postgresValue: PostgresValue { get }
}

/// What can be an element of an array.
protocol PostgresElement: PostgresEncodable {
  static func array(_ values: [PostgresValue]) -> PostgresValue
}

extension Int64: PostgresElement {
  var postgresValue: PostgresValue { .integer(self) }
  static func array(_ values: [PostgresValue]) -> PostgresValue { .integers(values) }
}

extension Int: PostgresElement {
  var postgresValue: PostgresValue { .integer(Int64(self)) }
  static func array(_ values: [PostgresValue]) -> PostgresValue { .integers(values) }
}

extension Bool: PostgresElement {
  var postgresValue: PostgresValue { .boolean(self) }
  static func array(_ values: [PostgresValue]) -> PostgresValue { .booleans(values) }
}

extension String: PostgresElement {
  var postgresValue: PostgresValue { .text(self) }
  static func array(_ values: [PostgresValue]) -> PostgresValue { .texts(values) }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  var postgresValue: PostgresValue { self?.postgresValue ?? .null }
}

extension Optional: PostgresElement where Wrapped: PostgresElement {
  static func array(_ values: [PostgresValue]) -> PostgresValue { Wrapped.array(values) }
}

extension Array: PostgresEncodable where Element: PostgresElement {
  var postgresValue: PostgresValue { Element.array(map(\.postgresValue)) }
}

/// Some bytes; as an array they would be one of numbers.
struct Bytes: PostgresElement {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var postgresValue: PostgresValue { .bytes(bytes) }
  static func array(_ values: [PostgresValue]) -> PostgresValue { .byteArrays(values) }
}

/// What a column can be read as, from the binary format.
protocol PostgresDecodable {
  /// Nil for bytes that are no such value.
  init?(postgres bytes: UnsafeRawBufferPointer)
}

extension Int64: PostgresDecodable {
  /// Reads an integer of any size.
  init?(postgres bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 8: self.init(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: self.init(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: self.init(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: return nil
    }
  }
}

extension Int: PostgresDecodable {
  init?(postgres bytes: UnsafeRawBufferPointer) {
    guard let value = Int64(postgres: bytes) else { return nil }
    self.init(value)
  }
}

extension Bool: PostgresDecodable {
  init?(postgres bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 1 else { return nil }
    self = bytes[0] != 0
  }
}

extension String: PostgresDecodable {
  init?(postgres bytes: UnsafeRawBufferPointer) { self.init(decoding: bytes, as: UTF8.self) }
}

extension Bytes: PostgresDecodable {
  init?(postgres bytes: UnsafeRawBufferPointer) { self.init(Array(bytes)) }
}

import Models

/// The value of a statement's parameter in PostgreSQL's binary format, as it is sent.
struct PostgresValue: PostgresEncodable {
  /// The object identifiers of types (src/include/catalog/pg_type.dat).
  enum TypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
  }

  /// The object identifier of the type; for 0, the server infers the type.
  var typeID: UInt32
  /// Nil for NULL.
  var bytes: [UInt8]?

  static let null = PostgresValue(typeID: 0, bytes: nil)

  var postgresValue: Self { self }
}

/// A value that can be a parameter of a statement.
protocol PostgresEncodable {
  var postgresValue: PostgresValue { get }
}

/// A value that can be an element of an array.
protocol PostgresElement: PostgresEncodable {
  /// The types of such a value, and of an array of them.
  static var postgresTypes: (element: UInt32, array: UInt32) { get }
  /// Nil for NULL.
  var postgresBytes: [UInt8]? { get }
}

extension PostgresElement {
  var postgresValue: PostgresValue {
    PostgresValue(typeID: Self.postgresTypes.element, bytes: postgresBytes)
  }
}

extension Int64: PostgresElement {
  static let postgresTypes = (element: PostgresValue.TypeID.integer, array: 1016 as UInt32)
  var postgresBytes: [UInt8]? { bigEndianBytes }
}

extension Int: PostgresElement {
  static let postgresTypes = Int64.postgresTypes
  var postgresBytes: [UInt8]? { Int64(self).postgresBytes }
}

extension Bool: PostgresElement {
  static let postgresTypes = (element: PostgresValue.TypeID.boolean, array: 1000 as UInt32)
  var postgresBytes: [UInt8]? { [self ? 1 : 0] }
}

/// A text without its null characters, which PostgreSQL does not store.
extension String: PostgresElement {
  static let postgresTypes = (element: PostgresValue.TypeID.text, array: 1009 as UInt32)
  var postgresBytes: [UInt8]? { Array(utf8.filter { $0 != 0 }) }
}

extension SHA256Digest: PostgresElement {
  static let postgresTypes = Bytes.postgresTypes
  var postgresBytes: [UInt8]? { bytes }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  var postgresValue: PostgresValue { self?.postgresValue ?? .null }
}

extension Optional: PostgresElement where Wrapped: PostgresElement {
  static var postgresTypes: (element: UInt32, array: UInt32) { Wrapped.postgresTypes }
  var postgresBytes: [UInt8]? { flatMap(\.postgresBytes) }
}

/// An array of one dimension (array_recv in src/backend/utils/adt/arrayfuncs.c).
extension Array: PostgresEncodable where Element: PostgresElement {
  var postgresValue: PostgresValue {
    let (elementType, arrayType) = Element.postgresTypes
    let elements = map(\.postgresBytes)
    let hasNull = elements.contains { $0 == nil }
    let head = [isEmpty ? 0 : 1, hasNull ? 1 : 0, Int32(bitPattern: elementType)]
    var bytes = (isEmpty ? head : head + [Int32(count), 1]).flatMap(\.bigEndianBytes)
    for element in elements {
      bytes += (element.map { Int32($0.count) } ?? -1).bigEndianBytes
      bytes += element ?? []
    }
    return PostgresValue(typeID: arrayType, bytes: bytes)
  }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// Bytes as one value, which as an array would be many numbers.
struct Bytes: PostgresElement {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static let postgresTypes = (element: PostgresValue.TypeID.bytes, array: 1001 as UInt32)
  var postgresBytes: [UInt8]? { bytes }
}

/// A value that can be read from a column in the binary format.
protocol PostgresDecodable {
  /// Returns nil when the bytes are not such a value.
  init?(postgres bytes: UnsafeRawBufferPointer)
}

extension Int64: PostgresDecodable {
  /// Reads an integer of 2, 4 or 8 bytes.
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
  /// Reads a count, a length or an offset, limited so that sums of such numbers do not overflow.
  init?(postgres bytes: UnsafeRawBufferPointer) {
    guard let value = Int64(postgres: bytes) else { return nil }
    self.init(value.bounded)
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

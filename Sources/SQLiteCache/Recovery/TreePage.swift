import Workers

/// A page of a tree, as the file format describes it (section 1.6); any byte of it may be wrong.
struct TreePage {
  enum Kind: UInt8 {
    case indexInterior = 0x02
    case tableInterior = 0x05
    case indexLeaf = 0x0A
    case tableLeaf = 0x0D

    var isInterior: Bool { self == .indexInterior || self == .tableInterior }
  }

  /// A row in a page: its id, which a table without ids lacks, and its values.
  typealias Row = (id: Int64?, values: [CopiedValue])

  let kind: Kind
  /// The pages below this one.
  private(set) var children: [Int] = []
  private(set) var rows: [Row] = []
  /// The number of cells that cannot be read.
  private(set) var damagedCells = 0

  /// Reads a page; nil when it is no page of a tree.
  init?(_ number: Int, of database: DamagedDatabase) {
    guard let bytes = database.page(number) else { return nil }
    // The header of the file precedes the first page.
    let start = number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    self.kind = kind
    let header = start + (kind.isInterior ? 12 : 8)
    let most = (bytes.count - header) / 2
    let count = min(Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]), most)
    if kind.isInterior { children.append(bytes.integer(start + 8)) }
    for index in 0..<count {
      let place = header + 2 * index
      let cell = Int(bytes[place]) << 8 | Int(bytes[place + 1])
      guard cell >= header, cell < bytes.count - 3 else {
        damagedCells += 1
        continue
      }
      if kind.isInterior { children.append(bytes.integer(cell)) }
      if kind == .tableInterior { continue }
      if let row = Cell(bytes, kind.isInterior ? cell + 4 : cell, of: database).row(kind) {
        rows.append(row)
      } else {
        damagedCells += 1
      }
    }
  }
}

/// A cell with a row.
private struct Cell {
  private let bytes: [UInt8]
  private var position: Int
  private let database: DamagedDatabase

  init(_ bytes: [UInt8], _ position: Int, of database: DamagedDatabase) {
    (self.bytes, self.position, self.database) = (bytes, position, database)
  }

  func row(_ kind: TreePage.Kind) -> TreePage.Row? {
    var cell = self
    guard let length = cell.varint(), length > 0,
      length <= Int64(database.pageCount) * Int64(database.pageBytes)
    else { return nil }
    let id = kind == .tableLeaf ? cell.varint() : nil
    if kind == .tableLeaf, id == nil { return nil }
    guard let payload = cell.payload(Int(length), isTable: kind == .tableLeaf),
      let values = Record.values(payload)
    else { return nil }
    return (id, values)
  }

  private mutating func varint() -> Int64? { Record.varint(bytes, &position) }

  /// The payload of a length, with its overflow pages (section 1.6).
  private func payload(_ length: Int, isTable: Bool) -> [UInt8]? {
    let usable = bytes.count
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    let least = (usable - 12) * 32 / 255 - 23
    let some = least + (length - least) % (usable - 4)
    let local = length <= most ? length : some <= most ? some : least
    guard position + local <= usable else { return nil }
    var payload = Array(bytes[position..<(position + local)])
    if local == length { return payload }
    var next = bytes.integer(position + local)
    var seen: Set<Int> = []
    while payload.count < length {
      guard next > 0, seen.insert(next).inserted, let page = database.page(next) else { return nil }
      payload += page[4..<(4 + min(usable - 4, length - payload.count))]
      next = page.integer(0)
    }
    return payload
  }
}

/// The record format (section 2.1).
private enum Record {
  /// The values of a record; nil when its header does not fit it.
  static func values(_ record: [UInt8]) -> [CopiedValue]? {
    var position = 0
    guard let length = varint(record, &position), length >= position, length <= record.count
    else { return nil }
    var types: [Int64] = []
    while position < length, let type = varint(record, &position) { types.append(type) }
    guard position == length else { return nil }
    var values: [CopiedValue] = []
    for type in types {
      guard let value = value(type, record, &position) else { return nil }
      values.append(value)
    }
    return position == record.count ? values : nil
  }

  private static func value(
    _ type: Int64,
    _ record: [UInt8],
    _ position: inout Int
  ) -> CopiedValue? {
    let lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
    switch type {
    case 0: return .null
    case 8, 9: return .integer(type - 8)
    case 1...6:
      guard let bytes = take(lengths[Int(type)], record, &position), let first = bytes.first
      else { return nil }
      let start = Int64(Int8(bitPattern: first))
      return .integer(bytes.dropFirst().reduce(start) { $0 << 8 | Int64($1) })
    case 12...:
      guard type < 1 << 32, let bytes = take(Int(type - 12) / 2, record, &position) else {
        return nil
      }
      if type % 2 == 0 { return .bytes(Array(bytes)) }
      return String(validating: bytes, as: UTF8.self).map { .text($0) }
    // No table has fractions.
    default: return nil
    }
  }

  private static func take(
    _ count: Int,
    _ record: [UInt8],
    _ position: inout Int
  ) -> ArraySlice<UInt8>? {
    guard count <= record.count - position else { return nil }
    defer { position += count }
    return record[position..<(position + count)]
  }

  /// A number of one to nine bytes; nil at the end of the bytes.
  static func varint(_ bytes: [UInt8], _ position: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }
}

/// The addresses that begin with the same bits.
struct AddressRange<Number: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  let first: Number
  /// How many leading bits all of them share.
  let length: Int
  let kind: AddressClass

  func contains(_ address: Number) -> Bool {
    (address ^ first) >> (Number.bitWidth - length) == 0
  }
}

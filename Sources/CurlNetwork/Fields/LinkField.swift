/// The targets of a `Link` field (RFC 8288, section 3).
enum LinkField {
  /// The target whose relation is `next`, as written; nil when the field has none.
  static func next(_ value: FieldLine.Bytes) -> String? {
    var rest = value
    while let start = rest.firstIndex(of: UInt8(ascii: "<")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
    {
      let parameters = rest[end...].dropFirst()
      let following = parameters.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
      if isNext(parameters[..<following]) {
        return HeaderText.decoded(rest[start..<end].dropFirst())
      }
      rest = rest[following...]
    }
    return nil
  }

  /// Whether the parameters of one target hold `rel=next`, alone or among other relations.
  private static func isNext(_ parameters: FieldLine.Bytes) -> Bool {
    let relations = parameters.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
      .compactMap { FieldLine.value("rel=", FieldLine.trimmed($0)) }
    return relations.contains { relation in
      relation.split { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }
        .contains { $0.count == 4 && FieldLine.begins($0, with: "next") }
    }
  }
}

/// Says where addresses stand, to explain the images of entries.
extension JSONEntryReader {
  /// The entries in an object with the members that hold addresses: each with its own, the first
  /// also with those of none.
  ///
  /// An object whose pictures are entries of their own has none itself, and is left out.
  mutating func explained(_ entries: [Entry], by object: JSONValue) -> [Entry] {
    var entries = entries
    if entries.count > 1, !entries[0].namesPictures { entries.removeFirst() }
    let chosen = Set(entries.flatMap(\.references))
    var members: [EntryMember] = []
    note(object, path: "", isForeign: false, chosen: chosen, in: &members)
    for index in entries.indices.reversed() {
      let own = Set(entries[index].references)
      entries[index].members = index == 0 ? members : members.filter { own.contains($0.text) }
      members.removeAll { own.contains($0.text) }
    }
    return entries
  }

  private mutating func note(
    _ value: JSONValue,
    path: String,
    isForeign: Bool,
    chosen: Set<String>,
    in members: inout [EntryMember]
  ) {
    guard members.count < FormatLimits.explainedMembers else { return }
    if let text = value.string {
      let isAddress =
        chosen.contains(text) || JSONAddress.isAbsolute(text) || JSONAddress.looksLikeImage(text)
      guard isAddress, JSONAddress.isAddress(text) else { return }
      members.append(EntryMember(path: path, text: text, isForeign: isForeign))
    }
    for element in value.elements {
      note(element, path: path + "[]", isForeign: isForeign, chosen: chosen, in: &members)
    }
    for member in value.members {
      let kind = name(member.key).role?.kind
      let isOther = isForeign || kind == .foreign || kind == .holder || kind == .author
      let inner = path.isEmpty ? member.key : path + "." + member.key
      note(member.value, path: inner, isForeign: isOther, chosen: chosen, in: &members)
    }
  }
}

extension Entry {
  /// The addresses of its pictures, as written.
  fileprivate var references: [String] {
    (units.flatMap { $0.renditions + $0.thumbnails } + thumbnails).map(\.reference)
  }
}

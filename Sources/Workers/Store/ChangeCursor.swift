package import Models

/// The position up to which a client has followed the changes of a library, as a text that is opaque to the client.
package struct ChangeCursor: Equatable, Sendable {
  /// The library's UUID without its dashes; empty while there is no library.
  package var library: String
  package var epoch: Int64
  /// The number of the last change when the client began with an empty copy; 0 once the client has passed it.
  package var start: Int64
  /// A name for the part of the library that the client's token could see.
  package var part: String
  /// The images of this part; nil for the whole library, and in the cursors of events.
  package var held: HeldImages?
  package var position: ChangePosition

  package init(
    _ version: LibraryVersion,
    start: Int64,
    part: LibraryPart,
    held: HeldImages? = nil,
    position: ChangePosition
  ) {
    library = Self.name(of: version)
    epoch = version.epoch
    self.start = position.number >= start ? 0 : start
    self.part = Self.name(of: part)
    self.held = held
    self.position = position
  }

  /// The cursor behind all changes of a version of the library.
  package init(behind version: LibraryVersion, part: LibraryPart) {
    let position = ChangePosition.behind(version.number)
    self.init(version, start: 0, part: part, position: position)
  }

  /// The cursor behind a page of changes.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - former: The cursor with which the page was read; nil for the first page.
  ///   - part: The part of the library that the client sees.
  package init(behind page: ChangePage, since former: ChangeCursor?, part: LibraryPart) {
    self.init(
      page.version,
      start: former?.start ?? page.version.number,
      part: part,
      held: page.partImages?.held,
      position: page.next ?? .behind(page.version.number)
    )
  }

  /// Returns nil when the text is not a cursor.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 6 || parts.count == 8, parts[0] == "1" else { return nil }
    let numbers = [parts[2], parts[3], parts[5]].compactMap { Int64($0) }
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }), parts[1].count <= 32 else {
      return nil
    }
    library = String(parts[1])
    epoch = numbers[0]
    start = numbers[1]
    let names = parts[4].split(separator: "-", omittingEmptySubsequences: false)
    guard names.count == 1 || names.count == 3 else { return nil }
    part = String(names[0])
    if names.count == 3 {
      guard let last = Int64(names[1], radix: 36), let sum = UInt64(names[2], radix: 36) else {
        return nil
      }
      held = HeldImages(last: last, sum: sum)
    }
    position = .behind(numbers[2])
    if parts.count == 6 { return }
    guard let kind = Int(parts[6]).flatMap(ChangedKind.init), let id = Int64(parts[7]) else {
      return nil
    }
    position = ChangePosition(number: numbers[2], kind: kind, id: id)
  }

  package var text: String {
    let held = held.map { held in
      "-\(String(held.last, radix: 36))-\(String(held.sum, radix: 36))"
    }
    let place = "1.\(library).\(epoch).\(start).\(part)\(held ?? "").\(position.number)"
    return position == .behind(position.number)
      ? place : "\(place).\(position.kind.rawValue).\(position.id)"
  }

  /// Whether the changes behind the cursor are all that the client lacks.
  package func isGood(for page: ChangePage, part: LibraryPart) -> Bool {
    // A client that began before the library existed has nothing.
    if library.isEmpty { return position.number == 0 && self.part == Self.name(of: part) }
    return isOf(page.version, part: part) && page.prunedNumber <= max(position.number, start)
      && page.partImages.map { held?.isHeld(by: $0) ?? false } ?? true
  }

  package func isOf(_ version: LibraryVersion, part: LibraryPart) -> Bool {
    library == Self.name(of: version) && epoch == version.epoch && self.part == Self.name(of: part)
      && position.number <= version.number
  }

  /// The name for the whole library.
  package static let wholeLibrary = "0"

  private static func name(of version: LibraryVersion) -> String {
    version.library.filter { $0 != "-" }
  }

  /// A name for a part of the library.
  ///
  /// A token that is limited to another part needs another copy. A copy recognises by the name, which each page signs
  /// with its cursor, that a page is of another part.
  private static func name(of part: LibraryPart) -> String {
    if part.isWhole { return wholeLibrary }
    let text = "\(part.feedID.map(String.init) ?? "") \(part.search ?? "")"
    return String(UInt64(bitPattern: StableHash.of(text)), radix: 36)
  }
}

extension ChangePosition {
  /// The position behind all changes of a transaction.
  package static func behind(_ number: Int64) -> ChangePosition {
    ChangePosition(number: number, kind: .pin, id: .max)
  }
}

extension ChangeFollowing {
  /// The changes behind a cursor; nil when they are not all that the client lacks, so that it has to start again.
  ///
  /// - Parameters:
  ///   - cursor: The end of what the client has; nil for a client with an empty copy.
  ///   - kinds: The kinds of changes to read.
  ///   - part: The part of the library that the client sees.
  ///   - limit: The most changes to read.
  /// - Returns: A page of changes.
  /// - Throws: when the library cannot be read.
  package func changePage(
    since cursor: ChangeCursor?,
    kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    part: LibraryPart = LibraryPart(),
    limit: Int
  ) async throws(StoreError) -> ChangePage? {
    var request = ChangeRequest(kinds: kinds, part: part, limit: limit)
    if let cursor {
      (request.position, request.start) = (cursor.position, cursor.start)
    } else {
      // Everything that exists now is new to the client, and its copy is empty, so it needs no earlier tombstones.
      request.start = try await version().number
    }
    let page = try await changePage(request)
    return cursor.map { $0.isGood(for: page, part: part) } ?? true ? page : nil
  }
}

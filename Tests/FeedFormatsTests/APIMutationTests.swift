import Models
import Testing
import Workers

@testable import FeedFormats

/// Damages the items of lists in every document of `Documents/apis`; only the damaged item may change.
struct APIMutationTests {
  /// Documents with a single entry, or with addresses only.
  private static let withoutItems = [
    "apis/met-object.json", "apis/dog-ceo-breed.json", "apis/dog-ceo-random.json",
  ]

  @Test(arguments: APIExpectation.all)
  func `changes nothing but the image of a damaged item`(_ expected: APIExpectation) throws {
    let document = try Self.document(expected.document)
    let items = try Self.items(of: document)
    let whole = try Self.images(of: document)
    #expect(items.isEmpty == Self.withoutItems.contains(expected.document))
    for seed in UInt64(1)...30 where !items.isEmpty {
      var generator = SeededGenerator(seed: seed)
      let item = items[Int(seed) % items.count]
      var damaged = document
      let steps = damaged[item.path].damage(using: &generator)
      let images = try Self.images(of: damaged)
      let before = whole[..<item.images.lowerBound]
      let after = whole[item.images.upperBound...]
      #expect(
        images.count >= before.count + after.count && images.starts(with: before)
          && images.reversed().starts(with: after.reversed()),
        "seed \(seed) in \(expected.document), images \(item.images): \(steps)"
      )
    }
  }

  @Test(arguments: APIExpectation.all)
  func `changes no image when a member beside the list is damaged`(
    _ expected: APIExpectation
  ) throws {
    let document = try Self.document(expected.document)
    let whole = try Self.images(of: document)
    guard let list = try Self.items(of: document).first?.path.dropLast() else { return }
    for path in document.memberPaths where !path.starts(with: list) && !list.starts(with: path) {
      for damage in JSONDamage.allCases {
        var damaged = document
        let name = damaged.damage(path, damage)
        // A cover under an unknown name may count as another image of the item.
        let own = document[path].text
        let images = try Self.images(of: damaged).filter { image in
          let path = image.originalAddress.text.split(separator: "/").dropFirst(2)
          return whole.contains(image) || !own.contains(path.joined(separator: "/"))
        }
        #expect(images == whole, "\(expected.document): \(name) \(damage)")
      }
    }
  }

  @Test(arguments: APIExpectation.all)
  func `finds a list under another name and another level`(_ expected: APIExpectation) throws {
    let document = try Self.document(expected.document)
    let whole = try Self.images(of: document)
    for item in try Self.items(of: document).prefix(1) {
      for length in item.path.indices {
        guard case .member(let index) = item.path[length] else { continue }
        var renamed = document
        renamed[Array(item.path[..<length])].rename(index, to: "entirely_new")
        #expect(
          try Self.images(of: renamed).map(\.originalAddress) == whole.map(\.originalAddress),
          "\(expected.document): \(item.path[...length])"
        )
      }
    }
  }

  private static func document(_ name: String) throws -> JSONValue {
    let bytes = try ReadDocument.bytes(of: name)
    return try JSONParser.value(of: bytes, in: bytes.indices)
  }

  private static func images(of document: JSONValue) throws -> [FeedImage] {
    do {
      return try ReadDocument(document.text).images
    } catch is FeedError {
      return []
    }
  }

  /// An element of a list, or a member of an object keyed by ids, with its own images.
  struct Item {
    let path: [JSONStep]
    let images: Range<Int>
  }

  /// The items of the outermost list in which each item has its own images.
  private static func items(of document: JSONValue) throws -> [Item] {
    let whole = try images(of: document)
    var level: [[JSONStep]] = [[]]
    while !level.isEmpty {
      for path in level {
        let items = try items(in: path, of: document, whole)
        if items.count > 1 { return items }
      }
      level = level.flatMap { path in document[path].steps.map { path + [$0] } }
    }
    return []
  }

  private static func items(
    in path: [JSONStep],
    of document: JSONValue,
    _ whole: [FeedImage]
  ) throws -> [Item] {
    let steps = document[path].steps.filter { !document[path + [$0]].isScalar }
    guard steps.count > 1 else { return [] }
    return try steps.compactMap { step in
      var rest = document
      rest[path].remove(step)
      let images = try images(of: rest)
      let start = zip(images, whole).prefix { $0 == $1 }.count
      let count = whole.count - images.count
      guard count > 0, count < whole.count, images[start...] == whole[(start + count)...] else {
        return nil
      }
      return Item(path: path + [step], images: start..<(start + count))
    }
  }
}

/// The kinds of damage to a member of a JSON object.
enum JSONDamage: CaseIterable {
  case renamed
  case madeNull
  case movedOut
}

/// A step of a path into a JSON value.
enum JSONStep: Equatable {
  case member(Int)
  case element(Int)
}

extension JSONValue {
  /// The steps to the direct children of this value.
  var steps: [JSONStep] {
    members.indices.map(JSONStep.member) + elements.indices.map(JSONStep.element)
  }

  subscript(_ path: [JSONStep]) -> JSONValue {
    get {
      path.reduce(self) { value, step in
        switch step {
        case .member(let index): value.members[index].value
        case .element(let index): value.elements[index]
        }
      }
    }
    set {
      guard let step = path.first else {
        self = newValue
        return
      }
      var inner = self[[step]]
      inner[Array(path.dropFirst())] = newValue
      replace(step, with: inner)
    }
  }

  private mutating func replace(_ step: JSONStep, with value: JSONValue) {
    switch (self, step) {
    case (.object(var members), .member(let index)):
      members[index] = JSONMember(key: members[index].key, value: value)
      self = .object(members)
    case (.array(var elements), .element(let index)):
      elements[index] = value
      self = .array(elements)
    default: break
    }
  }

  mutating func remove(_ step: JSONStep) {
    switch (self, step) {
    case (.object(var members), .member(let index)):
      members.remove(at: index)
      self = .object(members)
    case (.array(var elements), .element(let index)):
      elements.remove(at: index)
      self = .array(elements)
    default: break
    }
  }

  mutating func rename(_ index: Int, to name: String) {
    guard case .object(var members) = self else { return }
    members[index] = JSONMember(key: name, value: members[index].value)
    self = .object(members)
  }

  /// The paths to all members inside this value.
  var memberPaths: [[JSONStep]] {
    steps.flatMap { step -> [[JSONStep]] in
      let inner = self[[step]].memberPaths.map { [step] + $0 }
      if case .member = step { return [[step]] + inner }
      return inner
    }
  }

  /// Damages one member in a hundred, and at least one; returns a description of each change.
  mutating func damage(using generator: inout SeededGenerator) -> [String] {
    let count = max(1, memberPaths.count / 100)
    return (0..<count).compactMap { _ in
      guard let path = memberPaths.randomElement(using: &generator),
        let damage = JSONDamage.allCases.randomElement(using: &generator)
      else { return nil }
      return self.damage(path, damage) + " \(damage)"
    }
  }

  /// Damages the member at a path, and returns its name.
  mutating func damage(_ path: [JSONStep], _ damage: JSONDamage) -> String {
    guard case .member(let index)? = path.last else { return "nothing" }
    let holder = Array(path.dropLast())
    let member = self[holder].members[index]
    switch damage {
    case .renamed: self[holder].rename(index, to: "x_\(member.key)_x")
    case .madeNull: self[path] = .null
    case .movedOut:
      self[holder].remove(.member(index))
      self[outward(of: holder)].append(member)
    }
    return member.key
  }

  /// The path of the object that encloses a value; the same path if no object does.
  private func outward(of path: [JSONStep]) -> [JSONStep] {
    var outer = path.dropLast()
    while !outer.isEmpty, self[Array(outer)].members.isEmpty { outer = outer.dropLast() }
    return self[Array(outer)].members.isEmpty ? path : Array(outer)
  }

  private mutating func append(_ member: JSONMember) {
    guard case .object(let members) = self else { return }
    self = .object(members + [member])
  }

  /// The value as JSON.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
      let digits = String(scalar.value, radix: 16)
      return isPlain
        ? String(scalar) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + escaped.joined() + "\""
  }
}

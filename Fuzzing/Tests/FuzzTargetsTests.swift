import Testing

/// Runs the fuzz targets on a few inputs with every run of the tests.
///
/// The inputs are always the same, so a failure is reproducible.
struct FuzzTargetsTests {
  private static let targets = FuzzTargets.all.map(\.name)

  @Test(arguments: targets)
  func `what must hold of a target's inputs holds of its seeds`(name: String) throws {
    let target = try #require(FuzzTargets.all.first { $0.name == name })
    let inputs = target.inputs

    #expect(!inputs.isEmpty)
    #expect(!FuzzWords.read(target.dictionary).isEmpty)
    for input in inputs { guard holds(target, input) else { break } }
  }

  @Test(arguments: targets)
  func `what must hold of a target's inputs holds of changed seeds`(name: String) throws {
    let target = try #require(FuzzTargets.all.first { $0.name == name })

    for input in Mutations(of: target, bytes: target is RepeatedTarget ? 1_000 : 150_000) {
      guard holds(target, input) else { break }
    }
  }

  @Test func `targets and the inputs made for them are told apart by their names`() {
    #expect(Set(Self.targets).count == Self.targets.count)
  }

  @Test func `the inputs of a target are the same each time`() {
    let target = NetrcTarget()
    let inputs = Array(Mutations(of: target, bytes: 5_000))

    #expect(inputs == Array(Mutations(of: target, bytes: 5_000)))
    #expect(Set(inputs).count > 15)
  }

  @Test func `a property that does not hold is reported with its reason`() {
    let error = #expect(throws: BrokenProperty.self) { try requireEqual(1, 2, "a number") }
    #expect(error?.description == "a property does not hold: a number\none:   1\nother: 2")
  }

  /// Whether all properties hold for an input; the test reports the first input that breaks one.
  private func holds(_ target: any FuzzTarget, _ input: [UInt8]) -> Bool {
    do {
      try target.run(input)
      return true
    } catch {
      Issue.record("\(error)\nof: \(String(decoding: input, as: UTF8.self).debugDescription)")
      return false
    }
  }
}

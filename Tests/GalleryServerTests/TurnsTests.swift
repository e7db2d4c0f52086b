import Hummingbird
import Logging
import Models
import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import Workers

@testable import gallery_server

struct TurnsTests {
  private let turns = Turns<String>(of: 1)
  private let gate = Gate()

  /// Uses the only place until the gate opens.
  private func occupy() async -> Task<Void, any Error> {
    let begun = Gate()
    let task = Task {
      try await turns.run(for: "first") {
        begun.open()
        await gate.passed()
      }
    }
    await begun.passed()
    return task
  }

  @Test func `a client with much work delays another one by one piece`() async throws {
    let first = await occupy()
    let done = Locked<[String]>([])
    var tasks: [Task<Void, any Error>] = []
    for client in ["many", "many", "many", "one"] {
      let task = Task {
        try await turns.run(for: client) { done.withLock { $0.append(client) } }
      }
      tasks.append(task)
      while turns.waitingCount < tasks.count { await Task.yield() }
    }

    gate.open()
    for task in [first] + tasks { try await task.value }

    #expect(done.snapshot == ["many", "one", "many", "many"])
  }

  @Test func `work that is cancelled before its turn is not done, and takes no place`() async throws
  {
    let first = await occupy()
    let abandoned = Task {
      try await turns.run(for: "left") { Issue.record("the work was done") }
    }
    while turns.waitingCount < 1 { await Task.yield() }

    abandoned.cancel()
    await #expect(throws: CancellationError.self) { try await abandoned.value }
    #expect(turns.waitingCount == 0)

    gate.open()
    try await first.value
    #expect(try await turns.run(for: "next") { 7 } == 7)
  }

  @Test func `a client has all places alone, and beside others only its share`() async throws {
    let turns = Turns<String>(of: 3, each: 1)
    let (gates, done) = ((0..<6).map { _ in Gate() }, Locked<[String]>([]))
    let begun = Locked<[String]>([])
    func start(_ client: String, _ number: Int) -> Task<Void, any Error> {
      Task {
        try await turns.run(for: client) {
          begun.withLock { $0.append("\(client) \(number)") }
          await gates[number].passed()
        }
        done.withLock { $0.append("\(client) \(number)") }
      }
    }
    func wait(_ count: Int) async { while begun.snapshot.count < count { await Task.yield() } }

    // Alone, it has all three places.
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<3 {
      tasks.append(start("many", number))
      await wait(number + 1)
    }
    tasks += [start("many", 3), start("one", 4)]
    while turns.waitingCount < 2 { await Task.yield() }

    // The other client gets the first place that is free, and no further one goes to the first client.
    gates[0].open()
    await wait(4)
    #expect(begun.snapshot.last == "one 4")
    gates[1].open()
    while done.snapshot.count < 2 { await Task.yield() }
    #expect(turns.waitingCount == 1)

    // When it is alone again, what waits begins.
    gates[4].open()
    await wait(5)
    #expect(begun.snapshot.last == "many 3")
    for gate in gates { gate.open() }
    for task in tasks { try await task.value }
    #expect(turns.waitingCount == 0)
  }

  @Test func `a client that gives up its wait leaves the places to the other one`() async throws {
    let turns = Turns<String>(of: 2, each: 1)
    let (gate, begun) = (Gate(), Locked(0))
    func start(_ client: String) -> Task<Void, any Error> {
      Task {
        try await turns.run(for: client) {
          begun.withLock { $0 += 1 }
          await gate.passed()
        }
      }
    }
    var tasks = [start("many")]
    while begun.snapshot < 1 { await Task.yield() }
    tasks.append(start("many"))
    while begun.snapshot < 2 { await Task.yield() }
    let other = start("other")
    while turns.waitingCount < 1 { await Task.yield() }
    tasks.append(start("many"))
    while turns.waitingCount < 2 { await Task.yield() }

    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }

    gate.open()
    for task in tasks { try await task.value }
    #expect(begun.snapshot == 3 && turns.waitingCount == 0)
  }

  @Test func `a look at one image holds no turn, and waits for none`() async throws {
    let bench = try await ServerBench()
    let (readings, begun) = (bench.server.readings, Locked(0))
    let count = Limits.readingsPerCore * max(1, System.coreCount)
    let others = (0..<count).map { _ in
      Task {
        try await readings.run(for: Client(token: "other", address: .local)) {
          begun.withLock { $0 += 1 }
          await gate.passed()
        }
      }
    }
    while begun.snapshot < count { await Task.yield() }

    #expect(try await bench.ask("/api/v1/images/3").status == 200)
    let lists = ["/api/v1/images", "/frame", "/random"].map { path in
      Task { try await bench.ask(path).status }
    }
    while readings.waitingCount < lists.count { await Task.yield() }

    gate.open()
    for other in others { try await other.value }
    for (list, status) in zip(lists, [200, 200, 303]) {
      #expect(try await list.value == status)
    }
    #expect(try await bench.ask("/images/3").status == 200)
  }

  // MARK: Details of originals

  /// Finds every picture undecodable, and counts them.
  private final class CountingDecoder: DetailsDecoding {
    private let asked = Locked(0)

    var count: Int { asked.withLock { $0 } }

    func details(of picture: PictureSource) async throws(ImagingError) -> PictureDetails {
      asked.withLock { $0 += 1 }
      throw .undecodable(message: "odd")
    }
  }

  /// Reads details for one more request of the same client.
  private func reading(_ decoder: any DetailsDecoding, _ queue: RenderingQueue) -> ClientDetails {
    let context = ServerContext(
      source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))
    )
    return ClientDetails(decoder: decoder, queue: queue, context: context)
  }

  /// Uses the only place of a queue for another client until the gate opens.
  private func occupy(_ queue: RenderingQueue) async -> Task<Void, any Error> {
    let begun = Gate()
    let task = Task {
      try await queue.turns.run(for: Client(token: "other", address: .local)) {
        begun.open()
        await gate.passed()
      }
    }
    await begun.passed()
    return task
  }

  @Test func `an original whose details are not known is read in a turn of its client`()
    async throws
  {
    let (queue, decoder) = (RenderingQueue(decoders: 1), CountingDecoder())
    let other = await occupy(queue)

    let details = reading(decoder, queue)
    let look = Task { try await details.details(of: .bytes([])) }
    while queue.turns.waitingCount < 1 { await Task.yield() }
    #expect(decoder.count == 0)

    gate.open()
    try await other.value
    await #expect(throws: ImagingError.undecodable(message: "odd")) { try await look.value }
    #expect(decoder.count == 1)
  }

  @Test func `a client with too many renderings gets no details, and asks no decoder`()
    async throws
  {
    let (queue, decoder) = (RenderingQueue(decoders: 1), CountingDecoder())
    let other = await occupy(queue)
    let looks = (1...Limits.renderingsPerClient).map { _ in
      let details = reading(decoder, queue)
      return Task { try await details.details(of: .bytes([])) }
    }
    while queue.turns.waitingCount < looks.count { await Task.yield() }

    let details = reading(decoder, queue)
    await #expect(throws: ImagingError.cancelled) { try await details.details(of: .bytes([])) }
    #expect(decoder.count == 0)

    gate.open()
    try await other.value
    for look in looks {
      await #expect(throws: ImagingError.undecodable(message: "odd")) { try await look.value }
    }
    #expect(decoder.count == looks.count)
  }
}

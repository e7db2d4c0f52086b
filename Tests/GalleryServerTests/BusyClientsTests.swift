import Testing
import Web

@testable import gallery_server

struct BusyClientsTests {
  private let clients = BusyClients()
  private let client = BusyClients.Client(token: "reader", address: "192.0.2.1")

  @Test func `refuses one request too many of a client until another one ends`() throws {
    var visits = try (0..<Limits.requestsPerClient).map { _ in try clients.enter(client) }

    let problem = try #require(throws: WebProblem.self) { try clients.enter(client) }
    #expect(problem.status == 429)

    visits.removeLast()
    #expect(throws: Never.self) { try clients.enter(client) }
  }

  @Test func `counts the requests of each token and each address apart`() throws {
    let visits = try (0..<Limits.requestsPerClient).map { _ in try clients.enter(client) }

    #expect(throws: Never.self) { try clients.enter(.init(token: "frame", address: "192.0.2.1")) }
    #expect(throws: Never.self) { try clients.enter(.init(token: "reader", address: "192.0.2.2")) }
    withExtendedLifetime(visits) {}
  }
}

import Foundation
import Glibc
import TestSupport
import Testing
import Threading
import Workers

/// `gallery serve --public-url` with a real hub: the feed's server, in this process.
@Suite(.timeLimit(.minutes(60)))
struct HubCommandTests {
  private let library: TestLibrary
  private let site: LoopbackServer
  private let images = Locked(1)
  private let asked = Tally()
  /// The hub's response.
  private let reply = Locked(LoopbackResponse.whole(status: 202))

  init() throws {
    let (images, asked, reply) = (images, asked, reply)
    site = try LoopbackServer { request in
      if request.target == "/hub" {
        asked.add()
        return reply.withLock { $0 }
      }
      let items = (1...images.withLock { $0 }).map { number in
        #"{"id":"\#(number)","image":"http://127.0.0.1:1/\#(number).jpg"}"#
      }
      let feed = """
        {"version":"https://jsonfeed.org/version/1.1","title":"Night sky",\
        "feed_url":"http://topic.example/feed.json",\
        "hubs":[{"type":"WebSub","url":"/hub"}],"items":[\(items.joined(separator: ","))]}
        """
      return .whole(Array(feed.utf8))
    }
    library = try TestLibrary()
    let address = "http://127.0.0.1:\(site.port)/feed.json"
    #expect(try library.program.run("sync", "--metadata-only", address).status == 0)
  }

  /// The last form that the hub received.
  private var form: [String: String] {
    site.requests.last { $0.target == "/hub" }?.form ?? [:]
  }

  private var questions: Int { site.requests.count { $0.target == "/feed.json" } }

  /// Runs a server until `body` has returned; returns its standard error.
  private func serve(_ body: (String) throws -> Void) throws -> String {
    let command =
      "exec gallery serve --verbose --listen 127.0.0.1:0 --public-url https://photos.example/ 2>log"
    let running = try library.program.start(["-c", command], executable: "/bin/sh")
    var line = Data()
    while !line.contains(0x0A) {
      let more = running.output.availableData
      if more.isEmpty { break }
      line += more
    }
    let address = String(decoding: line, as: UTF8.self).prefix { $0 != "?" }
    do {
      defer { kill(running.process.identifier, SIGTERM) }
      try body(String(address))
    }
    #expect(running.process.wait() == 0)
    return try String(contentsOfFile: library.folder + "/log", encoding: .utf8)
  }

  /// Waits until the running server has logged some words.
  private func waitForLog(_ words: String) throws {
    _ = try library.program.shell("until grep -q '\(words)' log; do sleep 0.02; done")
  }

  /// Sends a request to the callback, as the hub does.
  private func send(_ address: String, _ arguments: String) throws -> String {
    let path = form["hub.callback"]?.replacing("https://photos.example/", with: address) ?? ""
    return try library.program.shell(
      """
      callback='\(path)'; secret='\(form["hub.secret"] ?? "")'; topic=http://topic.example/feed.json
      sign() { printf %s "$1" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* /sha256=/'; }
      ask() { curl -s -g -H "Host: photos.example" -w ' %{http_code}' "$@"; }
      \(arguments)
      """
    ).output
  }

  private func confirm(_ address: String, _ mode: String = "subscribe") throws -> String {
    try send(
      address,
      "ask \"$callback?hub.mode=\(mode)&hub.topic=$topic&hub.challenge=word&hub.lease_seconds=900\""
    )
  }

  @Test func `subscribes, hears the hub, renews and unsubscribes`() throws {
    var secrets: [String] = []
    var log = try serve { address throws in
      asked.waitToReach(1)
      secrets = [form["hub.secret"] ?? "", String((form["hub.callback"] ?? "").suffix(64))]
      try waitForLog("/hub: status 202 to subscribe")
      #expect(try confirm(address) == "word 200")
      let told = try library.program.run("feeds", "--json").output
      let push = #""hubURL":"http://127.0.0.1:\#(site.port)/hub","pushedUntil":"20"#
      #expect(told.contains(push))

      let before = questions
      #expect(try send(address, #"ask -d x -H "X-Hub-Signature: $(sign y)" "$callback""#) == " 202")
      images.withLock { $0 = 2 }
      #expect(try send(address, #"ask -d x -H "X-Hub-Signature: $(sign x)" "$callback""#) == " 202")
      let listed = """
        for try in $(seq 6000); do test $(gallery list | wc -l) = 2 && break; sleep 0.02; done
        gallery list | wc -l
        """
      #expect(try library.program.shell(listed).output == "2\n")
      #expect(questions == before + 1)
    }
    for secret in secrets {
      #expect(secret.utf8.count == 64)
      #expect(!log.contains(secret))
    }
    #expect(log.contains("/hub: status 202 to subscribe"))
    #expect(log.contains("POST /websub/*** 202"))
    let why = try library.program.run("why", "1").output
    #expect(why.contains("; pushed by 127.0.0.1 until 20"))
    #expect(try library.program.run("status").output.contains("pushed      1 feed, by hubs; "))
    let outputs = try library.program.shell(
      "for command in feeds status 'why 1' 'config show'; do gallery $command --json; done"
    )
    for secret in secrets { #expect(!outputs.output.contains(secret)) }

    #expect(try library.program.shell(renew).status == 0)
    log = try serve { address throws in
      asked.waitToReach(2)
      #expect(form["hub.secret"] == secrets[0])
      #expect(form["hub.callback"]?.hasSuffix(secrets[1]) == true)
      #expect(try confirm(address) == "word 200")
    }

    #expect(try library.program.run("remove", "1").status == 0)
    log = try serve { address throws in
      asked.waitToReach(3)
      #expect(form["hub.mode"] == "unsubscribe")
      #expect(form["hub.callback"]?.hasSuffix(secrets[1]) == true)
      #expect(try confirm(address).hasSuffix(" 404"))
      #expect(try confirm(address, "unsubscribe") == "word 200")
      #expect(try send(address, #"ask -o page -d x "$callback""#) == " 410")
    }
    #expect(!log.contains(secrets[1]))
    #expect(asked.count == 3)
  }

  /// The command that makes the renewal due.
  private var renew: String {
    "sqlite3 library/gallery.sqlite 'UPDATE subscription SET next_at = 0'"
  }

  @Test(arguments: [
    LoopbackResponse([.stall]), .endless(), .whole(status: 500), .redirect(to: "/hub"), .hangUp,
  ])
  func `a hub that misbehaves is asked later, and the server goes on`(hub: LoopbackResponse) throws
  {
    reply.withLock { $0 = hub }
    _ = try serve { address throws in
      asked.waitToReach(1)
      let tries = try library.program.shell(
        "sqlite3 library/gallery.sqlite 'SELECT tries, next_at >= unixepoch() + 240 FROM subscription'"
      )
      #expect(tries.output == "1|1\n")
      #expect(try library.program.shell("curl -s \(address)healthz").status == 0)
      #expect(try confirm(address) == "word 200")
    }
    #expect(asked.count == 1)
  }

  @Test func `a hub that denies ends what it has confirmed`() throws {
    _ = try serve { address throws in
      asked.waitToReach(1)
      #expect(try confirm(address) == "word 200")
      let denial = #"ask "$callback?hub.mode=denied&hub.topic=$topic&hub.reason=no""#
      #expect(try send(address, denial) == " 200")
      #expect(!(try library.program.run("feeds", "--json").output.contains("pushedUntil")))
    }
    #expect(asked.count == 1)
  }

  @Test func `without a public address it forgets that hubs tell of changes`() throws {
    _ = try serve { address throws in
      asked.waitToReach(1)
      #expect(try confirm(address) == "word 200")
    }
    let result = try library.program.shell(
      """
      gallery feeds --json | grep -c pushedUntil
      gallery serve --listen 127.0.0.1:0 >out 2>errors & server=$!
      rows() { sqlite3 library/gallery.sqlite 'SELECT count(*) FROM subscription'; }
      for try in $(seq 6000); do test $(rows) = 0 && break; sleep 0.02; done
      kill -TERM $server; wait $server; rows
      gallery feeds --json | grep -c pushedUntil
      """
    )

    #expect(result.output == "1\n0\n0\n")
  }

  @Test(arguments: [
    "photos.example", "ftp://photos.example/", "https://photos.example/?a",
    "https://photos.example/#a", "https://user@photos.example/", "https:///",
  ])
  func `refuses an address that leads to no server`(address: String) throws {
    let result = try library.program.run("serve", "--public-url", address)

    #expect(result.status == 64)
    #expect(result.errors.contains("--public-url is an http or https address"), "\(result.errors)")
  }
}

import ArgumentParser
import Models
import TestSupport
import Testing
import Workers

@testable import gallery

struct FeedListTests {
  @Test func `the links of Markdown in one argument are feeds, each of its own`() {
    let links = "* [a](https://a.example/x), [b](https://b.example/)"
    let feeds = FeedArguments.feeds(named: [links, "[c](https://c.example/)", "7"])
    let addresses = ["https://a.example/x", "https://b.example/", "https://c.example/"]

    #expect(feeds == addresses.map { .address(.at($0)) } + [.id(7)])
    #expect(FeedArguments.feeds(named: ["[Moon] and sun"]).count == 1)
  }

  @Test(arguments: [
    "<https://a.example/x>,", "(https://a.example/x)", "url=https://a.example/x",
    "https://a.example/x;", "\"https://a.example/x\",", "href='https://a.example/x'",
    "[a](https://a.example/x),",
  ])
  func `an address is clean on the command line and in a list`(text: String) throws {
    let listed = try FeedList.feeds(in: Array(text.utf8))
    let address = FeedArgument.address(.at("https://a.example/x"))

    #expect(FeedArguments.feeds(named: [text]) == [address])
    #expect(FeedArguments.feeds(named: listed.map(\.text)) == [address])
  }

  @Test(arguments: [
    "https://a.example/x, https://b.example/", "<https://a.example/x>,<https://b.example/>",
    "(https://a.example/x) (https://b.example/)",
    "url=https://a.example/x; url=https://b.example/",
  ])
  func `several addresses in one argument are feeds, each of its own`(text: String) throws {
    let listed = try FeedList.feeds(in: Array(text.utf8))
    let addresses: [FeedArgument] = [
      .address(.at("https://a.example/x")), .address(.at("https://b.example/")),
    ]

    #expect(FeedArguments.feeds(named: [text]) == addresses)
    #expect(FeedArguments.feeds(named: listed.map(\.text)) == addresses)
  }

  @Test(arguments: [
    ("https://a.example/x", ["https://a.example/x"]),
    (
      "\u{FEFF}https://a.example/x\r\nhttps://b.example/\r\n",
      ["https://a.example/x", "https://b.example/"]
    ),
    ("\u{FEFF}# mine\nhttps://a.example/x", ["https://a.example/x"]),
    ("// mine\n//https://b.example/\n///////\n7 // moon", ["7"]), ("//mine\n//\n7", ["7"]),
    ("//see https://b.example/ for more\n7", ["7"]),
    ("\thttps://a.example/x\t\n \t \n", ["https://a.example/x"]),
    ("https://a.example/x\t# moon", ["https://a.example/x"]),
    ("https://a.example//x#y", ["https://a.example//x#y"]),
    ("[\n  \"https://a.example/x\",\n  \"7\"\n]\n", ["\"https://a.example/x\"", "\"7\""]),
    ("https://a.example/x , https://b.example/", ["https://a.example/x", "https://b.example/"]),
    ("https://a.example/x, https://b.example/;", ["https://a.example/x", "https://b.example/"]),
    (
      "https://a.example/x,https://b.example/?u=1,https://c.example/",
      ["https://a.example/x", "https://b.example/?u=1,https://c.example/"]
    ),
    (
      #"["https://a.example/x", "https://b.example/","https://c.example/"]"#,
      [#""https://a.example/x""#, #""https://b.example/""#, #""https://c.example/""#]
    ),
    (
      "- https://a.example/x\n* <https://b.example/>,",
      ["https://a.example/x", "<https://b.example/>"]
    ),
    (
      "1\tDemo\thttps://a.example/x?y=1\tmediarss\t12\t2026-11-30T08:00:00Z\tunchanged\t\n"
        + "2\t\tfile:///a/b.json\t\t0\t\t\t\n3\tPipe\tstdin:cats\tjson\t1\t\tupdated\t\n",
      ["https://a.example/x?y=1", "file:///a/b.json"]
    ),
    ("1\tnot an address\tmoon", ["1\tnot an address\tmoon"]),
    (
      #"{"id":1,"url":"https://a.example/x","title":null}"# + "\n"
        + #"{"id":2,"url":"stdin:cats"}"# + "\n" + #"{"id":3,"url":"file:///a/"}"#,
      ["https://a.example/x", "file:///a/"]
    ),
    (
      "[\n{\"id\":1,\"url\":\"https://a.example/x\"},\n{\"id\":2,\"url\":\"https://b.example/\"}\n]",
      ["https://a.example/x", "https://b.example/"]
    ),
    (
      "| title | address |\n|---|:--|\n| [a](https://a.example/x) | good |\n| b | https://b.example/ |",
      ["https://a.example/x", "https://b.example/"]
    ),
    (
      "Sheet;https://a.example/x\nSheet, https://b.example/,note\n\"S\"\t\"https://c.example/\"",
      ["https://a.example/x", "https://b.example/", "\"https://c.example/\""]
    ),
    (
      "1. \"https://a.example/x\",\n12) https://b.example/\n3. FC Moon",
      ["\"https://a.example/x\"", "https://b.example/", "3. FC Moon"]
    ),
    ("Moon, https://a.example/?b=1,2", ["https://a.example/?b=1,2"]),
    ("7 // Moon, https://a.example/x", ["7"]), ("Moon # see; https://a.example/x", ["Moon"]),
    (
      "* [x](https://a.example/my pics/bob's feed.json) good",
      ["https://a.example/my pics/bob's feed.json"]
    ),
    ("<https://a.example/x>\n<feed:b.example/x>", ["<https://a.example/x>", "<feed:b.example/x>"]),
    (
      "- [The moon #1](https://a.example/x) // mine\n[b](<https://b.example/y z> \"note\")\n"
        + "1. ![c](https://c.example/A_(d)), [e]( https://e.example/ 'f' ) – good\n",
      [
        "https://a.example/x", "https://b.example/y z", "https://c.example/A_(d)",
        "https://e.example/",
      ]
    ),
    (
      "* [![feed](https://a.example/b.svg \"b\")](https://a.example/x) good\n"
        + "[Moon ![m](m.png) now](https://b.example/)\n"
        + "![d](https://d.example/) [e](https://e.example/)",
      ["https://a.example/x", "https://b.example/", "https://d.example/", "https://e.example/"]
    ),
    ("[a](b.json)\n[my] pictures", ["[a](b.json)", "[my] pictures"]),
    (
      "7\nMy photographs\nmy pictures/a.json\n-",
      ["7", "My photographs", "my pictures/a.json", "-"]
    ),
  ])
  func `has a feed in each line, as people write and paste it`(
    text: String,
    feeds: [String]
  ) throws {
    #expect(try FeedList.feeds(in: Array(text.utf8)).map(\.text) == feeds)
  }

  @Test(arguments: [
    (
      "# mine\r\nhttps://me:secret@a.example/x\tMy moon\r\n",
      "line 2: 'https://***@a.example/x' is followed by another text; a comment begins with '#'"
    ),
    (
      "\n\nhtps://a.example/x\n",
      "line 3: cannot sync 'htps://…': an address begins with https:// or http:// — did you mean 'https://a.example/x'?"
    ),
    (
      "htps://me:secret@a.example/x",
      "line 1: cannot sync 'htps://…': an address begins with https:// or http:// — did you mean 'https://…'?"
    ),
    (
      "7\n2\tTeam\thttps://***@a.example/x\tjson\t1\t\tunchanged\t\n",
      "line 2: the secrets of 'https://***@a.example/x' are masked; write the address with them, or, for the same library, its id 2"
    ),
    (
      "[a](https://a.example/x) https://me:secret@b.example/",
      "line 1: 'https://***@b.example/' stands beside a link; write each address in a line of its own"
    ),
    (
      "[a](htps://a.example/x)\n",
      "line 1: cannot sync 'htps://…': an address begins with https:// or http:// — did you mean 'https://a.example/x'?"
    ),
    (
      "7\n//nas/photos\n",
      "line 2: cannot sync 'smb://nas/photos': feeds are read by https or http, or from a file — "
        + "mount the network drive, and name the path of the file there"
    ),
    (
      "ftp://a.example/",
      "line 1: cannot sync 'ftp://a.example/': feeds are read by https or http, or from a file"
    ),
    (
      "7\n" + String(repeating: "x", count: 8_193),
      "line 2: it has a name of more than 8192 bytes"
    ),
    ("# none\n// none\n[]\n", "it names no feed"), ("", "it names no feed"),
  ])
  func `names the line that is not a feed`(text: String, message: String) {
    let error = #expect(throws: ValidationError.self) {
      try FeedList.feeds(in: Array(text.utf8))
    }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    "2\tTeam\thttps://***@a.example/x\tjson\t1\t\tunchanged\t",
    #"{"id":2,"url":"https://***@a.example/x"}"#,
  ])
  func `a line whose address is masked names the feed of the library with its id`(
    line: String
  ) throws {
    let feed = Feed(id: 2, address: .at("https://me:secret@a.example/x"))
    let others = [
      Feed(id: 3, address: feed.address),
      Feed(id: 2, address: .at("https://me:secret@b.example/x")),
      Feed(id: 2, address: .at("https://a.example/x")),
    ]

    let feeds = try FeedList.feeds(in: Array("\(line)\n7".utf8), followed: [feed])
    #expect(feeds.map(\.text) == ["2", "7"])
    for other in others {
      let error = #expect(throws: ValidationError.self) {
        try FeedList.feeds(in: Array(line.utf8), followed: [other])
      }
      #expect(error?.message.hasPrefix("line 1: the secrets of 'https://***@a.example/x'") == true)
    }
  }

  @Test func `takes a long path and many addresses in a line`() throws {
    let long = String(repeating: "x", count: 8_192)
    #expect(try FeedList.feeds(in: Array(long.utf8)).map(\.text) == [long])
    let line = (1...1_000).map { "https://a.example/\($0)" }
    let joined = Array(line.joined(separator: " ").utf8)
    #expect(try FeedList.feeds(in: joined).map(\.text) == line)
  }

  @Test(arguments: [
    ("1\tDemo\thttps://a.example/\thtml\t2\t\tupdated\t", true),
    ("1\tDemo\tfile:///a/web.html\thtml\t2\t\tupdated\t", true),
    ("1\thtml\thttps://a.example/\trss\t2\t\tupdated\thtml", false),
    ("1\tDemo\thttps://a.example/\t\t0\t\tfailed\t", false), ("1\t\thttps://a.example/", false),
    (#"{"id":1,"url":"https://a.example/","format":"html"}"#, true),
    (#"[{"id":1,"url":"https://a.example/","format":"rss"},"#, false),
    (#"{"id":1,"url":"https://a.example/","title":"html"}"#, false), ("https://a.example/", false),
  ])
  func `a line of gallery feeds tells of a page whose own pictures are followed`(
    line: String,
    isPage: Bool
  ) throws {
    #expect(try FeedList.feeds(in: Array(line.utf8)).map(\.isPage) == [isPage])
  }

  @Test(arguments: ["/usr/", "/usr", "file:///usr/", "file:///usr", "- /usr/", "\"file:///usr/\""])
  func `a list from a pipe names no new folder`(line: String) throws {
    let error = #expect(throws: ValidationError.self) {
      try FeedList.feeds(in: Array("7\n\(line)".utf8), isPiped: true)
    }
    #expect(error?.message.hasPrefix("line 2: '") == true)
    #expect(error?.message.contains("which a list from a pipe cannot name") == true)
    #expect(error?.message.contains("sync ") == true)

    let folder = Feed(id: 1, address: .at("file:///usr/"))
    let text = Array(line.utf8)
    #expect(try FeedList.feeds(in: text).count == 1)
    #expect(try FeedList.feeds(in: text, followed: [folder], isPiped: true).count == 1)
  }

  @Test(arguments: [
    "1\tusr\tfile:///usr/\tfolder\t2\t\tupdated\t", #"{"id":1,"url":"file:///usr/"}"#,
    "/usr/feed.json", "file:///etc/passwd", "https://a.example/usr/", "7", "usr",
  ])
  func `a list from a pipe names documents, and the folders of gallery feeds`(line: String) throws {
    #expect(try FeedList.feeds(in: Array(line.utf8), isPiped: true).count == 1)
  }

  @Test(arguments: [
    ("<?xml version='1.0'?>\n<opml>", "an XML document or a page"),
    (" \n<OPML version='2.0'>", "an XML document or a page"),
    ("\u{FEFF}<!DOCTYPE html>", "an XML document or a page"),
    ("<feed xmlns='x'>", "an XML document or a page"),
    ("{\n  \"items\": []\n}", "a JSON document"),
    (#"{"version":"x","items":[]}"#, "a JSON document"),
  ])
  func `names a document in place of a list`(text: String, kind: String) {
    let error = #expect(throws: ValidationError.self) { try FeedList.feeds(in: Array(text.utf8)) }
    #expect(
      error?.message
        == "it is \(kind), and not a list of feeds; without --input, 'gallery sync' reads it, also as 'gallery sync -'"
    )
  }

  @Test(arguments: [
    ([0xFF, 0xFE, 0x68, 0], "it is in UTF-16; save it in UTF-8"),
    ([0xFE, 0xFF, 0, 0x68], "it is in UTF-16; save it in UTF-8"),
    ([0x68, 0xE4, 0x0A], "it is not in UTF-8"),
  ])
  func `says which encoding it needs`(bytes: [UInt8], message: String) {
    let error = #expect(throws: ValidationError.self) { try FeedList.feeds(in: bytes) }
    #expect(error?.message == message)
  }
}

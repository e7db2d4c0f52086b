import Testing

@testable import Composition

struct LibraryLocationTests {
  @Test(arguments: [
    (nil, nil), ("lib7", "lib7"), ("~/my photos", "~/my photos"),
    ("postgresql://ann@db.example/gallery", "postgresql://ann@db.example/gallery"),
    (
      "postgres://ann@db.example/gallery?options=-csearch_path%3Dmoon",
      "postgres://ann@db.example/gallery?options=-csearch_path%3Dmoon"
    ),
    ("postgresql://ann:secret@db.example/gallery", "postgresql://***@db.example/gallery"),
    (
      "postgresql://ann@db.example/gallery?password=secret",
      "postgresql://***@db.example/gallery?password=***"
    ),
  ])
  func `keeps a password out of suggested commands`(option: String?, suggested: String?) {
    #expect(LibraryLocation.suggested(option) == suggested)
  }

  @Test func `the option comes first`() {
    #expect(path(option: "/a", environment: ["GALLERY_CACHE": "/b"]) == "/a")
  }

  @Test func `a relative option is taken from the working folder`() {
    #expect(path(option: "pictures") == "/here/pictures")
  }

  @Test func `the environment comes second`() {
    #expect(path(environment: ["GALLERY_CACHE": "/b", "XDG_DATA_HOME": "/d"]) == "/b")
  }

  @Test(arguments: [
    ("~/pictures", "/home/me/pictures"), ("~", "/home/me"), ("~me/x", "/here/~me/x"),
    ("./~/x", "/here/./~/x"), ("x~/y", "/here/x~/y"),
  ])
  func `a tilde that no shell has expanded is the home`(named: String, path: String) {
    #expect(self.path(option: named) == path)
    #expect(self.path(environment: ["GALLERY_CACHE": named]) == path)
  }

  @Test func `a program from a checkout uses the checkout's Cache`() {
    #expect(path(program: "/src/gallery/.build/debug/gallery") == "/src/gallery/Cache")
  }

  @Test func `a build folder of another project is not a checkout`() {
    #expect(path(program: "/other/.build/debug/gallery") == "/home/me/.local/share/gallery")
  }

  @Test func `the data folder comes last`() {
    #expect(path(environment: ["XDG_DATA_HOME": "/d"]) == "/d/gallery")
    #expect(path(environment: ["XDG_DATA_HOME": "relative"]) == "/home/me/.local/share/gallery")
  }

  @Test func `the list of users says where home is when the environment does not`() {
    #expect(path(environment: ["HOME": ""]) == "/home/listed/.local/share/gallery")
  }

  @Test(arguments: [
    ("postgresql://me@db.example/p", "postgresql://me@db.example/p", "me@db.example%2Fp"),
    (
      "postgres://me:se%40cret@db:5433/p?sslmode=disable", "postgres://me@db:5433/p",
      "me@db:5433%2Fp"
    ),
    ("postgresql://me:@a,b/p?password=secret", "postgresql://me@a,b/p", "me@a%2Cb%2Fp"),
    ("postgresql:///p?user=me&host=/run", "postgresql:///p", "%2Fp%3Fhost=%2Frun%3Fuser=me"),
  ])
  func `a library in a database is named without its password, and has a folder for its files`(
    address: String,
    name: String,
    folder: String
  ) {
    let found = location(option: address, program: "/src/gallery/.build/debug/gallery")
    #expect(found.name == name)
    #expect(found.path == "/home/me/.local/share/gallery/databases/\(folder)")
  }

  @Test func `a long address has a folder within another one, where no other address is`() {
    let long = "postgresql:///" + String(repeating: "p", count: 300)
    let names = [long, String(long.prefix(212)), long + "q"].map { path(option: $0) }

    #expect(Set(names).count == 3)
    for name in names {
      #expect(name.split(separator: "/").allSatisfy { $0.utf8.count <= 255 })
      #expect(!names.contains { $0 != name && $0.hasPrefix(name + "/") })
    }
  }

  private func path(
    option: String? = nil,
    environment: [String: String] = [:],
    program: String = "/usr/bin/gallery"
  ) -> String { location(option: option, environment: environment, program: program).path }

  private func location(
    option: String? = nil,
    environment: [String: String] = [:],
    program: String = "/usr/bin/gallery"
  ) -> LibraryLocation {
    LibraryLocation(
      option: option,
      environment: environment.merging(["HOME": "/home/me"]) { given, _ in given },
      program: program,
      workingFolder: "/here",
      home: { "/home/listed" },
      fileExists: { $0.hasPrefix("/src/gallery/") }
    )
  }
}

struct NetrcFileTests {
  @Test(arguments: [
    (["NETRC": "/n", "HOME": "/h"], "/n"), (["NETRC": "", "HOME": "/h"], "/h/.netrc"),
    (["HOME": "/h"], "/h/.netrc"), (["HOME": ""], nil), ([:], nil),
  ])
  func `is named by $NETRC, else in the home`(environment: [String: String], path: String?) {
    #expect(NetrcFile.path(in: environment) == path)
  }
}

import Models
import Testing

@testable import CurlNetwork

struct NetrcFileTests {
  private let file = NetrcFile(
    text: """
      # my logins
      machine Moon.example login "moon \\"light\\"" password p#w # old
      machine sun.example
        login sun
        account 7
        password s
      machine macros.example login m
      macdef init
      machine evil.example login evil password evil

      machine stars.example login stars password t
      default login anyone password anything
      """
  )

  @Test(arguments: [
    ("https://moon.example/a", "moon \"light\"", "p#w"),
    ("http://SUN.example:8080/", "sun", "s"),
    ("https://macros.example/", "m", ""),
    ("https://stars.example/", "stars", "t"),
  ])
  func `finds the login of a host`(text: String, name: String, password: String) throws {
    let login = file.login(for: try #require(WebAddress(text)))

    #expect(login?.name == name)
    #expect(login?.password == password)
  }

  @Test(arguments: [
    "https://other.example/", "https://evil.example/", "https://user@moon.example/",
    "https://example/",
  ])
  func `has none for other hosts, and none where the address names one`(text: String) throws {
    #expect(file.login(for: try #require(WebAddress(text))) == nil)
  }

  @Test(arguments: [nil, "/nowhere/netrc"])
  func `is empty when there is no file`(path: String?) {
    #expect(NetrcFile(path: path).logins == [])
  }
}

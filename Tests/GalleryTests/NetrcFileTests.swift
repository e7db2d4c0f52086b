import Composition
import Testing

struct NetrcFileTests {
  @Test(arguments: [
    (["NETRC": "/n", "HOME": "/h"], "/n"), (["NETRC": "", "HOME": "/h"], "/h/.netrc"),
    (["HOME": "/h"], "/h/.netrc"), (["HOME": ""], nil), ([:], nil),
  ])
  func `is named by $NETRC, else in the home`(environment: [String: String], path: String?) {
    #expect(NetrcFile.path(in: environment) == path)
  }
}

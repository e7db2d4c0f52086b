import Testing

@testable import LibraryFiles

struct LibraryFolderTests {
  @Test(arguments: [
    ("/home/ann/gallery", "/home/ann/gallery"),
    ("/home/ann/.local/share/..gallery/...", "/home/ann/.local/share/..gallery/..."),
    ("/home/ann/pictures/../gallery", "/home/ann/gallery"), ("/home/./ann", "/home/ann"),
    ("/home//ann", "/home/ann"), ("/home/ann/", "/home/ann"), ("/home/ann/.", "/home/ann"),
    ("/home/Zoë & 月/%20", "/home/Zoë & 月/%20"),
  ])
  func `has the shortest path that means it`(_ path: String, _ shortest: String) {
    #expect(LibraryFolder(path).path == shortest)
  }
}

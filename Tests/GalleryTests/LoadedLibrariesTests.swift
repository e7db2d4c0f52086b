import Testing

/// The libraries that the dynamic linker loads before the program starts (ld.so(8)).
struct LoadedLibrariesTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test(arguments: ["libcurl", "libcrypto", "libssl", "libicu", "libchafa", "libvips"])
  func `are not those of a transfer, a document or a picture`(name: String) throws {
    let loaded = try library.program.shell("LD_TRACE_LOADED_OBJECTS=1 gallery --version")

    #expect(loaded.output.contains("libsqlite3.so"))
    #expect(!loaded.output.contains(name))
  }

  @Test func `can be missing: without libcrypto no file is called damaged`() throws {
    let site = try PhotoSite()
    let program = library.program
    try program.run("sync", "--originals", site.feed)
    let broken = "echo none >libcrypto.so.3; LD_LIBRARY_PATH=. gallery"

    let verify = try program.shell("\(broken) verify")
    let list = try program.shell("\(broken) list")

    #expect(verify.status != 0)
    #expect(verify.output.contains("cannot compute a hash without OpenSSL's libcrypto: "))
    #expect(list.status == 0)
    #expect(list.output == (try program.run("list").output))
  }
}

import Testing

/// What the dynamic linker loads before the program does anything (ld.so(8)).
struct LoadedLibrariesTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test(arguments: ["libcurl", "libcrypto", "libssl", "libxml2", "libicu", "libchafa", "libvips"])
  func `are not those of a transfer, a document or a picture`(name: String) throws {
    let loaded = try library.program.shell("LD_TRACE_LOADED_OBJECTS=1 gallery --version")

    #expect(loaded.output.contains("libsqlite3.so"))
    #expect(!loaded.output.contains(name))
  }

  @Test func `can be missing: what needs none of them works, and the rest says so`() throws {
    let site = try PhotoSite()
    let program = library.program
    try program.run("sync", site.feed)
    let broken =
      "for n in 2 16; do echo none >libxml2.so.$n; done; LD_LIBRARY_PATH=. gallery"

    let sync = try program.shell("\(broken) sync --force \(site.feed)")
    let list = try program.shell("\(broken) list")

    #expect(sync.status == 1)
    #expect(sync.errors.contains("cannot be read without libxml2, and what is stored can: "))
    #expect(list.status == 0)
    #expect(list.output == (try program.run("list").output))
    #expect(!list.output.isEmpty)
  }

  @Test func `libcrypto can be missing: no file is called damaged for it`() throws {
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

  @Test func `are found under the name that later versions have`() throws {
    let site = try PhotoSite()
    let find = "PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libxml2[.]so[.][0-9]* .*=> //p'"
    let later = "ln -s \"$(\(find) | head -n 1)\" libxml2.so.16; echo none >libxml2.so.2"

    let sync = try library.program.shell("\(later); LD_LIBRARY_PATH=. gallery sync \(site.feed)")

    #expect(sync.status == 0)
    #expect(try library.program.run("list").output.isEmpty == false)
  }
}

import Testing

/// What the dynamic linker loads before the program does anything (ld.so(8)).
struct LoadedLibrariesTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test(arguments: ["libcurl", "libssl", "libchafa", "libvips"])
  func `are not those of a transfer or a picture`(name: String) throws {
    let loaded = try library.program.shell("LD_TRACE_LOADED_OBJECTS=1 gallery --version")

    #expect(loaded.output.contains("libsqlite3.so"))
    #expect(!loaded.output.contains(name))
  }
}

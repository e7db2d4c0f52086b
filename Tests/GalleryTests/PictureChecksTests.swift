import TestSupport
import Testing

/// The requests of later syncs to the servers of stored pictures.
struct PictureChecksTests {
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test(arguments: Webcam.Caching.allCases)
  func `each sync brings the picture that a webcam has`(_ caching: Webcam.Caching) throws {
    let webcam = try Webcam(caching)
    let program = library.program

    for width in [320, 400, 480] {
      webcam.shoot(width: width)
      let result = try program.run("sync", webcam.feed)
      let image = try program.run("list", "--json").output

      #expect(result.output.contains("1 thumbnail stored"), "\(width)")
      #expect(image.contains(#""width":\#(width),"height":\#(width / 4),"#))
    }
    let quiet = try program.run("sync", webcam.feed)
    #expect(!quiet.output.contains("thumbnail"))
    #expect(quiet.status == 0)
  }

  @Test func `a thumbnail that is not there is asked for once, unless it is to be tried again`()
    throws
  {
    let site = try PhotoSite()
    site.set("/sun-small.jpg", nil)
    // Otherwise one would be made from it.
    site.set("/sun.jpg", nil)
    let program = library.program
    let first = try program.run("sync", site.feed)
    let asked = site.targets.count

    let second = try program.run("sync")
    let askedThen = site.targets[asked...]
    let third = try program.run("sync", "--retry-failed")

    #expect(first.status == 2)
    #expect(askedThen == ["/photos.xml"])
    #expect(second.errors == "")
    #expect(second.status == 0)
    #expect(second.output.contains("1 thumbnail failed lately: the server answered 404"))
    let targets = ["/photos.xml", "/photos.xml", "/sun-small.jpg", "/sun.jpg"]
    #expect(Array(site.targets[asked...]) == targets)
    #expect(third.errors.contains("404 (not found)"))
    #expect(third.status == 2)
  }
}

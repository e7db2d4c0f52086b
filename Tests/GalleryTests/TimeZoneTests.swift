import Foundation
import TestSupport
import Testing

struct TimeZoneTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    try library.program.run("sync", site.feed)
  }

  /// Image 1 was published at 2026-11-02T08:00:00Z.
  @Test(arguments: [
    ("TZ=Asia/Kathmandu", "2026-11-02T13:45"), ("TZ=Europe/Berlin", "2026-11-02T09:00"),
    ("TZ=America/St_Johns", "2026-11-02 04:30"), ("TZ=", "2026-11-02T08:00"),
    ("env --unset=TZ", "$(env --unset=TZ date --date=2026-11-02T08:00Z +%FT%H:%M)"),
  ])
  func `reads a time by the clocks of the machine`(zone: String, time: String) throws {
    let command = "\(zone) gallery list --since"
    let since = try library.program.shell("\(command) \"\(time)\" | cut -f 1")
    let later = try library.program.shell("\(command) \"\(time):01\"")

    #expect(since.output == "1\n")
    #expect(later == Program.Result(status: 0, output: "", errors: later.errors))
  }

  @Test(arguments: [
    ("TZ=Asia/Kathmandu", 5.75), ("TZ=Pacific/Honolulu", -10), ("TZ=UTC", 0), ("TZ=", 0),
  ])
  func `writes a time by the clocks of the machine`(zone: String, hours: Double) throws {
    let moment = try lastSync("TZ=UTC0")

    #expect(try lastSync(zone) == moment + hours * 3_600)
  }

  /// The time of the last sync as 'gallery why' prints it, read as a time in UTC.
  private func lastSync(_ zone: String) throws -> Date {
    let output = try library.program.shell("\(zone) gallery why 1").output
    let match = try #require(output.firstMatch(of: /last read (\S+) (\d\d:\d\d)/), "\(output)")
    return try Date("\(match.1)T\(match.2):00Z", strategy: .iso8601)
  }
}

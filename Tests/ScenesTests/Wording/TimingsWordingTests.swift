import TestSupport
import Testing
import Workers

@testable import Scenes

struct TimingsWordingTests {
  @Test(arguments: [
    (Duration.zero, "0.000 s"), (.milliseconds(7), "0.007 s"),
    (.microseconds(1_234_567), "1.235 s"),
    (.seconds(1_234), "1,234.000 s"),
  ])
  func `tells times in columns to the thousandth`(_ time: Duration, _ text: String) {
    #expect(Wording.thousandths(time) == text)
  }

  @Test func `says that the phases cannot be added up`() {
    let title =
      "where 4.200 s went — what runs at the same time is summed up, so the parts do not add up to it"
    #expect(Wording.titleOfTimings(.milliseconds(4_200)) == title)
  }

  @Test(arguments: [
    (SyncPhase.queueing, "requests that wait for their turn at a host"),
    (.lookingUp, "names of hosts"), (.connecting, "6 connections opened"),
    (.securing, "agreeing on TLS"),
    (.waiting, "1,200 requests, 1,100 responses, 20 unchanged"),
    (.receiving, "4.2 MiB over the network"), (.parsing, "1 document, 500 images"),
    (.decoding, "12 pictures made smaller"), (.storing, "25,000 rows written"),
    (.committing, "104 transactions"), (.flushing, "1 time all brought to the disk"),
    (.filing, "3 originals kept, 3.0 GiB written"),
  ])
  func `tells what the time of each phase was spent on`(_ phase: SyncPhase, _ text: String) {
    #expect(Wording.detail(of: phase, SyncTimings.sample.counts) == text)
  }

  @Test func `leaves out that nothing was unchanged`() {
    var counts = SyncCounts()
    counts.requests = 1

    #expect(Wording.detail(of: .waiting, counts) == "1 request, 0 responses")
  }

  @Test func `has a name of its own for each phase`() {
    #expect(Set(SyncPhase.allCases.map(Wording.name)).count == SyncPhase.allCases.count)
  }
}

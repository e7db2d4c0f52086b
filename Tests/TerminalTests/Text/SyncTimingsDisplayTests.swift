import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// The output of a sync's times: from the interactor's responses to the bytes.
struct SyncTimingsDisplayTests {
  private let screen = Screen()

  @Test func `is an aligned table beside the results, also when quiet was asked for`() {
    for isQuiet in [false, true] {
      let screen = Screen()
      let display = SyncFeedsTextDisplay(console: screen.console(isQuiet: isQuiet))
      SyncFeedsPresenter(display: display).presentTimedSync(response: .init(timings: .sample))

      #expect(screen.output == "")
      #expect(
        screen.errors == """
          where 4.200 s went — what runs at the same time is summed up, so the parts do not add up to it
            queueing     0.001 s  requests that wait for their turn at a host
            looking up   1.101 s  names of hosts
            connecting   2.201 s  6 connections opened
            securing     3.301 s  agreeing on TLS
            waiting      4.401 s  1,200 requests, 1,100 responses, 20 unchanged
            receiving    5.501 s  4.2 MiB over the network
            parsing      6.601 s  1 document, 500 images
            decoding     7.701 s  12 pictures made smaller
            storing      8.801 s  25,000 rows written
            committing   9.901 s  104 transactions
            flushing    11.001 s  1 time all brought to the disk
            filing      12.101 s  3 originals kept, 3.0 GiB written

          """
      )
    }
  }

  @Test func `is a JSON object of its own for scripts`() {
    let display = RecordDisplay(console: screen.console())
    SyncFeedsJSONPresenter(display: display).presentTimedSync(response: .init(timings: .sample))

    #expect(
      screen.output == """
        {"timings":{"seconds":4.2,"phases":{"queueing":0.001,"lookingUp":1.101,\
        "connecting":2.201,"securing":3.301,"waiting":4.401,"receiving":5.501,"parsing":6.601,\
        "decoding":7.701,"storing":8.801,"committing":9.901,"flushing":11.001,"filing":12.101},\
        "counts":{"requests":1200,"responses":1100,"unchanged":20,"connections":6,\
        "bytes":4404019,"documents":1,"images":500,"pictures":12,"transactions":104,\
        "rows":25000,"flushes":1,"originals":3,"originalBytes":3221225472}}}

        """
    )
    #expect(screen.errors == "")
  }
}

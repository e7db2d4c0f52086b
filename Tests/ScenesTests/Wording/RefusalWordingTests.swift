import Testing
import Workers

@testable import Scenes

/// The messages about requests that the program refuses.
struct RefusalWordingTests {
  @Test func `says how many words a search may have`() {
    let error = StoreError(reason: .tooManyWords(limit: 100), path: "", message: "")
    let failure = RequestFailure.library(error, .list)

    #expect(
      Wording.message(failure)
        == "cannot search the library: more than 100 words — fewer words find more"
    )
    #expect(failure.outcome == .misused)
  }

  @Test func `says that there is nothing to search for, which is not a failure`() {
    let error = StoreError(reason: .nothingToSearch, path: "", message: "")
    let failure = RequestFailure.library(error, .list)

    #expect(
      Wording.message(failure) == "no image matches: the search has no letter and no digit"
    )
    #expect(failure.outcome == .done)
  }

  @Test func `says that a copy cannot be a folder`() {
    #expect(
      Wording.message(.export(.notAFile(path: "/tmp"))) == "cannot write '/tmp': it is not a file"
    )
  }
}

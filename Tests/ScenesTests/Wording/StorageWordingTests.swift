import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// What `why` says about an original that others may displace.
struct StorageWordingTests {
  private func kept(_ change: (inout ImageStorage) -> Void) -> String? {
    var image = WebImage.moon
    image.original = .stored
    var storage = ImageStorage(feed: .astronomy)
    storage.bounds = StorageBounds(keep: 1 << 30)
    storage.originalBytes = 1 << 20
    storage.originalStored = Date(timeIntervalSince1970: 1_800_000_000)
    change(&storage)
    return Wording.explanation(.init(image: image, storage: storage)).last?.value
  }

  @Test func `tells no minute to come of what has happened, and no past one of what will`() {
    let moment = Date(timeIntervalSince1970: 1_800_000_000 + 30)
    var feed = Feed.astronomy
    (feed.lastSync, feed.nextSync) = (moment, moment)
    var storage = ImageStorage(feed: feed)
    storage.thumbnailStored = moment
    let fields = Wording.explanation(.init(image: .moon, storage: storage))

    let (past, next) = (Wording.localTime(moment - 30), Wording.localTime(moment + 30))
    let text = fields.map(\.value).joined(separator: "\n")
    #expect(text.contains("last read \(past); asked again from \(next) on"), "\(text)")
    #expect(text.contains("fetched \(past)"), "\(text)")
  }

  @Test func `names the image by its id once`() {
    let storage = ImageStorage(feed: .astronomy)
    let names = [WebImage.moon, .unnamed].map { image in
      Wording.explanation(.init(image: image, storage: storage)).first?.value
    }

    #expect(names == ["7 'The moon over the bay'", "8"])
  }

  private let total = "originals take 1.0 MiB, at most 1.0 GiB"

  @Test func `an original gives way in its turn`() {
    #expect(kept { $0.originalsBefore = 0 } == "\(total); this one gives way first")
    #expect(kept { $0.originalsBefore = 2 } == "\(total); 2 others before this one to give way")
  }

  @Test func `an original stays that only this disk has, or that another image needs`() {
    #expect(
      kept { $0.needsPut = true } == "\(total); this one stays until an object store has it"
    )
    #expect(kept { _ in } == "\(total); this one stays while another image needs it")
  }

  @Test func `an original in the user's own folder has no turn`() {
    #expect(kept { $0.originalStored = nil } == total)
  }

  @Test func `what was just shown stays beyond a bound, which is said`() {
    let bounds = StorageBounds(keep: 1 << 20)
    let stays = "what was just shown takes 1.0 KiB more, and stays until the next command that lets"

    let alone = Wording.gaveWay(GivenWay(excess: 1 << 10, shown: 1), to: bounds)
    let others = Wording.gaveWay(
      GivenWay(originals: 2, bytes: 2 << 10, excess: 1 << 10, shown: 1),
      to: bounds
    )

    #expect(alone == "originals take at most 1.0 MiB; \(stays) originals give way")
    #expect(
      others
        == "2 originals, 2.0 KiB, gave way: originals take at most 1.0 MiB; \(stays) originals give way"
    )
    #expect(Wording.gaveWay(GivenWay(excess: 1 << 10), to: bounds) == nil)
    #expect(Wording.gaveWay(GivenWay(shown: 1), to: bounds) == nil)
  }

  @Test func `without a bound nothing gives way`() {
    #expect(
      kept { $0.bounds = StorageBounds() } == "nothing gives way: there is no bound for originals"
    )
  }
}

import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// A listed image contains only its thumbnail's address: no name and no value gives the address of the
/// original.
struct OriginalAddressTests {
  private let people = ListImagesDisplaySpy()
  private let scripts = RecordDisplaySpy()

  @Test func `no value of a list is named after the original's address`() {
    present([.moon.with(.stored)])

    let names = people.events.flatMap(namesOfMembers) + scripts.events.flatMap(namesOfMembers)

    // A list says only whether the original is stored and whether it is damaged.
    let saidOfOriginal: Set = ["originalMark", "originalStored", "originalDamaged"]
    #expect(Set(names.filter { $0.contains("riginal") }) == saidOfOriginal)
    #expect(Set(names).isSuperset(of: ["thumbnail", "url", "title"]))
  }

  @Test func `no value of a list holds the original's address`() {
    var image = WebImage.moon.with(.stored)
    image.originalAddress = .at("https://MARKER.example/MARKER.jpg?MARKER#MARKER")

    present([image])

    var text = ""
    dump(people.events, to: &text)
    dump(scripts.events, to: &text)
    #expect(!text.contains("MARKER"))
    #expect(text.contains("https://stars.example/moon-small.jpg"))
  }

  private func present(_ images: [WebImage]) {
    ListImagesPresenter(display: people).presentFetchedImages(response: .init(images: images))
    ListImagesJSONPresenter(display: scripts)
      .presentFetchedImages(response: .init(images: images))
  }

  /// The names of all members of a value, at every depth.
  private func namesOfMembers(of value: Any) -> [String] {
    Mirror(reflecting: value).children.flatMap { child in
      [child.label].compactMap(\.self) + namesOfMembers(of: child.value)
    }
  }
}

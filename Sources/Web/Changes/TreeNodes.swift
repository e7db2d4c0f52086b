package import Models
import Scenes
package import Workers

/// The nodes of a library's tree of hashes as JSON: the library, a feed, a month.
package enum TreeNodes {
  /// The root of the tree.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - cursor: The cursor from which the changes after this tree can be read.
  ///   - title: The title of the gallery; nil for none.
  /// - Returns: An object.
  package static func library(
    _ tree: LibraryTree,
    cursor: String,
    title: String? = nil
  ) -> [UInt8] {
    let feeds = tree.feeds.map { feed -> Record in
      [
        "id": .integer(feed.id), "seq": .integer(feed.number), "hash": hash(feed.hash),
        "images": .number(feed.images),
      ]
    }
    let pins = tree.pins.map { pin -> Record in
      [
        "id": .integer(pin.imageID), "seq": .integer(pin.number),
        "pinned": .text(Wording.timestamp(pin.date)),
      ]
    }
    var record: Record = [
      "type": "library", "hash": hash(tree.hash), "library": .text(tree.version.library),
      "cursor": .text(cursor), "feeds": .records(feeds), "pins": .records(pins),
    ]
    if let title { record.add("title", .text(title)) }
    return JSONLine.lines([record])
  }

  /// The node of a feed.
  ///
  /// - Parameters:
  ///   - node: The feed in the tree.
  ///   - feed: The feed itself.
  /// - Returns: An object.
  package static func feed(_ node: LibraryTree.Feed, _ feed: Feed) -> [UInt8] {
    let position = ChangePosition(number: node.number, kind: .feed, id: node.id)
    let line = ChangeLine(position: position, state: .feed(feed))
    let months = node.months.map { month -> Record in
      [
        "month": .text(Timeline.text(ofMonth: month.month)), "hash": hash(month.hash),
        "images": .number(month.images),
      ]
    }
    return JSONLine.lines(of: CollectionOfOne(node)) { node, json in
      json.member("type", "feed")
      json.member("hash", node.hash.hexadecimal)
      json.member("id", node.id)
      json.member("feed") { ChangeLines(for: LibraryPart()).write(line, to: &$0) }
      json.member("months", months)
    }
  }

  /// The node of a month of a feed.
  package static func month(_ month: LibraryTree.Month, ofFeed feedID: Int64) -> [UInt8] {
    let leaves = month.leaves.map { leaf -> Record in
      [
        "hash": hash(leaf.hash), "images": .number(leaf.images),
        "first": .integer(leaf.ids.lowerBound), "last": .integer(leaf.ids.upperBound),
      ]
    }
    let record: Record = [
      "type": "month", "hash": hash(month.hash), "feed": .integer(feedID),
      "month": .text(Timeline.text(ofMonth: month.month)), "leaves": .records(leaves),
    ]
    return JSONLine.lines([record])
  }

  /// The images of a leaf, as lines of changes.
  package static func leaf(_ images: [ImageState]) -> [UInt8] {
    ChangeLines(for: LibraryPart()).json(
      images.map { image in
        let position = ChangePosition(number: image.number, kind: .image, id: image.id)
        return ChangeLine(position: position, state: .image(image))
      }
    )
  }

  private static func hash(_ hash: SHA256Digest) -> Record.Value { .text(hash.hexadecimal) }
}

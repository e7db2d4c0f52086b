/// The boxes that a whole file consists of, and whether they end where the file ends.
struct ISOBoxWalk {
  private(set) var types: Set<Int> = []
  private(set) var completeness = ImageCompleteness.unknown

  init(_ sample: PictureSample) {
    var offset = 0
    while offset < sample.length {
      guard let box = Self.box(at: offset, in: sample) else { return }
      types.insert(box.type)
      guard let end = box.end else { return }
      offset = end
    }
    completeness = offset == sample.length ? .whole : .cut
  }

  private static func box(at offset: Int, in sample: PictureSample) -> ISOBox? {
    ISOBox(at: offset, in: sample.head) ?? ISOBox(at: offset, in: sample.tail)
  }
}

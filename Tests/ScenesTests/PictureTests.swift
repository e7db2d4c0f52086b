import Scenes
import Testing

struct PictureTests {
  @Test func `takes as many bytes as its size says`() {
    let picture = Picture(width: 2, height: 3, bytes: Array(repeating: 7, count: 24))

    #expect(picture?.width == 2)
    #expect(picture?.height == 3)
    #expect(picture?.bytes.count == 24)
  }

  @Test(arguments: [
    (2, 3, 23), (2, 3, 25), (2, 3, 26), (0, 3, 0), (2, 0, 0), (-2, -3, 24), (Int.max, Int.max, 4),
    (Int.max, 4, 16),
  ])
  func `takes no other number of them`(width: Int, height: Int, count: Int) {
    let bytes = Array(repeating: UInt8(7), count: count)

    #expect(Picture(width: width, height: height, bytes: bytes) == nil)
  }
}

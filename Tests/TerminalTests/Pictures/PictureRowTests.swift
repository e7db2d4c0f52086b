import Testing

@testable import Terminal

struct PictureRowTests {
  @Test func `writes characters from top to bottom, without moving the cursor`() {
    let row = PictureRow(
      items: [item(0, lines: ["ab", "cd", "ef"]), item(4, lines: ["xyz"])],
      rows: 3
    )

    #expect(text(row.bytes) == "ab\ncd\nef  xyz\n")
  }

  @Test func `puts pixels side by side where lines were made free before`() {
    let row = PictureRow(
      items: [item(0, pixels: "ONE", rows: 3), item(10, pixels: "TWO", rows: 2)],
      rows: 3
    )

    let one = "\r\u{1B}7ONE\u{1B}8\r"
    let two = "\r\u{1B}[1B\u{1B}[10C\u{1B}7TWO\u{1B}8\r\u{1B}[1A"
    #expect(text(row.bytes) == "\n\n\n\r\u{1B}[3A\(one)\(two)\r\u{1B}[3B")
  }

  @Test func `draws a frame among pixels line by line`() {
    let row = PictureRow(
      items: [item(0, pixels: "ONE", rows: 2), item(6, lines: ["ab", "cd"])],
      rows: 2
    )

    let one = "\r\u{1B}7ONE\u{1B}8\r"
    let frame = "\r\u{1B}[6Cab\r\u{1B}[1B\u{1B}[6Ccd\r\u{1B}[1A\r"
    #expect(text(row.overlay) == one + frame)
  }

  @Test func `frames a note where a picture is missing`() {
    let frame = PictureFrame.frame(CellSize(columns: 12, rows: 5), note: "no picture")
    let narrow = PictureFrame.frame(CellSize(columns: 7, rows: 3), note: "no picture")
    let low = PictureFrame.frame(CellSize(columns: 12, rows: 2), note: "no picture")

    #expect(
      lines(frame) == [
        "┌──────────┐", "│          │", "│no picture│", "│          │", "└──────────┘",
      ]
    )
    #expect(lines(narrow) == ["┌─────┐", "│no p…│", "└─────┘"])
    #expect(lines(low) == ["no picture  ", "            "])
  }

  private func item(_ column: Int, lines: [String]) -> PictureRow.Item {
    let size = CellSize(columns: lines[0].count, rows: lines.count)
    let content = EncodedPicture.Content.lines(lines.map { Array($0.utf8) })
    return .init(column: column, picture: EncodedPicture(size: size, content: content))
  }

  private func item(_ column: Int, pixels: String, rows: Int) -> PictureRow.Item {
    let content = EncodedPicture.Content.pixels(Array(pixels.utf8), imageID: nil)
    let size = CellSize(columns: 5, rows: rows)
    return .init(column: column, picture: EncodedPicture(size: size, content: content))
  }

  private func lines(_ picture: EncodedPicture) -> [String] {
    guard case .lines(let lines) = picture.content else { return [] }
    return lines.map(text)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

import Workers

@testable import Terminal

/// A terminal with the features that a painter uses: cells with characters and styles, and pictures of kitty's
/// protocol.
final class TerminalEmulator: ByteSink, Sendable {
  struct Cell: Equatable {
    var text = " "
    var style = ""
  }

  /// A picture, and the cells that it covers.
  struct Shown: Equatable {
    var id: Int
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int
  }

  fileprivate struct State {
    var size: CellSize
    var cells: [Cell]
    var column = 0
    var row = 0
    var saved = (0, 0)
    var style = ""
    var isCursorShown = true
    var pictures: [Shown] = []
    var written = 0
    var unknown: [String] = []
  }

  private let state: Locked<State>

  init(columns: Int, rows: Int) {
    state = Locked(
      State(
        size: CellSize(columns: columns, rows: rows),
        cells: Array(repeating: Cell(), count: columns * rows)
      )
    )
  }

  /// The lines of the screen, without trailing spaces.
  var lines: [String] {
    rows.map { row in TextWidth.trimmed(row.map(\.text).joined()) }
  }

  /// The screen as one text, without trailing empty lines.
  var text: String {
    var lines = lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The text in a style, such as "7" for the selection.
  func text(inStyle style: String) -> String {
    rows.map { row in TextWidth.trimmed(row.filter { $0.style == style }.map(\.text).joined()) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  var pictures: [Shown] { state.withLock { $0.pictures } }
  /// The number of bytes that have arrived.
  var written: Int { state.withLock { $0.written } }
  /// The sequences that the emulator does not know.
  var unknown: [String] { state.withLock { $0.unknown } }
  /// The position of the cursor; nil while it is hidden.
  var cursor: CellPosition? {
    state.withLock { $0.isCursorShown ? CellPosition(column: $0.column, row: $0.row) : nil }
  }

  private var rows: [[Cell]] {
    state.withLock { state in
      (0..<state.size.rows).map { row in
        Array(state.cells[row * state.size.columns..<(row + 1) * state.size.columns])
      }
    }
  }

  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      state.written += bytes.count
      var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
      while let scalar = rest.popFirst() {
        if scalar == "\u{1B}" { state.obey(&rest) } else { state.put(scalar) }
      }
    }
  }
}

extension TerminalEmulator.State {
  fileprivate mutating func put(_ scalar: Unicode.Scalar) {
    let width = TextWidth.columns(of: String(Character(scalar)))
    guard width > 0 else {
      if column > 0 { cells[row * size.columns + column - 1].text.unicodeScalars.append(scalar) }
      return
    }
    guard column + width <= size.columns, row < size.rows else {
      unknown.append("'\(scalar)' beyond the edge")
      return
    }
    let index = row * size.columns + column
    cells[index] = .init(text: String(Character(scalar)), style: style)
    for rest in 1..<max(width, 1) where rest < width {
      cells[index + rest] = .init(text: "", style: style)
    }
    column += width
  }

  /// Executes the sequence after an Escape.
  fileprivate mutating func obey(_ rest: inout Substring.UnicodeScalarView) {
    switch rest.popFirst() {
    case "[": command(&rest)
    case "7": saved = (column, row)
    case "8": (column, row) = saved
    case "_": picture(text(&rest))
    case let other: unknown.append("ESC \(other.map(String.init) ?? "")")
    }
  }

  private func text(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = ""
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        _ = rest.popFirst()
        break
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  private mutating func command(_ rest: inout Substring.UnicodeScalarView) {
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return command(parameters, Character(scalar))
    }
  }

  private mutating func command(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters) {
    case ("H", _):
      row = (numbers.first ?? 1) - 1
      column = (numbers.count > 1 ? numbers[1] : 1) - 1
    case ("m", _): style = parameters == "0" ? "" : parameters
    case ("J", "2"): cells = Array(repeating: .init(), count: cells.count)
    case ("h", "?25"): isCursorShown = true
    case ("l", "?25"): isCursorShown = false
    case ("h", "?2026"), ("l", "?2026"): break
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  /// Shows or deletes a picture; the pixels in the following chunks do not matter.
  private mutating func picture(_ text: String) {
    var keys: [String: Int] = [:]
    for pair in text.dropFirst().prefix(while: { $0 != ";" }).split(separator: ",") {
      let parts = pair.split(separator: "=")
      if parts.count == 2 { keys[String(parts[0])] = Int(parts[1]) ?? 0 }
    }
    guard let id = keys["i"] else { return }
    pictures.removeAll { $0.id == id }
    guard let columns = keys["c"], let rows = keys["r"] else { return }
    pictures.append(.init(id: id, column: column, row: row, columns: columns, rows: rows))
  }
}

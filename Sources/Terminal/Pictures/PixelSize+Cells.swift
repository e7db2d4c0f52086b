extension PixelSize {
  /// The smallest and the largest cell that is believed.
  private static let believable = 2...512

  /// The size of one of so many cells; nil when no font has it.
  func divided(among cells: CellSize) -> PixelSize? {
    let cell = PixelSize(width: width / cells.columns, height: height / cells.rows)
    return cell.isCell ? cell : nil
  }

  /// Whether it can be the size of a character cell.
  var isCell: Bool { Self.believable.contains(width) && Self.believable.contains(height) }
}

/// The place that a picture takes in a box of character cells.
struct PictureFit {
  /// The box.
  let box: CellSize
  /// One cell.
  let cell: PixelSize
  /// Whether a small picture is drawn larger than it is, to fill the box.
  var isEnlarged = true

  /// Whether a cell that is not half filled is left out.
  var isRounded = false

  /// The whole cells that a picture touches when it is as large as fits and keeps its shape.
  func place(of picture: PixelSize) -> CellSize {
    let scale = scale(of: picture)
    return CellSize(
      columns: cells(Double(picture.width) * scale / Double(cell.width), most: box.columns),
      rows: cells(Double(picture.height) * scale / Double(cell.height), most: box.rows)
    )
  }

  private func scale(of picture: PixelSize) -> Double {
    let fitting = min(
      Double(box.columns * cell.width) / Double(picture.width),
      Double(box.rows * cell.height) / Double(picture.height)
    )
    return isEnlarged ? fitting : min(1, fitting)
  }

  /// Whole cells; what is over by less than a hundredth of one is an error of calculation.
  private func cells(_ number: Double, most: Int) -> Int {
    let whole = isRounded ? number.rounded() : (number - 0.01).rounded(.up)
    return min(max(1, Int(whole)), max(1, most))
  }
}

internal import CVips
import DecoderFrames
import Models

extension OpenedPicture {
  /// Makes the file of a rendering.
  func rendered(
    _ rendering: Rendering,
    of file: borrowing PictureFile
  ) throws(Refusal) -> MadeBytes {
    try scaled(rendering.region, rendering.width, rendering.height, of: file)
      .recoloured(rendering)
      .mirrored(rendering)
      .turned(rendering)
      .encoded(rendering)
  }

  /// Makes the bytes of the picture's `ColourGrid`.
  func colourGrid(of file: borrowing PictureFile) throws(Refusal) -> MadeBytes {
    let (width, height) = header.facts.upright
    let all = PixelRegion(x: 0, y: 0, width: width, height: height)
    let grid = try scaled(all, ColourGrid.columns, ColourGrid.rows, of: file)
    return try MadeBytes(pixelsOf: grid.onWhite().inRGB())
  }

  /// A region of the upright picture, scaled to a size.
  private func scaled(
    _ region: PixelRegion,
    _ width: Int,
    _ height: Int,
    of file: borrowing PictureFile
  ) throws(Refusal) -> Picture {
    let stored = try header.stored(region)
    let shrink = min(Double(region.width) / Double(width), Double(region.height) / Double(height))
    let plan = LoadPlan(header, shrink: max(1, shrink), failOn: reading.failOn)
    try DecodingLimits.check(header, plan: plan, fileBytes: file.length)
    let loaded = try reading.load(plan, of: file)
    return try loaded.cropped(to: stored, ofWidth: header.facts.width, height: header.facts.height)
      .fitted(width: width, height: height, size: VIPS_SIZE_FORCE, failOn: plan.failOn)
  }
}

extension PictureHeader {
  /// Converts a region of the upright picture to a region of the stored picture (EXIF 2.32, section
  /// 4.6.4, tag 274).
  fileprivate func stored(_ region: PixelRegion) throws(Refusal) -> PixelRegion {
    let (width, height) = facts.upright
    guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
      region.width <= width - region.x, region.height <= height - region.y
    else {
      throw .refused(message: "the region is not within the picture")
    }
    let fromRight = width - region.x - region.width
    let fromBottom = height - region.y - region.height
    let x = [2, 3, 6, 7].contains(facts.orientation) ? fromRight : region.x
    let y = [3, 4, 7, 8].contains(facts.orientation) ? fromBottom : region.y
    return facts.orientation >= 5
      ? PixelRegion(x: y, y: x, width: region.height, height: region.width)
      : PixelRegion(x: x, y: y, width: region.width, height: region.height)
  }
}

extension Picture {
  fileprivate static let jpegQuality: Int32 = 85
  /// The highest level that keeps the largest rendering within the processor time, whatever it shows.
  ///
  /// At this level, 36 megapixels take up to 4 s. At the default level of 6 they take up to 15 s,
  /// and a photograph becomes a fifth smaller.
  fileprivate static let pngCompression: Int32 = 3

  /// Crops to a region, given in pixels of the whole stored picture; this picture may be a smaller copy.
  fileprivate consuming func cropped(
    to region: PixelRegion,
    ofWidth width: Int,
    height: Int
  ) throws(Refusal) -> Picture {
    let columns = Self.span(region.x, region.width, of: width, in: self.width)
    let rows = Self.span(region.y, region.height, of: height, in: self.height)
    if columns.count == self.width, rows.count == self.height { return self }
    return try applying {
      cvips_crop(
        $0,
        $1,
        Int32(columns.lowerBound),
        Int32(rows.lowerBound),
        Int32(columns.count),
        Int32(rows.count)
      )
    }
  }

  /// Scales a span of a length to the shortest span of a smaller length that covers it.
  private static func span(
    _ start: Int,
    _ count: Int,
    of length: Int,
    in smaller: Int
  ) -> Range<Int> {
    let factor = Double(smaller) / Double(length)
    let lower = min(smaller - 1, Int(Double(start) * factor))
    let upper = min(smaller, Int((Double(start + count) * factor).rounded(.up)))
    return lower..<max(lower + 1, upper)
  }

  fileprivate consuming func recoloured(_ rendering: Rendering) throws(Refusal) -> Picture {
    switch (rendering.colours, rendering.encoding) {
    case (.all, .png): return self
    case (.all, .jpeg): return try onWhite()
    case (.grey, .png): return try applying { cvips_to_grey($0, $1) }
    case (.grey, .jpeg): return try onWhite().applying { cvips_to_grey($0, $1) }
    case (.blackAndWhite, _):
      return try onWhite().applying { cvips_to_grey($0, $1) }
        .applying { cvips_to_black_and_white($0, $1) }
    }
  }

  /// The picture with white in place of transparency.
  fileprivate consuming func onWhite() throws(Refusal) -> Picture {
    if !hasAlpha { return self }
    return try applying { cvips_on_white($0, $1) }
  }

  /// The picture in three bands: red, green and blue.
  fileprivate consuming func inRGB() throws(Refusal) -> Picture {
    try applying { cvips_to_srgb($0, $1) }.applying { cvips_to_bytes($0, $1) }
  }

  fileprivate consuming func mirrored(_ rendering: Rendering) throws(Refusal) -> Picture {
    if !rendering.isMirrored { return self }
    return try applying { cvips_mirror($0, $1) }
  }

  fileprivate consuming func turned(_ rendering: Rendering) throws(Refusal) -> Picture {
    let angle: VipsAngle
    switch rendering.turn {
    case .none: return self
    case .quarter: angle = VIPS_ANGLE_D90
    case .half: angle = VIPS_ANGLE_D180
    case .threeQuarters: angle = VIPS_ANGLE_D270
    }
    // A turn reads the pixels in a different order from the one in which decoders deliver them.
    return try inMemory().applying { cvips_turn($0, $1, angle) }
  }

  /// The file of the picture.
  fileprivate func encoded(_ rendering: Rendering) throws(Refusal) -> MadeBytes {
    let bytes = try applying { cvips_to_bytes($0, $1) }
    let image = bytes.pointer
    let file = try MadeBytes { start, count in
      switch rendering.encoding {
      case .jpeg: cvips_stream_jpeg(image, start, count, Self.jpegQuality)
      case .png:
        cvips_save_png(
          image,
          start,
          count,
          Self.pngCompression,
          rendering.colours == .blackAndWhite ? 1 : 8
        )
      }
    }
    guard file.bytes.count <= FrameLimits.renderingBytes else {
      throw .resultTooLarge(limit: Rendering.largestArea)
    }
    return file
  }
}

import Models

extension ImageFormat {
  /// The format's number in frames.
  var frameNumber: UInt8 {
    switch self {
    case .jpeg: 1
    case .png: 2
    case .gif: 3
    case .webP: 4
    case .avif: 5
    case .heic: 6
    case .tiff: 7
    case .bmp: 8
    case .jpegXL: 9
    case .svg: 10
    case .ico: 11
    case .pnm: 12
    case .jpeg2000: 13
    }
  }
}

extension FrameReader {
  mutating func format() throws(FrameError) -> ImageFormat {
    let number = try number(UInt8.self)
    let format = ImageFormat.allCases.first { $0.frameNumber == number }
    guard let format else { throw .field("format") }
    return format
  }
}

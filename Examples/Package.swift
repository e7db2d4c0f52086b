// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "examples",
  dependencies: [
    .package(name: "gallery", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "contact-sheet",
      dependencies: [
        .product(name: "GalleryLibrary", package: "gallery"),
        .product(name: "GalleryScenes", package: "gallery"),
      ]
    ),
    .executableTarget(
      name: "feed-server",
      dependencies: [
        .product(name: "GalleryLibrary", package: "gallery"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]
    ),
  ]
)

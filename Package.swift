// swift-tools-version: 6.2

import PackageDescription

/// What every target is held to; warnings are errors.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)
let hummingbird = [
  Target.Dependency.product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "HummingbirdHTTP2", package: "hummingbird"),
  .product(name: "HummingbirdTLS", package: "hummingbird"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
  name: "gallery",
  products: [
    .executable(name: "gallery", targets: ["gallery"]),
    .executable(name: "gallery-decoder", targets: ["ImageDecoder"]),
    .executable(name: "gallery-server", targets: ["gallery-server"]),
    .library(name: "GalleryFeeds", targets: ["GalleryFeeds"]),
    .library(name: "GalleryLibrary", targets: ["GalleryLibrary"]),
    .library(name: "GalleryScenes", targets: ["GalleryScenes"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // The domain, and what scenes may ask for: no C, no SQL, no HTTP.
    .target(name: "Models", swiftSettings: strict),
    // Is it a picture, and is it whole.
    .target(name: "PictureFiles", dependencies: ["Models"], swiftSettings: strict),
    .target(name: "Workers", dependencies: ["Models", "PictureFiles"], swiftSettings: strict),
    // The policy of syncs, of originals and of checks.
    .target(
      name: "Sync",
      dependencies: ["Models", "PictureFiles", "Workers"],
      swiftSettings: strict
    ),
    .target(name: "Scenes", dependencies: ["Models", "Workers"], swiftSettings: strict),

    // View models → bytes for a medium.
    .target(
      name: "Terminal",
      dependencies: ["Scenes", "Workers", "CChafa"],
      swiftSettings: strict
    ),
    // Loaded when the first picture is drawn, never linked: hence no pkg-config.
    .systemLibrary(name: "CChafa", providers: [.apt(["libchafa-dev"])]),

    .target(
      name: "Web",
      dependencies: ["Models", "Scenes", "Workers", "CWebFiles", "CZlib"],
      exclude: ["Assets", "openapi.json"],
      swiftSettings: strict
    ),

    // The adapters: each implements protocols of Workers with one library.
    .target(
      name: "FeedFormats",
      dependencies: ["Models", "Workers", "CExpat", "CZlib"],
      swiftSettings: strict
    ),
    // What other packages may use of it.
    .target(
      name: "GalleryFeeds",
      dependencies: ["Models", "Workers", "FeedFormats"],
      swiftSettings: strict
    ),
    .target(
      name: "CurlNetwork",
      dependencies: ["Models", "Workers", "Threading", "CCurl", logging],
      swiftSettings: strict
    ),
    // The files of a library, for any store.
    .target(
      name: "LibraryFiles",
      dependencies: ["Models", "PictureFiles", "Workers", "CCrypto", "CLinux"],
      swiftSettings: strict
    ),
    // The queries of a library, once for both databases.
    .target(
      name: "Store",
      dependencies: ["Models", "Workers", "LibraryFiles", "CPostgres", "CSQLite"],
      swiftSettings: strict
    ),
    .target(
      name: "SQLiteCache",
      dependencies: ["Models", "Workers", "LibraryFiles", "Store", "CSQLite"],
      swiftSettings: strict
    ),
    .target(
      name: "PostgresStore",
      dependencies: ["Models", "Workers", "LibraryFiles", "Store", "CPostgres"],
      swiftSettings: strict
    ),
    // Originals in S3.
    .target(
      name: "ObjectStore",
      dependencies: ["Models", "Workers", "LibraryFiles", "CExpat"],
      swiftSettings: strict
    ),
    // Threads of their own, for what blocks: libcurl's loop and the decoders' pipes.
    .target(name: "Threading", dependencies: ["Workers", "CLinux"], swiftSettings: strict),
    .target(
      name: "Imaging",
      dependencies: [
        "Models", "PictureFiles", "Workers", "Threading", "DecoderFrames", "CLinux",
      ],
      swiftSettings: strict
    ),
    // Load libcrypto, libcurl and libpq with the first call of one of their functions, never link them:
    // hence no pkg-config.
    .target(name: "CCrypto", publicHeadersPath: "."),
    .target(name: "CCurl", publicHeadersPath: "."),
    .target(name: "CPostgres", publicHeadersPath: "."),
    .target(name: "CLinux"),
    .target(name: "CSQLite", publicHeadersPath: "."),
    // The files that the pages of Web need.
    .target(name: "CWebFiles"),
    // The commit of the build, which Scripts/build names: a new commit compiles no more than it has to.
    .target(
      name: "CVersion",
      cSettings: Context.environment["GALLERY_COMMIT"].map {
        [.define("GALLERY_COMMIT", to: "\"\($0)\"")]
      }
    ),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // The decoder, the only process that links libvips, and what it and Imaging say to each other.
    .target(name: "DecoderFrames", dependencies: ["Models"], swiftSettings: strict),
    .executableTarget(
      name: "ImageDecoder",
      dependencies: ["Models", "PictureFiles", "DecoderFrames", "CLinux", "CVips"],
      swiftSettings: strict
    ),

    // The one target that names concrete workers, for every program.
    .target(
      name: "Composition",
      dependencies: [
        "Models", "Workers", "Sync", "Scenes", "FeedFormats", "CurlNetwork", "LibraryFiles",
        "SQLiteCache", "PostgresStore", "ObjectStore", "Imaging", "Settings", "Threading",
        argumentParser, logging,
      ],
      swiftSettings: strict
    ),
    // A library for other packages.
    .target(
      name: "GalleryLibrary",
      dependencies: ["Models", "Workers", "Scenes", "Composition", "Settings", logging],
      swiftSettings: strict
    ),
    // Its scenes for displays of other packages.
    .target(
      name: "GalleryScenes",
      dependencies: ["Models", "Workers", "Scenes", "Composition", "GalleryLibrary"],
      swiftSettings: strict
    ),
    // The user's settings, as arguments of commands.
    .target(
      name: "Settings",
      dependencies: ["Models", "Workers", argumentParser, toml],
      swiftSettings: strict
    ),
    // The program: its commands.
    .executableTarget(
      name: "gallery",
      dependencies: [
        "Models", "Workers", "Scenes", "Terminal", "Web", "Composition", "Settings", "Threading",
        "CVersion", argumentParser, logging,
      ],
      swiftSettings: strict
    ),

    // The program that serves the library over HTTP, apart from `gallery` so that this starts at once.
    .executableTarget(
      name: "gallery-server",
      dependencies: [
        "Models", "PictureFiles", "Workers", "Scenes", "Web", "Composition", "Settings",
        "Threading", "CLinux", argumentParser, logging,
      ] + hummingbird,
      path: "Sources/gallery-server",
      swiftSettings: strict
    ),

    .target(
      name: "TestSupport",
      dependencies: ["Models", "Workers", "Scenes", "Threading", "CTLS"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .systemLibrary(
      name: "CTLS",
      path: "Tests/CTLS",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"])]
    ),
    // The misbehaving server, for hand use: Scripts/misbehave.
    .executableTarget(
      name: "misbehave",
      dependencies: ["TestSupport"],
      path: "Tests/Misbehave",
      swiftSettings: strict
    ),
    .testTarget(name: "ModelsTests", dependencies: ["Models"], swiftSettings: strict),
    .testTarget(
      name: "PictureFilesTests",
      dependencies: ["Models", "PictureFiles", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "WorkersTests",
      dependencies: ["Models", "Workers", "Threading", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "Models", "Workers", "Sync", "LibraryFiles", "Store", "SQLiteCache", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ScenesTests",
      dependencies: ["Models", "Workers", "Scenes", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Models", "Workers", "Scenes", "Terminal", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FeedFormatsTests",
      dependencies: ["Models", "Workers", "FeedFormats", "TestSupport"],
      resources: [.copy("Documents")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GalleryFeedsTests",
      dependencies: ["Models", "Workers", "FeedFormats", "GalleryFeeds"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GalleryLibraryTests",
      dependencies: [
        "Models", "Workers", "GalleryLibrary", "GalleryScenes", "TestSupport", logging,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CurlNetworkTests",
      dependencies: ["Models", "Workers", "CurlNetwork", "CCurl", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DecoderFramesTests",
      dependencies: ["Models", "DecoderFrames"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ImagingTests",
      dependencies: [
        "Models", "PictureFiles", "Workers", "Imaging", "DecoderFrames", "CLinux", "CZlib",
        "Threading", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LibraryFilesTests",
      dependencies: ["Models", "Workers", "LibraryFiles", "Threading", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "Models", "Workers", "Sync", "CurlNetwork", "LibraryFiles", "SQLiteCache", "ObjectStore",
        "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SQLiteCacheTests",
      dependencies: [
        "Models", "Workers", "Sync", "LibraryFiles", "Store", "SQLiteCache", "PostgresStore",
        "CSQLite", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Models", "Workers", "Sync", "Scenes", "FeedFormats", "CurlNetwork", "LibraryFiles",
        "Store", "SQLiteCache", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "GalleryServerTests",
      dependencies: [
        "gallery-server", "Composition", "FeedFormats", "Imaging", "Web", "Models", "PictureFiles",
        "Workers", "Scenes", "TestSupport", logging,
      ] + hummingbird,
      swiftSettings: strict
    ),
    .testTarget(
      name: "GalleryTests",
      dependencies: ["gallery", "Composition", "Settings", "TestSupport"],
      swiftSettings: strict
    ),
  ]
)

/// What strangers' bytes meet, which the fuzzers look for mistakes in.
let fuzzed: [Target.Dependency] = [
  "Models", "PictureFiles", "Workers", "Scenes", "Terminal", "Web", "FeedFormats", "CurlNetwork",
  "DecoderFrames", "Imaging",
]

// The fuzzers are built with flags of their own, which Scripts/fuzz gives. All other builds have what
// they run as a test, which makes a few inputs of its own.
if Context.environment["GALLERY_FUZZING"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Fuzzing/CFuzzer"),
    .executableTarget(
      name: "gallery-fuzz",
      dependencies: fuzzed + ["CFuzzer"],
      path: "Fuzzing/Sources",
      swiftSettings: strict
    ),
  ]
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzingTests",
      dependencies: fuzzed,
      path: "Fuzzing",
      exclude: ["CFuzzer", "Dictionaries", "README.md", "Sources/Program"],
      sources: ["Sources", "Tests"],
      swiftSettings: strict
    )
  )
}

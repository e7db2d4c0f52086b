import Foundation
import HTTPTypes
import TestSupport
import Testing
import Workers

@testable import Web
@testable import gallery_server

/// The scripts and styles of the pages.
struct AssetTests {
  private static let folder = Checkout.folder.appending(path: "Sources/Web/Assets")

  /// The assets as browsers receive them, keyed by name.
  private func bundles() -> [String: String] {
    let joined = AssetBundles.join(EmbeddedFiles.assets)
    return Dictionary(
      uniqueKeysWithValues: joined.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    )
  }

  @Test func `the program has every file of its pages`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let embedded = Dictionary(
      uniqueKeysWithValues: EmbeddedFiles.assets.map { ($0.name, $0.bytes) }
    )

    #expect(embedded.keys.sorted() == names.sorted())
    for name in names {
      let bytes = try Data(contentsOf: Self.folder.appending(path: name))
      #expect(embedded[name] == Array(bytes), "\(name)")
    }
  }

  @Test func `scripts and styles are small when they are compressed`() {
    let site = SiteAssets.embedded
    let names = site.names.filter { $0.hasSuffix(".js") || $0.hasSuffix(".css") }
    let sizes = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        site[name]?.gzipped.map { (name, $0.count) }
      }
    )
    let firstPage = ["app.css", "viewer.css", "core.js", "list.js", "worker.js"]
      .compactMap { sizes[$0] }
    let scripts = sizes.filter { $0.key.hasSuffix(".js") }.values

    #expect(sizes.count == names.count && firstPage.count == 5)
    // What the first page loads, then all scripts, and all files with the styles of an export.
    #expect(firstPage.reduce(0, +) <= 28 << 10)
    #expect(scripts.reduce(0, +) <= 36 << 10)
    #expect(sizes.values.reduce(0, +) <= 40 << 10, "\(sizes)")
  }

  /// Without an id, an app is named by its start (Web Application Manifest, section 1.7), which has the base path.
  @Test func `two galleries of one host are two apps, which have an icon for every launcher`()
    throws
  {
    let data = try Data(contentsOf: Self.folder.appending(path: "gallery.webmanifest"))
    let object = try JSONSerialization.jsonObject(with: data)
    let manifest = try #require(object as? [String: Any])
    let icons = try #require(manifest["icons"] as? [[String: String]])

    #expect(manifest["id"] == nil)
    // Relative to the folder of the assets.
    #expect(manifest["start_url"] as? String == "../../")
    #expect(manifest["scope"] as? String == "../../")
    #expect(icons.contains { $0["type"] == "image/png" && $0["purpose"] == "maskable" })
    for icon in icons { #expect(SiteAssets.embedded[icon["src"] ?? ""] != nil) }
  }

  private func folding() throws -> String {
    try String(contentsOf: Self.folder.appending(path: "folding.js"), encoding: .utf8)
  }

  /// The browser takes letters apart itself; the rest of its rules must be those of the program.
  @Test func `the browser folds the same letters as the program`() throws {
    let script = try folding()
    var bases: [Character: String] = [:]
    for (name, length) in [("lettersForOne", 1), ("lettersForTwo", 2)] {
      let line = try #require(script.firstMatch(of: try Regex("const \(name) = \"(.+)\";")))
      for group in try #require(line[1].substring).split(separator: " ") {
        for letter in group.dropFirst(length) { bases[letter] = String(group.prefix(length)) }
      }
    }
    for (letter, base) in bases { #expect(LetterFolding.fold(String(letter)) == base) }

    for scalar in (0xC0...0x24F).compactMap(Unicode.Scalar.init) {
      let parts = scalar.properties.lowercaseMapping.decomposedStringWithCompatibilityMapping
      let folded = LetterFolding.fold(String(Character(scalar)))
      guard let base = parts.unicodeScalars.first, base.value >= 0x80, base != "ß" else { continue }
      if folded.utf8.allSatisfy({ $0 < 0x80 }) {
        #expect(bases[Character(base)] == folded, "\(scalar)")
      }
    }
  }

  @Test func `the browser leaves out the same marks as the program`() throws {
    let (marks, unseen) = try (ranges(of: "marks"), ranges(of: "unseen"))
    #expect(marks.count > 15 && unseen.count > 5)
    for scalar in (0x80...0x2FFFF).compactMap(Unicode.Scalar.init) {
      // Some letters are made of marks only.
      let parts = String(Character(scalar)).decomposedStringWithCompatibilityMapping.unicodeScalars
      let isLeftOut = parts.allSatisfy { part in
        let isMark = [.nonspacingMark, .spacingMark, .enclosingMark]
          .contains(part.properties.generalCategory)
        return isMark && marks.contains { $0.contains(part.value) }
          || unseen.contains { $0.contains(part.value) }
      }
      // Between letters, because some marks join other letters.
      #expect((LetterFolding.fold("q\(scalar)q") == "qq") == isLeftOut, "\(scalar.value)")
    }
  }

  /// The ranges of an expression in folding.js.
  private func ranges(of name: String) throws -> [ClosedRange<UInt32>] {
    let line = try Regex("const \(name) = /.*\\[(.+)\\]/gu;")
    let list = try #require(try folding().firstMatch(of: line)?[1].substring)
    var ranges: [ClosedRange<UInt32>] = []
    var first: UInt32?
    for match in list.matches(of: #/\\u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/#) {
      let value = try #require(UInt32(match.1 ?? match.2 ?? "", radix: 16))
      if list[match.range.upperBound...].hasPrefix("-") {
        first = value
      } else {
        ranges.append((first ?? value)...value)
        first = nil
      }
    }
    return ranges
  }

  /// The build joins the lines of an asset one by one.
  @Test func `no text of a script or style goes over several lines`() {
    for file in EmbeddedFiles.assets where file.name.hasSuffix("js") || file.name.hasSuffix("css") {
      var isComment = false
      for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
        let text = line.drop { $0 == " " }
        if isComment || text.hasPrefix("/*") || text.hasPrefix("//") {
          isComment = !text.hasPrefix("//") && !text.contains("*/")
          continue
        }
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(file.name): \(line)")
        #expect(!line.hasSuffix("\\"), "\(file.name): \(line)")
        #expect(!line.contains("; //") && !line.contains("{ //"), "\(file.name): \(line)")
        #expect(!line.hasPrefix("import {") || line.hasSuffix("\";"), "\(file.name): \(line)")
        guard file.name.hasSuffix("css") else { continue }
        #expect(line.last.map("{};,".contains) == true, "\(file.name): \(line)")
        let texts = line.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, text) in texts.enumerated() where !index.isMultiple(of: 2) {
          #expect(!text.contains(": ") && !text.contains(";}"), "\(file.name): \(line)")
        }
      }
    }
  }

  @Test func `a bundle imports from other bundles alone, and each of them exports the name`() throws
  {
    let bundles = bundles()
    for (name, text) in bundles where name.hasSuffix(".js") {
      for match in text.matches(of: /(?m)^import (?:\{ (.+) \} from )?"\.\/(.+)";$/) {
        let other = try #require(bundles[String(match.2)], "\(name) imports \(match.2)")
        for export in match.1?.split(separator: ", ") ?? [] {
          let declaration = try Regex("(?m)^export (async )?(const|class|function) \(export)\\b")
          #expect(other.contains(declaration), "\(export) of \(match.2) for \(name)")
        }
      }
      for match in text.matches(of: /import\("\.\/(.+?)"\)/) {
        #expect(bundles[String(match.1)] != nil, "\(name) imports \(match.1)")
      }
    }
  }

  @Test func `the modules of a bundle have different names`() {
    let texts = Dictionary(
      uniqueKeysWithValues: EmbeddedFiles.assets.map {
        ($0.name, String(decoding: $0.bytes, as: UTF8.self))
      }
    )
    for bundle in AssetBundles.bundles where bundle.name.hasSuffix(".js") {
      let names = bundle.parts.flatMap { part in
        (texts[part] ?? "").matches(
          of: /(?m)^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)/
        ).map { String($0.1) }
      }
      #expect(names.count > 1)
      let repeated = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }
      #expect(repeated.isEmpty, "\(bundle.name): \(repeated.keys.sorted())")
    }
  }

  @Test func `spaces beside punctuation go, but not those of texts`() {
    let punctuation = "{}(),=>"

    #expect(
      AssetBundles.tight("const f = (a, b) => { g(\"a , b\") }", punctuation)
        == "const f=(a,b)=>{g(\"a , b\")}"
    )
    #expect(AssetBundles.tight("const t = `a , ${b}`;", punctuation) == "const t=`a , ${b}`;")
    #expect(AssetBundles.tight("f(/a , b/);", punctuation) == "f(/a , b/);")
    #expect(AssetBundles.tight("f(\"\\\" , \");", punctuation) == "f(\"\\\" , \");")
    #expect(
      AssetBundles.tight("a { b: \"c , d\" 1 / 2; }", "{};,", isStyle: true)
        == "a{b: \"c , d\" 1 / 2;}"
    )
  }

  @Test func `the workers know the assets of their version`() async throws {
    let bench = try await ServerBench(.init(basePath: "/gallery"), syncing: nil)

    let worker = try await bench.ask("/gallery/worker.js")

    #expect(worker.fields[.contentType] == "text/javascript; charset=utf-8")
    #expect(worker.fields[.cacheControl] == "no-cache")
    #expect(
      worker.text.hasPrefix("const assets=\"\(bench.server.assets.hash)\",names=[\"app.css\",")
    )
    #expect(!worker.text.contains("export ") && !worker.text.contains("import "))
  }

  @Test func `comments and indentation stay out of what browsers get`() {
    let lines = AssetBundles.lines(
      of: """
        /* One,
           two. */
        a { b: url(//c) }

          // Three.
          const text = "// four";
        """
    )

    #expect(lines == ["a { b: url(//c) }", "const text = \"// four\";"])
  }
}

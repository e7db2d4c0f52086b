import ArgumentParser
import Composition
import FoundationEssentials
import Models
import Scenes
import Settings
import Terminal
import Workers

/// The completions of a word for a shell: feeds and images of the library that the line names, and files.
///
/// A shell waits for them between two keys, so only a bounded part of the library is read, and the network is not used.
struct LibraryCompletion {
  /// The most images, or files, to offer.
  private static let mostOffered = 100

  /// A completion with its description.
  struct Offer: Equatable {
    var word: String
    var meaning = ""
    /// Whether it may hold characters that a shell reads as its own.
    var isText = false
  }

  /// The feeds that are followed, by id.
  static var feeds: CompletionKind { offering { await $0.feeds($1) } }

  /// The feeds that are followed, and documents on this disk.
  static var feedsAndFiles: CompletionKind { offering { await $0.feeds($1) + files($1) } }

  /// The newest images, or those whose ids begin with the typed digits.
  static var images: CompletionKind { offering { await $0.images($1) } }

  /// Words of titles that begin with the typed letters.
  static var words: CompletionKind { offering { await $0.words($1) } }

  /// The named tokens of the server.
  static var tokens: CompletionKind { offering { $0.tokens($1) } }

  private static func offering(
    _ offers: @escaping @Sendable (LibraryCompletion, _ prefix: String) async -> [Offer]
  ) -> CompletionKind {
    .custom { words, _, prefix async in
      text(of: await offers(LibraryCompletion(words), prefix), as: CompletionShell.requesting)
    }
  }

  private let library: any LibraryReading
  private let folder: String

  /// Takes the words of the line, including their quotes.
  private init(_ words: [String]) {
    let location = LibraryLocation(option: Self.library(words) ?? ConfigurationFile.library)
    library = CompositionRoot(.init(location)).library
    folder = location.path
  }

  /// The value of `--cache` in a line; bash makes the `=` in `--cache=X` a separate word.
  static func library(_ words: [String]) -> String? {
    guard let index = words.lastIndex(where: { $0 == "--cache" || $0.hasPrefix("--cache=") }) else {
      return nil
    }
    if words[index] != "--cache" { return unquoted(String(words[index].dropFirst(8))) }
    let values = words[(index + 1)...].drop { $0 == "=" }
    return values.first.map(unquoted)
  }

  private static func unquoted(_ word: String) -> String {
    var plain = ""
    var isEscaped = false
    var quote: Character?
    for character in word {
      if isEscaped || (quote == "'" && character != "'") {
        plain.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        plain.append(character)
      }
    }
    return plain
  }

  /// Offers nothing when the library cannot be read, because a message would disturb the line that is being typed.
  private func feeds(_ prefix: String) async -> [Offer] {
    let feeds = (try? await library.feeds()) ?? []
    let offers = feeds.map {
      Offer(word: String($0.id), meaning: $0.title ?? $0.address.masked)
    }
    // A title is for those who have begun to type one; an id is shorter.
    let typed = Self.unquoted(prefix)
    let titles = feeds.filter { !typed.isEmpty && Self.begins($0.title ?? "", with: typed) }
      .compactMap { feed in
        feed.title.map {
          Offer(word: HarmlessText.line($0), meaning: "feed \(feed.id)", isText: true)
        }
      }
    return offers.filter { $0.word.hasPrefix(prefix) } + titles
  }

  private func tokens(_ prefix: String) -> [Offer] {
    struct Token: Decodable { var name: String }
    let file = FileManager.default.contents(atPath: folder + "/tokens.json") ?? Data()
    let tokens = (try? JSONDecoder().decode([Token].self, from: file)) ?? []
    return tokens.map { Offer(word: HarmlessText.line($0.name)) }
      .filter { $0.word.hasPrefix(prefix) }
  }

  private static func begins(_ text: String, with prefix: String) -> Bool {
    text.lowercased().hasPrefix(prefix.lowercased())
  }

  /// The words of images that a search for the typed letters finds, most frequent first.
  private func words(_ prefix: String) async -> [Offer] {
    let query = ImageQuery(search: prefix, limit: 10 * Self.mostOffered)
    guard !prefix.isEmpty, let ids = try? await library.imageIDs(matching: query),
      let images = try? await library.images(ids: ids)
    else { return [] }
    var counts: [String: Int] = [:]
    for image in images {
      let title = HarmlessText.line(image.title ?? "").lowercased()
      let words = title.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
      for word in words where Self.begins(String(word), with: prefix) {
        counts[String(word), default: 0] += 1
      }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostOffered)
      .map { Offer(word: $0.key, meaning: Wording.count($0.value, "image")) }
  }

  private func images(_ prefix: String) async -> [Offer] {
    var ids: [Int64]
    if prefix.isEmpty {
      ids = (try? await library.imageIDs(matching: ImageQuery(limit: Self.mostOffered))) ?? []
    } else {
      let ends = [""] + (0...9).map(String.init) + (0...99).map { $0 < 10 ? "0\($0)" : "\($0)" }
      ids = ends.compactMap { Int64(prefix + $0) }
    }
    let images = (try? await library.images(ids: ids)) ?? []
    return images.map { Offer(word: String($0.id), meaning: $0.title ?? $0.feed.title ?? "") }
  }

  /// The files and folders that begin with the typed path; the names of folders end with a slash.
  private static func files(_ prefix: String) -> [Offer] {
    let folderEnd = prefix.lastIndex(of: "/").map(prefix.index(after:)) ?? prefix.startIndex
    let (folder, start) = (prefix[..<folderEnd], prefix[folderEnd...])
    let path = folder.isEmpty ? "." : String(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let offered = names.filter { name in
      name.hasPrefix(start) && (!name.hasPrefix(".") || start.hasPrefix("."))
        && HarmlessText.line(name) == name
    }
    return offered.sorted().prefix(mostOffered).map { name in
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      return Offer(word: folder + name + (isFolder ? "/" : ""))
    }
  }

  /// The text as a word of bash that begins like the text, which a text in quotes would not.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        !scalar.isASCII || scalar.properties.isAlphabetic
        || "0123456789-_./:=,@%+".unicodeScalars.contains(scalar)
      return isPlain ? String(scalar) : "\\\(scalar)"
    }.joined()
  }

  /// The lines for a shell's completion script.
  ///
  /// Descriptions are untrusted text. bash expands the whole line once more, so the line is quoted. bash shows a
  /// description only as part of the word, so a single completion is given without one.
  static func text(of offers: [Offer], as shell: CompletionShell?) -> [String] {
    offers.map { offer in
      let meaning = String(HarmlessText.line(offer.meaning).prefix(60))
      switch shell {
      case .zsh?:
        let word = offer.word.escaping("\\", as: "\\\\").escaping(":", as: "\\:")
        return meaning.isEmpty ? word : "\(word):\(meaning)"
      case .fish?: return meaning.isEmpty ? offer.word : "\(offer.word)\t\(meaning)"
      default:
        // bash shows only the last part of a text that looks like a path.
        let shown = meaning.escaping("/", as: "\u{2215}")
        let isAlone = offers.count == 1 || shown.isEmpty
        let word = offer.isText ? escaped(offer.word) : offer.word
        return ShellWord.quoted(isAlone ? word : "\(word)  \(shown)")
      }
    }
  }
}

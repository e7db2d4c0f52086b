import ArgumentParser
import Foundation
import Models
import SQLiteCache
import Terminal
import Workers

/// What a shell offers for a word: the feeds and images of the library that the line names, and files.
///
/// It is asked between two keys, so that it reads a bounded part of a library, and asks no network.
struct LibraryCompletion {
  /// How many images, or files, are offered at most.
  private static let mostOffered = 100

  /// Something that a word can become, and what it means.
  struct Offer: Equatable {
    var word: String
    var meaning = ""
  }

  /// The feeds that are followed, by id.
  static var feeds: CompletionKind {
    .custom { words, _, prefix in
      text(of: LibraryCompletion(words).feeds(prefix), as: CompletionShell.requesting)
    }
  }

  /// The feeds that are followed, and documents on this disk.
  static var feedsAndFiles: CompletionKind {
    .custom { words, _, prefix in
      text(
        of: LibraryCompletion(words).feeds(prefix) + files(prefix),
        as: CompletionShell.requesting
      )
    }
  }

  /// The newest images, or those whose ids begin as what was typed.
  static var images: CompletionKind {
    .custom { words, _, prefix in
      text(of: LibraryCompletion(words).images(prefix), as: CompletionShell.requesting)
    }
  }

  private let reader: SQLiteReader

  /// Takes the words of the line as the shell has them, still quoted.
  private init(_ words: [String]) {
    reader = SQLiteReader(folder: LibraryPlace.ofProgram(option: Self.library(words)).path)
  }

  /// What `--cache` gives in a line; bash makes words of their own of the sign in `--cache=X`.
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
    guard word == "~" || word.hasPrefix("~/") else { return plain }
    return (Program.environment(["HOME"])["HOME"] ?? "~") + plain.dropFirst()
  }

  /// A library that cannot be read has nothing to offer: a line that is being typed is no place to say why.
  private func feeds(_ prefix: String) -> [Offer] {
    let feeds = (try? reader.feeds()) ?? []
    return feeds.map { Offer(word: String($0.id), meaning: $0.title ?? $0.address.masked) }
      .filter { $0.word.hasPrefix(prefix) }
  }

  private func images(_ prefix: String) -> [Offer] {
    var images: [WebImage] = []
    if prefix.isEmpty {
      let query = ImageQuery(limit: Self.mostOffered)
      try? reader.readImages(matching: query, batchSize: Self.mostOffered) { batch in
        images += batch
        return false
      }
    } else {
      let ends = [""] + (0...9).map(String.init) + (0...99).map { $0 < 10 ? "0\($0)" : "\($0)" }
      let ids = ends.compactMap { Int64(prefix + $0) }
      images = ids.compactMap { id in (try? reader.image(id: id)) ?? nil }
    }
    return images.map { Offer(word: String($0.id), meaning: $0.title ?? $0.feed.title ?? "") }
  }

  /// The files and folders that begin as what was typed; folders with a slash.
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
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      return Offer(word: folder + name + (isFolder.boolValue ? "/" : ""))
    }
  }

  /// Offers in the form in which the script of a shell takes them.
  ///
  /// Meanings are strangers' words. What bash is given it expands once more, so that all of it is quoted;
  /// it can show a meaning only as part of the word, and so gets none where one word is left.
  static func text(of offers: [Offer], as shell: CompletionShell?) -> [String] {
    offers.map { offer in
      let meaning = String(HarmlessText.line(offer.meaning).prefix(60))
      switch shell {
      case .zsh?:
        let word = offer.word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        return meaning.isEmpty ? word : "\(word):\(meaning)"
      case .fish?: return meaning.isEmpty ? offer.word : "\(offer.word)\t\(meaning)"
      default:
        // Of what looks like a path, bash shows the last part alone.
        let shown = meaning.replacing("/", with: "\u{2215}")
        let isAlone = offers.count == 1 || shown.isEmpty
        return NextPage.quoted(isAlone ? offer.word : "\(offer.word)  \(shown)")
      }
    }
  }
}

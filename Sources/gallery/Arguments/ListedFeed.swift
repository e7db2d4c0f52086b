import ArgumentParser
import FoundationEssentials
import Models
import Scenes
import Workers

/// A feed in a file with feeds.
struct ListedFeed: Equatable {
  /// The argument of a command that names it.
  var text: String
  /// Whether it stands in a line that `gallery feeds` prints, so that a library follows it.
  var isFollowed = false
  /// Whether that library follows the own pictures of a web page.
  var isPage = false

  /// Refuses a folder that is not followed yet, and that `gallery feeds` has not printed.
  func refuseNewFolder(_ followed: [Feed]) throws {
    let argument = FeedArguments.feed(named: text)
    let isFolder =
      switch argument {
      case .address(let address): address.isFolder
      case .name(let name): name.isThere && name.file.isFolder
      default: false
      }
    guard isFolder, !isFollowed, argument.meant(of: followed).isEmpty else { return }
    let command = SuggestedCommand.quoted("sync \(ShellWord.quoted(text))")
    throw ValidationError(
      """
      '\(text)' is a folder, which a list from a pipe cannot name, because it may be a stranger's; \
      \(command) follows it, and so does a list in a file
      """
    )
  }
}

// MARK: The lines of `gallery feeds`

extension ListedFeed {
  /// A line of `gallery feeds --json`.
  private struct Record: Decodable {
    let id: Int64
    let url: String
    let format: String?

    /// Reads a line, which may be a part of an array; nil for other lines.
    init?(_ line: String) {
      guard line.hasPrefix("{") else { return nil }
      let text = line.trimmed
      let object = text.hasSuffix(",") ? String(text.dropLast()) : text
      guard let record = try? JSONDecoder().decode(Self.self, from: Data(object.utf8)) else {
        return nil
      }
      self = record
    }
  }

  /// Whether `gallery feeds --json` prints such a line.
  static func isRecord(_ line: String) -> Bool { Record(line) != nil }

  /// The feed in a line that `gallery feeds` prints through a pipe, or with `--json`; nil for other lines.
  ///
  /// The fields are id, title, address, format, …. It is empty for a document from a pipe, which cannot be asked for, and
  /// the id for a feed whose address is masked.
  ///
  /// - Throws: `ValidationError` for a masked address that no followed feed with its id has.
  static func row(_ line: String, _ followed: [Feed]) throws -> [ListedFeed]? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let record = Record(line)
    let text = record?.url ?? (fields.count > 2 ? fields[2] : "")
    guard let id = record?.id ?? Int64(fields[0]), let address = WebAddress(text),
      address.isWeb || address.isFile || address.isPiped
    else { return nil }
    if address.isMasked {
      if followed.contains(where: { $0.id == id && $0.address.masked == address.masked }) {
        return [ListedFeed(text: String(id))]
      }
      throw ValidationError(
        "the secrets of '\(address.masked)' are masked; write the address with them, or, for the same library, its id \(id)"
      )
    }
    if address.isPiped { return [] }
    let format = record == nil ? fields.dropFirst(3).first : record?.format
    let isPage = format == FeedFormat.html.rawValue
    return [ListedFeed(text: address.text, isFollowed: true, isPage: isPage)]
  }
}

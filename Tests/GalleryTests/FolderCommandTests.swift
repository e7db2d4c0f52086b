import Foundation
import TestSupport
import Testing

/// A folder of pictures as a feed, the real program.
struct FolderCommandTests {
  private let library: TestLibrary

  /// Four photographs, the newest `a.jpg`.
  init() throws {
    library = try TestLibrary()
    let made = try shell(
      """
      mkdir -p photos/trip
      set -- '\(Checkout.folder.path)/Scripts/demo-feed/originals/'*.jpg
      cp "$1" photos/a.jpg; cp "$2" photos/trip/b_1.jpg
      cp "$3" photos/trip/c.jpg; cp "$4" photos/d.jpg
      touch -d 2026-01-04T12:00Z photos/a.jpg; touch -d 2026-01-03T12:00Z photos/trip/b_1.jpg
      touch -d 2026-01-02T12:00Z photos/trip/c.jpg; touch -d 2026-01-01T12:00Z photos/d.jpg
      echo text >photos/notes.txt
      """
    )
    #expect(made.status == 0, "\(made)")
  }

  private func shell(_ line: String) throws -> Program.Result { try library.program.shell(line) }

  /// A line for each image, in the order of the ids: id, title and date.
  private static let list = "gallery list --format '{id} {title} {published}' | sort -n"

  @Test func `its pictures are images, with their names and dates`() throws {
    let result = try shell(
      """
      gallery sync photos
      \(Self.list)
      gallery feeds --json
      """
    )

    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    #expect(result.output.contains("updated 'photos': 4 images, 4 new; 4 thumbnails stored"))
    for line in ["1 a 2026-01-04", "2 b_1 2026-01-03", "3 c 2026-01-02", "4 d 2026-01-01"] {
      #expect(result.output.contains(line), "\(result)")
    }
    #expect(result.output.contains(#""format":"folder""#))
    #expect(result.output.contains("photos/\""))
  }

  @Test func `a list of the user's own brings its folders into another library`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      gallery feeds --opml >feeds.opml
      gallery --cache file sync feeds.opml
      gallery feeds --opml | gallery --cache pipe sync -
      for library in file pipe; do gallery --cache $library feeds | cut -f 2,4,5; done
      """
    )

    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    #expect(result.output.split(separator: "\n").count { $0 == "photos\tfolder\t4" } == 2)
  }

  @Test func `a folder with the title of another feed is followed by its path alone`() throws {
    let result = try shell(
      """
      echo '[]' >a.json; mkdir Moon link; cp photos/a.jpg Moon; ln -s "$PWD/photos" link/photos
      gallery sync a.json --metadata-only 2>log >log; gallery feeds set 1 --title Moon >log
      gallery sync Moon; echo $?
      gallery remove Moon >log; gallery sync a.json --metadata-only >log 2>log
      gallery feeds set 1 --title Moon >log; gallery feeds | wc -l
      gallery sync ./Moon >log; echo $?; gallery sync Moon >log; echo $?
      gallery feeds set 2 --title Mine >log
      gallery remove Moon; echo $?
      gallery list --feed Moon; echo $?
      gallery sync photos >log; cd link; gallery sync photos >log; echo $?
      gallery feeds | cut -f 1,2,4
      """
    )

    #expect(
      result.output
        == "64\n1\n0\n0\n64\n64\n0\n1\tMoon\tjson\n2\tMine\tfolder\n3\tphotos\tfolder\n",
      "\(result)"
    )
    let choice = "'gallery sync 1' syncs the feed, 'gallery sync ./Moon' the folder"
    let lines = result.errors.split(separator: "\n")
    try #require(lines.count == 3, "\(result)")
    let both = "'Moon' is the title of feed 1 and the path of"
    #expect(lines[0].hasSuffix("\(both) a folder — \(choice)"))
    for line in lines[1...] { #expect(line.contains("\(both) feed 2 — an id names one")) }
  }

  @Test func `a folder that is added to a followed list waits until a sync names the list`() throws
  {
    let result = try shell(
      """
      echo '[{"id":1,"url":"http://127.0.0.1:1/a.jpg"}]' >a.json
      list() { echo "<opml><head><title>L</title></head><body>$1</body></opml>" >feeds.opml; }
      json="<outline xmlUrl='file://$PWD/a.json'/>"
      list "$json"
      gallery sync feeds.opml --metadata-only >log
      list "$json<outline xmlUrl='file://$PWD/photos/'/>"
      gallery sync --metadata-only >log
      gallery feeds | wc -l
      gallery sync L --metadata-only >log
      gallery feeds | wc -l
      gallery sync --metadata-only >log
      """
    )

    #expect(result.status == 0, "\(result)")
    #expect(result.output == "2\n3\n", "\(result)")
    #expect(result.errors.contains("1 file or folder of this disk left out, which count only in"))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test func `originals stay where they are, and nothing is copied`() throws {
    let result = try shell(
      """
      find photos -type f -exec stat -c '%n %i %Y %a %h' {} + | sort >before
      gallery sync photos >log
      gallery show 1; gallery show 2
      gallery sync --originals photos >log
      gallery sync --keep 1K >log
      gallery verify >log && gallery clean >log
      gallery show 2
      find library/originals library/partial -type f 2>log | wc -l
      gallery remove photos --purge --yes >log 2>&1 || gallery remove photos --purge >log
      find photos -type f -exec stat -c '%n %i %Y %a %h' {} + | sort | cmp - before && echo same
      """
    )

    let paths = result.output.split(separator: "\n").map(String.init)
    #expect(paths.first?.hasSuffix("/photos/a.jpg") == true, "\(result)")
    #expect(paths.dropFirst().first?.hasSuffix("/photos/trip/b_1.jpg") == true)
    #expect(paths.dropFirst(2).first?.hasSuffix("/photos/trip/b_1.jpg") == true)
    #expect(paths.suffix(2) == ["0", "same"])
  }

  @Test func `an explanation names each file, and stores nothing`() throws {
    let result = try shell(
      """
      ln -s /etc/hostname photos/host.jpg; echo text >photos/fake.jpg; echo text >photos/.hidden.jpg
      gallery sync --explain photos
      gallery feeds --json | wc -l
      """
    )

    for line in [
      "'a': 1 image", "/photos/trip/c.jpg", "'notes.txt': no image",
      "file, its name is not that of a picture", "file, a link, which is not followed",
      "file, there is no picture in it", "file, hidden by its name",
    ] {
      #expect(result.output.contains(line), "\(line) \(result)")
    }
    #expect(result.output.hasSuffix("\n0\n"), "\(result)")
  }

  @Test func `a file that has not changed is not read again`() throws {
    // With its length, inode and time, it counts as the same file.
    let result = try shell(
      """
      gallery sync photos >log
      touch -r photos/a.jpg time
      head -c 5000 /dev/zero | dd of=photos/a.jpg bs=1 seek=9000 conv=notrunc status=none
      touch -r time photos/a.jpg
      gallery sync photos
      touch photos/a.jpg
      gallery sync photos
      """
    )

    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("unchanged 'photos': 4 images") == true, "\(result)")
    #expect(lines.last?.contains("1 changed") == true, "\(result)")
  }

  @Test func `a file with another name keeps its id, its pin and its thumbnail`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      gallery pin 2 >log
      mkdir photos/other && mv photos/trip/b_1.jpg photos/other/renamed.jpg
      gallery sync photos
      \(Self.list)
      gallery list --pinned --format '{id}'
      gallery show 2
      """
    )

    #expect(result.output.contains("4 images, 1 changed"), "\(result)")
    #expect(!result.output.contains("thumbnail"))
    #expect(result.output.contains("2 renamed 2026-01-03"))
    #expect(result.output.contains("\n2\n"))
    #expect(result.output.hasSuffix("/photos/other/renamed.jpg\n"))
  }

  @Test func `an edited file is the same image, and gets another thumbnail`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      cp photos/trip/c.jpg photos/a.jpg
      gallery show 1
      echo "status $?"
      gallery sync photos
      gallery show 1
      \(Self.list) | wc -l
      """
    )

    #expect(result.output.contains("status 4\n"), "\(result)")
    #expect(result.errors.contains("has changed since the last sync of its folder"))
    #expect(result.output.contains("1 changed; 1 thumbnail stored"), "\(result)")
    #expect(result.output.hasSuffix("/photos/a.jpg\n4\n"))
  }

  @Test func `a deleted file leaves its thumbnail, and comes back as the same image`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      mv photos/d.jpg kept.jpg
      gallery sync photos
      gallery list --json | grep '"id":4,'
      gallery show 4 --info
      gallery show 4 2>error
      echo "status $?"
      mv kept.jpg photos/back.jpg
      gallery sync photos
      gallery show 4
      """
    )

    #expect(result.output.contains("3 images, 1 gone"), "\(result)")
    #expect(result.output.contains(#""gone":true"#))
    #expect(result.output.contains("its file is not in the folder any more"))
    #expect(result.output.contains("status 4\n"))
    #expect(result.output.contains("4 images, 1 changed"))
    #expect(result.output.hasSuffix("/photos/back.jpg\n"))
  }

  @Test(arguments: [
    "mv photos away", "mv photos away; mkdir photos", "mv photos away; echo >photos",
  ])
  func `a folder that is missing or empty fails, and no image is gone`(change: String) throws {
    let result = try shell(
      """
      gallery sync photos >log
      \(change)
      gallery sync
      echo "status $?"
      gallery list --json | grep -c '"gone":false'
      rm -rf photos; mv away photos
      gallery sync photos
      """
    )

    #expect(result.errors.contains("cannot sync 'file:///"), "\(result)")
    #expect(result.output.contains("status 1\n4\n"))
    #expect(result.output.hasSuffix("'photos': 4 images\n"), "\(result)")
  }

  @Test func `a folder with another name goes on with its ids, pins and thumbnails`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      gallery pin 2 >log
      mkdir disk && mv photos disk/scans
      gallery sync disk/scans --take-over photos --dry-run 2>&1; echo "status $?"
      gallery sync disk/scans --take-over photos
      \(Self.list)
      gallery list --pinned --format '{id}'
      gallery show 2
      gallery feeds --json | grep -c '/disk/scans/"'
      mkdir photos && cp disk/scans/d.jpg photos/
      gallery sync photos
      gallery sync
      """
    )

    #expect(result.output.contains("a dry run changes nothing"), "\(result)")
    #expect(result.output.contains("status 64\nupdated 'scans': 4 images, 4 changed"), "\(result)")
    for line in ["1 a 2026-01-04", "2 b_1 2026-01-03", "3 c 2026-01-02", "4 d 2026-01-01"] {
      #expect(result.output.contains(line), "\(result)")
    }
    #expect(result.output.contains("\n2\n"))
    #expect(result.output.contains("/disk/scans/trip/b_1.jpg\n1\n"), "\(result)")
    #expect(result.output.contains("updated 'photos': 1 image, 1 new"), "\(result)")
    #expect(result.output.contains("unchanged 'scans': 4 images"))
  }

  @Test
  func `a folder that is followed already is not taken over, and the message says what does it`()
    throws
  {
    let result = try shell(
      """
      exec 2>&1
      gallery sync photos >log
      mv photos scans
      gallery sync scans >log
      gallery --cache library sync scans --take-over photos
      gallery sync scans --take-over photos; echo "status $?"
      gallery remove 2 --purge >log
      gallery sync scans --take-over photos
      gallery list --format '{id}' | sort -n | tr '\\n' ' '
      gallery sync https://127.0.0.1:9/x --take-over scans; echo "status $?"
      """
    )

    let refusal = "/scans/' is followed already, as feed 2 — after 'gallery remove 2 --purge'"
    #expect(result.output.contains(refusal), "\(result)")
    let named = "as feed 2 — after 'gallery --cache library remove 2 --purge'"
    #expect(result.output.contains(named), "\(result)")
    #expect(result.output.contains("status 64\nupdated 'scans': 4 images, 4 changed"), "\(result)")
    #expect(result.output.contains("1 2 3 4 cannot take over 'file:///"), "\(result)")
    #expect(result.output.hasSuffix("status 64\n"))
  }

  @Test func `an unrelated or missing folder takes nothing over until the user accepts it`() throws
  {
    let result = try shell(
      """
      exec 2>&1
      gallery sync photos >log
      gallery feeds --json >before
      mkdir other empty
      set -- '\(Checkout.folder.path)/Scripts/demo-feed/originals/'*.jpg
      cp "$5" other/x.jpg
      gallery sync other --take-over photos; echo "status $?"
      gallery sync empty --take-over photos >log 2>&1; echo "status $?"
      gallery sync https://127.0.0.1:9/ --take-over photos >log 2>&1; echo "status $?"
      gallery feeds --json | cmp - before && echo same
      gallery sync photos
      gallery sync other --take-over photos --accept-removals
      gallery feeds --json | grep -c '/other/"'
      """
    )

    let output = result.output
    #expect(output.contains("none of the 4 pictures of 'file:///"), "\(result)")
    #expect(output.contains("/photos/' is in it — nothing was stored; 'gallery sync file:///"))
    #expect(output.contains("/photos/ --accept-removals' does it all the same\nstatus 1\n"))
    let rest = "status 1\nstatus 1\nstatus 64\nsame\nunchanged 'photos': 4 images\n"
    #expect(output.contains(rest), "\(result)")
    #expect(output.contains("updated 'other': 1 image, 1 new, 4 gone"), "\(result)")
    #expect(output.hasSuffix("\n1\n"), "\(result)")
  }

  @Test func `a folder with less than a half of the pictures takes nothing over, and says so`()
    throws
  {
    let result = try shell(
      """
      exec 2>&1
      gallery sync photos >log
      mkdir few half
      cp photos/a.jpg few; cp photos/a.jpg photos/d.jpg half
      gallery sync few --take-over photos; echo "status $?"
      gallery sync half --take-over photos; echo "status $?"
      """
    )

    let output = result.output
    #expect(output.contains("only 1 of the 4 pictures of 'file:///"), "\(result)")
    #expect(output.contains("/photos/' is in it — nothing was stored; 'gallery sync file:///"))
    #expect(output.contains("/photos/ --accept-removals' does it all the same\nstatus 1\n"))
    let rest = "updated 'half': 2 images, 2 changed, 2 gone\nstatus 0\n"
    #expect(output.hasSuffix(rest), "\(result)")
  }

  @Test func `a sync of a folder that has moved says how to go on, however it is named`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      mv photos pictures
      for feed in '' 1 photos "$PWD/photos/"; do gallery sync $feed; done
      gallery sync elsewhere
      """
    )

    let hint = "if it has another name now, 'gallery sync NEW --take-over file:///"
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.prefix(4).allSatisfy { $0.contains(hint) }, "\(result)")
    #expect(lines.last?.contains("take-over") == false)
  }

  @Test func `a folder is one feed, whatever path names it`() throws {
    let result = try shell(
      """
      mkdir x && ln -s photos link
      gallery sync x/..//photos/. >log
      for path in photos ./photos/ photos// x/../photos link "$PWD/link/"; do
        gallery sync "$path"
      done
      gallery feeds --json | grep -c '/photos/"'
      gallery feeds --json | grep -c '/[.][.]/'
      """
    )

    let unchanged = String(repeating: "unchanged 'photos': 4 images\n", count: 6)
    #expect(result.output == unchanged + "1\n0\n", "\(result)")
  }

  @Test(arguments: ["mv photos away", "mv photos away; mkdir photos"])
  func `lists show no stored original while the folder is away`(change: String) throws {
    let result = try shell(
      """
      gallery sync photos >log
      \(change)
      gallery list | grep -c original
      gallery list --json | grep -c '"originalStored":false'
      rm -rf photos; mv away photos
      gallery list | grep -c original
      """
    )

    #expect(result.output == "0\n4\n4\n", "\(result)")
  }

  @Test(arguments: [
    ("photos/trip", "photos", "is in 'file:", true),
    ("photos", "photos/trip", "contains 'file:", false),
  ])
  func `a folder in a followed one has its pictures twice, and the first sync says so`(
    new: String,
    known: String,
    words: String,
    isInside: Bool
  ) throws {
    let result = try shell(
      """
      gallery sync '\(known)' >log
      gallery sync '\(new)' --json 2>error | grep '"event"' | grep -o '"with".*'
      cat error
      gallery sync '\(new)' --json 2>&1 | grep -c 'overlap\\|both feeds'
      cp -r photos photos2; gallery sync photos2 --json 2>&1 | grep -c 'overlap\\|both feeds'
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(result)")
    #expect(lines[0].hasPrefix(#""with":{"id":1,"url":"file:///"#))
    #expect(lines[0].hasSuffix(#""inside":\#(isInside)}"#), "\(result)")
    #expect(lines[1].contains(words), "\(result)")
    #expect(
      lines[1].hasSuffix(
        """
        the pictures that are in both are images of both feeds — 'gallery remove 2' stops following the new one, \
        'gallery remove 1' the other
        """
      )
    )
    #expect(lines[2...] == ["0", "0"], "\(result)")
  }

  @Test func `an export has the folders below the followed one`() throws {
    let result = try shell(
      """
      mkdir 'photos/trip/day 1'; cp photos/a.jpg 'photos/trip/day 1/e.jpg'
      gallery sync photos >log
      gallery export out --template '{feed}/{folder}/{name}.{ext}' --metadata none >log
      find out -name '*.jpg' | sort
      gallery export all --template '{folder} {name}' --metadata none --dry-run | sort | head -n 1
      gallery export all --template 'a/{folder}'; echo $?
      """
    )

    let names = ["a", "d", "trip/b_1", "trip/c", "trip/day 1/e"]
    let lines = names.map { "out/photos/\($0).jpg\n" }.joined()
    #expect(result.output == "\(lines)trip b_1\n64\n", "\(result)")
  }

  @Test(arguments: [
    ("export photos", 1, "of feed 1"), ("export ./photos/ --follow", 1, "of feed 1"),
    ("export link", 1, "its pictures are those of feed 1"),
    ("move photos", 1, "has other files, such as"), ("move --to photos", 1, "name an empty folder"),
    ("recover photos", 1, "has other files, such as"),
    ("move other --to photos", 64, "are two places"),
  ])
  func `no command puts something else into a folder of pictures`(
    command: String,
    status: Int32,
    words: String
  ) throws {
    let result = try shell(
      """
      ln -s photos link; gallery sync photos >log; find photos | sort >before
      gallery \(command); echo $?
      find photos | sort | cmp - before; gallery sync photos
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "\(status)", "\(result)")
    #expect(lines.last?.hasPrefix("unchanged 'photos'") == true, "\(result)")
    #expect(result.errors.contains(words), "\(result)")
  }

  @Test func `a backup says that it has no pictures of folders`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      gallery backup saved
      gallery backup saved --json | grep -o '"folders".*'
      """
    )

    let text = "; 4 pictures of a folder stay there, not in the backup: '\(library.folder)/photos/'"
    #expect(result.output.contains(text + "\n"), "\(result)")
    let folders = #""folders":[{"path":"\#(library.folder)/photos/","pictures":4}]}"#
    #expect(result.output.hasSuffix(folders + "\n"), "\(result)")
  }

  @Test func `a verification says that it does not read the pictures of folders`() throws {
    let result = try shell("gallery sync photos >log; gallery verify")

    let text = "0 originals: all is as it was stored; 4 pictures of folders were not read\n"
    #expect(result.output.hasSuffix(text), "\(result)")
  }

  @Test func `a new folder without pictures is not followed`() throws {
    let result = try shell("mkdir empty; gallery sync empty; gallery feeds")

    #expect(result.errors.contains("there is no picture in this folder"), "\(result)")
    #expect(!result.output.contains("empty/"))
  }

  @Test func `a file that is not a picture is named, and the rest is read`() throws {
    let result = try shell("echo text >photos/fake.jpg; gallery sync photos --verbose")

    #expect(result.output.contains("4 images, 4 new"), "\(result)")
    #expect(result.errors.contains("fake.jpg"), "\(result)")
  }

  @Test func `the first sync, and each that names the folder, says what it leaves out`() throws {
    let result = try shell(
      """
      ln -s a.jpg photos/link.jpg; : >photos/empty.jpg; cp photos/a.jpg photos/a.CR2
      gallery sync photos
      gallery sync 2>others
      gallery sync 1 2>named
      wc -l <others; cat named
      """
    )

    let words = "has 1 raw file, 1 link and 1 file without a picture in it, which are left out — "
    #expect(result.status == 0, "\(result)")
    #expect(result.errors.contains(words), "\(result)")
    #expect(result.errors.contains("sync --explain file://"), "\(result)")
    #expect(result.output.contains("\n0\n"), "\(result)")
    #expect(result.output.contains(words), "\(result)")
  }

  @Test func `links do not lead out of the folder`() throws {
    let result = try shell(
      """
      mkdir secret && cp photos/a.jpg secret/s.jpg
      ln -s ../secret photos/secret; ln -s ../secret/s.jpg photos/s.jpg
      gallery sync photos --verbose
      """
    )

    #expect(result.output.contains("4 images, 4 new"), "\(result)")
    #expect(result.errors.contains("2 links that lead out of it"), "\(result)")
  }

  @Test func `two files with the same content are two images`() throws {
    let result = try shell(
      """
      cp -p photos/a.jpg photos/copy.jpg
      gallery sync photos
      rm photos/a.jpg
      gallery sync photos
      mv photos/copy.jpg photos/copied.jpg
      gallery sync photos
      gallery list --json | grep -c '"gone":false'
      """
    )

    #expect(result.output.contains("5 images, 5 new"), "\(result)")
    #expect(result.output.contains("4 images, 1 gone"))
    #expect(result.output.contains("4 images, 1 changed"))
    #expect(result.output.hasSuffix("\n4\n"))
  }

  @Test func `an export has copies of its own, and none of a file that has changed`() throws {
    let result = try shell(
      """
      gallery sync photos >log
      head -c 5000 /dev/zero | dd of=photos/d.jpg bs=1 seek=9000 conv=notrunc status=none
      gallery export out --template '{title}.{ext}' >log 2>error
      for name in a b_1 c; do
        cmp out/$name.jpg photos/$name.jpg 2>log || cmp out/$name.jpg photos/trip/$name.jpg
      done
      stat -c '%h' out/a.jpg photos/a.jpg
      ls out
      gallery export --static site >log 2>error
      ls site/o | wc -l
      """
    )

    #expect(result.output == "1\n1\na.jpg\nb_1.jpg\nc.jpg\n3\n", "\(result)")
  }

  @Test(arguments: ["photos", "photos/", "./photos/.", "$PWD/photos", "file://$PWD/photos"])
  func `the folder is one feed, however it is named`(name: String) throws {
    let result = try shell(
      """
      gallery sync photos >log
      gallery sync "\(name)"
      gallery feeds --json | wc -l
      rm -r photos
      gallery remove "\(name)"
      gallery feeds --json | wc -l
      """
    )

    #expect(result.output.contains("unchanged 'photos'"), "\(result)")
    #expect(result.output.contains("\n1\n"))
    #expect(result.output.hasSuffix("\n0\n"), "\(result)")
  }

  @Test func `a library in PostgreSQL knows the files, too`() throws {
    let server = try PostgresServer.shared.get()
    let schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    let result = try shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      G="gallery --cache \(server.address(schema: schema))"
      $G sync photos
      $G sync photos
      mv photos/trip/b_1.jpg photos/renamed.jpg
      rm photos/d.jpg
      $G sync photos
      $G show 2
      $G show 4 2>error
      echo "status $?"
      find data -path '*originals*' -type f | wc -l
      """
    )

    #expect(result.output.contains("4 images, 4 new; 4 thumbnails stored"), "\(result)")
    #expect(result.output.contains("unchanged 'photos'"))
    #expect(result.output.contains("3 images, 1 changed, 1 gone"))
    #expect(result.output.contains("/photos/renamed.jpg\nstatus 4\n0\n"), "\(result)")
  }
}

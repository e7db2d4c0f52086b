import Foundation
import TestSupport
import Testing

/// `gallery backup` and `gallery restore`, with folders and PostgreSQL.
struct BackupCommandTests {
  private let site: PhotoSite
  private let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    try library.program.run("sync", site.feed, "--originals")
    try library.program.run("pin", "2")
  }

  /// The address of a new schema of PostgreSQL.
  private func database() throws -> String {
    let server = try PostgresServer.shared.get()
    let schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    return server.address(schema: schema)
  }

  @Test func `a backup says the same as the library, which comes back from it`() throws {
    let result = try library.program.shell(
      """
      gallery export --static site --quiet; gallery token add reader >token
      mkdir -p .config/gallery; echo 'pictures = "never"' >.config/gallery/config.toml
      gallery backup saved
      gallery backup saved
      said() {
        gallery --cache "$1" list --json | sed 's/"file":"[^"]*"/FILE/'
        gallery --cache "$1" show 2 --output copy.jpg --force >/dev/null && sha256sum copy.jpg
      }
      said library >before; said saved | cmp - before
      gallery --cache saved verify
      stat -c '%a %h' saved/library.key saved/tokens.json saved/config.toml saved/originals/*/* | sort | uniq -c
      mv library lost; rm .config/gallery/config.toml
      gallery restore saved
      said library | cmp - before
      cmp lost/library.key library/library.key && cmp lost/tokens.json library/tokens.json
      cat .config/gallery/config.toml
      gallery sync | cut -d ';' -f 1
      gallery backup saved --quiet; echo $?
      """
    )

    let counts = "3 images, 3 thumbnails, 3 originals"
    let verified = "verified 3 thumbnails and 3 originals: all is as it was stored"
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(result)")
    #expect(lines[0].hasPrefix("backed up to '\(library.folder)/saved': \(counts) ("), "\(result)")
    #expect(lines[1] == "'\(library.folder)/saved' has all that this library has: \(counts)")
    #expect(lines[2] == verified && lines[5] == verified, "\(result)")
    #expect(lines[3].hasSuffix("6 600 1"), "\(result)")
    #expect(lines[4].hasPrefix("restored to '\(library.path)': \(counts) ("), "\(result)")
    #expect(
      lines[6...] == ["pictures = \"never\"", "unchanged 'Night sky': 3 images", "0"],
      "\(result)"
    )
  }

  @Test func `goes to a database and comes back from there`() throws {
    let database = try database()
    let result = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      gallery backup '\(database)' --json
      gallery --cache '\(database)' sync 2>&1; echo "status $?"
      gallery --cache '\(database)' list | wc -l
      gallery pin 3 >/dev/null
      gallery backup '\(database)' --json
      gallery --cache other restore '\(database)' --json
      gallery --cache other list --json | grep -c '"pinned":true'
      """
    )

    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 8, "\(result)")
    #expect(lines[0].hasPrefix(#"{"event":"backedUp","to":"postgresql://gallery@"#), "\(result)")
    #expect(lines[0].contains(#""images":3,"thumbnails":3,"originals":3,"#), "\(result)")
    #expect(lines[1].hasPrefix("cannot sync the library: 'postgresql://gallery@"), "\(result)")
    #expect(lines[1].hasSuffix("— 'gallery restore' makes a library from it"), "\(result)")
    #expect(lines[2] == "status 1" && lines[3] == "3", "\(result)")
    #expect(lines[4].contains(#""copiedBytes":0,"#), "\(result)")
    #expect(!lines[4].contains(#""changedRows":0,"#), "\(result)")
    let restored = #"{"event":"restored","to":"\#(library.folder)/other","#
    #expect(lines[5].hasPrefix(restored), "\(result)")
    #expect(lines[6].contains(#""damaged":0,"missing":0"#) && lines[7] == "2", "\(result)")
  }

  @Test func `a database is backed up to a folder`() throws {
    let database = try database()
    let result = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      gallery move --to '\(database)' --quiet
      gallery --cache '\(database)' backup saved --quiet
      gallery --cache '\(database)' pin 1 --quiet
      gallery --cache '\(database)' backup saved --json | grep -c '"changedRows":[1-9]'
      gallery --cache saved verify
      """
    )

    let verified = "verified 3 thumbnails and 3 originals: all is as it was stored\n"
    #expect(result.output == "1\n" + verified, "\(result)")
  }

  @Test(arguments: [
    "sync", "sync --watch", "pin 1", "remove 1", "feeds set 1 --title Mine", "serve --sync off",
    "move --to other", "backup other", "export out --follow",
  ])
  func `a command that would change a backup, or make it the gallery, is refused`(
    command: String
  ) throws {
    let result = try library.program.shell(
      """
      gallery backup saved --quiet
      gallery --cache saved list --json >before
      gallery --cache saved \(command)
      echo "status $?"
      gallery --cache saved list --json | cmp - before && gallery backup saved
      """
    )

    let end = "' has all that this library has: 3 images, 3 thumbnails, 3 originals\n"
    #expect(result.output.hasPrefix("status 1\n") && result.output.hasSuffix(end), "\(result)")
    let refusal = """
      '\(library.folder)/saved' is a backup, which only 'gallery backup' writes to — \
      'gallery restore' makes a library from it
      """
    #expect(result.errors.contains(refusal), "\(result)")
  }

  @Test func `keeps the originals that the library gives up, until it is cleaned`() throws {
    let result = try library.program.shell(
      """
      gallery backup saved --quiet
      gallery --cache saved show 1 --keep 0 --offline >/dev/null
      gallery sync --keep 0 --quiet
      gallery backup saved --quiet
      find library/originals saved/originals -type f | wc -l
      gallery --cache saved clean --now --quiet
      find saved/originals -type f | wc -l
      gallery backup saved
      """
    )

    // The original of the pinned image stays.
    let counts = "3 images, 3 thumbnails, 1 original"
    let end = "1\n'\(library.folder)/saved' has all that this library has: \(counts)\n"
    #expect(result.output == "4\n" + end, "\(result)")
  }

  @Test(arguments: ["", " --purge"])
  func `an emptied library does not empty its backup`(purging: String) throws {
    let result = try library.program.shell(
      """
      gallery backup saved --quiet
      said() {
        gallery --cache saved list --json
        find saved/originals saved/thumbnails -type f | sort | xargs sha256sum
      }
      said >before
      gallery unpin 2 --quiet; gallery remove 1\(purging) --quiet; gallery clean --now --quiet
      gallery backup saved; echo "status $?"
      gallery backup saved --verify >log 2>&1; echo "status $?"
      said | cmp - before && echo same
      gallery backup saved --accept-removals; gallery --cache saved list; echo "status $?"
      gallery backup saved
      """
    )

    let counts = "0 images, 0 thumbnails, 0 originals"
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 6, "\(result)")
    #expect(lines.starts(with: ["status 1", "status 1", "same"]), "\(result)")
    #expect(
      lines.dropFirst(3) == [
        "backed up to '\(library.folder)/saved': \(counts); "
          + "removed 3 images and 3 originals that this library no longer has",
        "status 0", "'\(library.folder)/saved' has all that this library has: \(counts)",
      ],
      "\(result)"
    )
    let refusal =
      "cannot back up the library: 3 of the 3 images that '\(library.folder)/saved' has would go, "
      + "because the library no longer has them — nothing was written; 'gallery --cache FOLDER restore "
      + "\(library.folder)/saved' makes a library from it in a new folder, and --accept-removals removes them "
      + "there, too"
    #expect(result.errors.contains(refusal), "\(result)")
    let empty =
      "no image is stored yet — this is a backup, which 'gallery backup saved' brings up to date"
    #expect(result.errors.contains(empty), "\(result)")
  }

  @Test func `a backup of another library, and a folder that is no backup, are refused`() throws {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery --cache other sync \(site.feed) --quiet
      gallery --cache other backup saved --quiet
      gallery move --to copy --quiet
      gallery backup saved; gallery backup copy; gallery backup library; gallery backup library/inside
      gallery restore saved; gallery --cache new restore copy; gallery --cache new restore none
      gallery backup
      test ! -e new || ls new
      """
    )

    let folder = library.folder
    let messages = [
      "cannot back up the library: '\(folder)/saved' is another library, with 1 feed — it was not changed; choose another place",
      "cannot back up the library: '\(folder)/copy' is a library, or a copy of one, and not a backup — it was not changed; choose another place",
      "Error: the library is at '\(library.path)' already",
      "Error: '\(library.path)/inside' overlaps the library's own folder; name another",
      "cannot restore the library: '\(library.path)' is another library, with 1 feed — it was not changed; choose another place",
      "cannot restore the library: '\(folder)/copy' is a library, or a copy of one, and not a backup — 'gallery move' copies it",
      "cannot restore the library: there is no library at '\(folder)/none' yet",
      "Error: name the place of the backup, or set it: to = \"/mnt/usb/gallery\" in the section [backup] of the settings",
    ]
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.contains("cannot") || $0.contains("Error") } == messages, "\(result)")
    #expect(!lines.contains("gallery.sqlite"), "\(result)")
  }

  @Test func `a damaged backup is named by verify, and is whole after a verified backup`() throws {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery backup saved --quiet
      damage() { printf x | dd of="$1" bs=1 seek=40 conv=notrunc status=none; }
      original=$(find saved/originals -type f | sort | head -n 1)
      damage "$original"; damage saved/thumbnails/1.pack
      gallery --cache saved verify | tail -n 1
      gallery --cache saved verify --repair; echo "status $?"
      gallery backup saved | cut -d : -f 1
      gallery backup saved --verify | sed 's/.*originals//'
      gallery --cache saved verify
      gallery backup saved --verify
      """
    )

    let folder = library.folder
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 7, "\(result)")
    let hint =
      "'gallery backup --verify \(folder)/saved' copies what is damaged again, from its library"
    #expect(lines[0] == "verified 3 thumbnails and 3 originals: 2 damaged — \(hint)")
    #expect(lines[1].hasPrefix("cannot verify the library: '\(folder)/saved' is a backup"))
    #expect(lines[1].hasSuffix("— without --repair it is verified, and \(hint)"), "\(result)")
    #expect(lines[2] == "status 1")
    #expect(lines[3] == "'\(folder)/saved' has all that this library has")
    #expect(lines[4].hasSuffix("2 copied again, because the backup's were damaged or lost"))
    #expect(lines[5].hasSuffix("all is as it was stored"), "\(result)")
    #expect(lines[6].contains("has all that this library has, as it was stored: 3 images"))
  }

  @Test func `a backup whose database is damaged begins again, with the originals that it has`()
    throws
  {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery backup saved --quiet
      head -c 20000 /dev/urandom >noise
      dd if=noise of=saved/gallery.sqlite bs=4096 seek=1 conv=notrunc status=none
      rm -f saved/gallery.sqlite-wal
      gallery backup saved --verify | tail -n 1
      cp -r saved other; gallery backup other --new; rm -r other
      gallery backup saved --new --verify
      gallery --cache saved verify; ls saved | grep -c former
      gallery backup saved --new | cut -d : -f 1; ls saved | grep -c former
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 7, "\(result)")
    #expect(lines[1].hasSuffix("does not know whether the backup is its own; choose another place"))
    #expect(
      lines[0].hasPrefix("cannot update the backup: '\(library.folder)/saved/"),
      "\(result)"
    )
    #expect(
      lines[0].hasSuffix(
        "the library stays as it is, and --new begins another backup there"
      ),
      "\(result)"
    )
    // No original is copied again.
    let counts = "3 images, 3 thumbnails, 3 originals"
    #expect(lines[2] == "backed up to '\(library.folder)/saved': \(counts)")
    #expect(lines[3].hasSuffix("all is as it was stored"), "\(result)")
    #expect(lines[4] == "1")
    #expect(lines[5] == "'\(library.folder)/saved' has all that this library has")
    #expect(lines[6] == "1")
  }

  @Test func `a library whose database is damaged is restored from its whole backup`() throws {
    let result = try library.program.shell(
      """
      exec 2>&1
      gallery backup saved --quiet
      head -c 20000 /dev/urandom >noise
      dd if=noise of=library/gallery.sqlite bs=4096 seek=1 conv=notrunc status=none
      rm -f library/gallery.sqlite-wal
      for option in "" --verify --new; do gallery backup saved $option; echo "status $?"; done
      ls saved | grep -c former
      dd if=noise of=saved/gallery.sqlite bs=4096 seek=1 conv=notrunc status=none
      rm -f saved/gallery.sqlite-wal
      gallery backup saved --new; ls saved | grep -c former
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(result)")
    let start = "cannot back up the library: '\(library.path)/gallery.sqlite' is damaged"
    let whole = """
      the database of the backup is sound, and 'gallery --cache FOLDER restore \(library.folder)/saved' makes a library from it in \
      a new folder
      """
    for index in [0, 2, 4] {
      #expect(lines[index].hasPrefix(start) && lines[index].hasSuffix(whole), "\(result)")
      #expect(lines[index + 1] == "status 1")
    }
    #expect(lines[6] == "0")
    #expect(lines[7].hasPrefix(start), "\(result)")
    #expect(
      lines[7].hasSuffix(" recover NEW' makes a new library of all that can be read")
    )
    #expect(lines[8] == "0")
  }

  @Test func `a damaged original of the library is told, and leaves the one of the backup`() throws
  {
    let result = try library.program.shell(
      """
      gallery backup saved --quiet
      original=$(cd library && find originals -type f | sort | head -n 1)
      cp "saved/$original" whole
      printf x | dd of="library/$original" bs=1 seek=40 conv=notrunc status=none
      gallery backup saved --verify --quiet; echo "status $?"
      cmp whole "saved/$original" && rm "saved/$original"
      gallery backup saved 2>&1 | head -n 1; ls "saved/$original" 2>/dev/null
      cp whole "library/$original"; rm -r saved/thumbnails
      gallery backup saved | sed 's/.*; //; s/.*copied), //'
      cmp whole "saved/$original"; gallery --cache saved verify
      """
    )

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(result)")
    #expect(lines[0] == "status 0")
    #expect(
      lines[1].hasPrefix("* original ") && lines[1].contains("it is damaged, and so not copied")
    )
    #expect(lines[2] == "3 copied again, because the backup's were damaged or lost", "\(result)")
    #expect(lines[3].hasSuffix("all is as it was stored"), "\(result)")
  }

  @Test func `a backup that is gone from its folder is missed, until another begins there`() throws
  {
    let result = try library.program.shell(
      """
      exec 2>&1
      mkdir disk; gallery backup disk/saved --quiet; mv disk away; mkdir disk
      gallery backup disk/saved; echo "status $?"; ls disk
      mkdir disk/saved; gallery backup disk/saved --quiet >/dev/null 2>&1; echo "status $?"; ls disk/saved
      gallery backup other --quiet; echo "status $?"
      gallery backup disk/saved --new | cut -d : -f 1
      rm -r disk; mv away disk
      gallery backup disk/saved | cut -d : -f 1
      """
    )

    let folder = library.folder
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 6, "\(result)")
    let start =
      "cannot back up the library: a backup of this library was made at '\(folder)/disk/saved' on "
    #expect(lines[0].hasPrefix(start))
    #expect(
      lines[0].hasSuffix(
        "is its disk mounted? — nothing was written; --new begins another backup there"
      )
    )
    #expect(lines[1...3] == ["status 1", "status 1", "status 0"], "\(result)")
    #expect(lines[4] == "backed up to '\(folder)/disk/saved'")
    #expect(lines[5] == "'\(folder)/disk/saved' has all that this library has")
  }

  @Test func `a first copy does not write through a link that is prepared in its place`() throws {
    let result = try library.program.shell(
      """
      exec 2>&1
      mkdir elsewhere saved moved back
      for place in saved moved back; do ln -s ../elsewhere $place/originals; done
      gallery backup good --quiet
      gallery backup saved; echo "status $?"
      gallery move --to moved; echo "status $?"
      gallery --cache back restore good; echo "status $?"
      ls elsewhere saved moved back | tr '\\n' ' '; echo
      rm good/thumbnails/* ; mv good/originals kept; ln -s ../kept good/originals
      gallery backup good | cut -d : -f 1
      """
    )

    let folder = library.folder
    let rest = "nothing was written; remove the link, or choose another place"
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 8, "\(result)")
    for (index, (verb, place)) in [
      ("back up", "saved"), ("copy", "moved"), ("restore", "back"),
    ].enumerated() {
      let link = "'\(folder)/\(place)/originals' is a link to '\(folder)/elsewhere'"
      #expect(lines[2 * index] == "cannot \(verb) the library: \(link) — \(rest)", "\(result)")
      #expect(lines[2 * index + 1] == "status 1", "\(result)")
    }
    #expect(
      lines[6] == "back: originals  elsewhere:  moved: originals  saved: originals ",
      "\(result)"
    )
    // The owner of a backup may link its originals.
    #expect(lines[7] == "backed up to '\(folder)/good'", "\(result)")
  }

  @Test func `a failure has its exit status for scripts, too`() throws {
    let result = try library.program.shell(
      """
      gallery --cache other sync \(site.feed) --quiet
      gallery --cache other backup saved --quiet
      for command in "backup saved" "--cache new restore none" "--cache new backup more" "move --to saved"; do
        gallery --json $command 2>/dev/null; echo "status $?"
      done
      gallery backup stick/saved 2>&1 | head -n 1; ls
      """
    )

    let refusal =
      "Error: there is no folder '\(library.folder)/stick' for the backup: is its disk mounted?"
    #expect(
      result.output.hasPrefix(String(repeating: "status 1\n", count: 4) + refusal),
      "\(result)"
    )
    #expect(!result.output.hasSuffix("stick\n"), "\(result)")
  }

  @Test func `restores nothing that is left out, and replaces no file`() throws {
    let result = try library.program.shell(
      """
      gallery token add reader >token
      mkdir -p .config/gallery; echo 'pictures = "never"' >.config/gallery/config.toml
      gallery backup saved --quiet
      gallery restore saved 2>&1; echo "status $?"
      gallery --cache one restore saved --without-tokens --without-settings --quiet
      ls one | grep -c token
      mkdir two; echo mine >two/tokens.json; echo 'pictures = "auto"' >.config/gallery/config.toml
      gallery --cache two restore saved
      cat two/tokens.json .config/gallery/config.toml
      """
    )

    let folder = library.folder
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 9, "\(result)")
    #expect(
      lines[0] == """
        cannot restore the library: '\(library.path)' has a library already, with 1 feed — it was not changed; \
        --cache names another folder
        """
    )
    #expect(lines[1...2] == ["status 1", "0"], "\(result)")
    #expect(lines[3] == "= '\(folder)/two/tokens.json': it exists, and so stays as it is")
    #expect(
      lines[4] == "= '\(folder)/.config/gallery/config.toml': it exists, and so stays as it is"
    )
    #expect(lines[7...] == ["mine", "pictures = \"auto\""], "\(result)")
  }

  @Test func `the settings and the environment name the place`() throws {
    let result = try library.program.shell(
      """
      mkdir -p .config/gallery; printf '[backup]\\nto = "%s/saved"\\n' "$PWD" >.config/gallery/config.toml
      gallery config check && gallery backup --quiet && gallery --cache saved list | wc -l
      GALLERY_BACKUP_TO=$PWD/second gallery backup --quiet && gallery --cache second list | wc -l
      gallery backup third --quiet && gallery --cache third list | wc -l
      """
    )

    #expect(result.output.hasSuffix("has no mistakes\n3\n3\n3\n"), "\(result)")
  }

  @Test func `a backup that was killed at ten moments is as before or complete`() throws {
    let result = try library.program.shell(
      """
      listed() { gallery --cache "$1" list --json | sed 's/"file":"[^"]*"/FILE/'; }
      gallery backup saved --quiet; listed saved >before
      gallery feeds set 1 --title Other >/dev/null; gallery unpin 2 >/dev/null; listed library >after
      for moment in 0.005 0.01 0.015 0.02 0.025 0.03 0.04 0.05 0.07 0.1; do
        timeout --foreground --signal=KILL $moment gallery backup saved >/dev/null 2>&1
        listed saved >now; cmp -s now before || cmp -s now after || echo "neither after $moment"
      done
      gallery backup saved --quiet; listed saved | cmp - after
      gallery --cache saved verify
      """
    )

    let verified = "verified 3 thumbnails and 3 originals: all is as it was stored\n"
    #expect(result.output == verified, "\(result)")
  }

  @Test func `a mirror goes on with a restored gallery, and shows no other picture under an id`()
    throws
  {
    let lost = #"[{"id":1,"url":"\#(site.address("/moon.jpg"))","title":"Lost"}]"#
    site.set("/lost.json", PhotoSite.Page(type: "application/json", body: Array(lost.utf8)))
    let result = try library.program.shell(
      TwoGalleries.functions + """
        serve library
        on copy sync "$user/" >/dev/null
        gallery backup saved --quiet
        on library sync '\(site.address("/lost.json"))' --metadata-only --quiet
        on copy sync >/dev/null
        stop
        rm -r library; gallery restore saved --quiet
        serve library "${address##*:}"
        on library feeds set 1 --title Restored >/dev/null
        on copy sync 2>&1 | grep -c "cannot\\|failed"
        equal library copy
        on library sync '\(site.address("/lost.json"))' --metadata-only --quiet
        on library list --format '{id}' --search lost | grep -c '^1......$'
        on copy sync >/dev/null
        equal library copy
        stop
        """
    )

    #expect(result.output == "0\nequal\n1\nequal\n", "\(result)")
  }
}

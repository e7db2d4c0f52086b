import Foundation
import TestSupport
import Testing

/// The pictures that a mirror fetches, shows and counts.
struct MirroredPicturesTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
  }

  private func run(_ script: String) throws -> Program.Result {
    try library.program.shell(TwoGalleries.functions + script)
  }

  @Test func `fetches originals that the gallery has stored`() throws {
    let result = try run(
      """
      serve library
      on library show 2 >/dev/null 2>&1
      on copy sync --originals "$user/" | grep -o "[0-9]* original.* stored"
      sqlite3 copy/gallery.sqlite "SELECT count(*) FROM image_original"
      equal library copy
      stop
      """
    )

    #expect(result.output == "1 original stored\n1\nequal\n", "\(result)")
  }

  @Test func `shows originals of the gallery, and reads no file of this disk that it names`() throws
  {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      on library show 2 >/dev/null 2>&1
      on copy sync >/dev/null
      on copy show --verbose 2 2>&1 | grep -c "/o/.*: status 200"
      on copy show --verbose 3 2>&1 | grep -c "/images/3/original: status 200"
      on copy show 3 >/dev/null 2>&1; echo "status $?"
      cmp "$(on copy show 3)" "$(on library show 3)" && echo equal
      sqlite3 copy/gallery.sqlite "SELECT image_id, address LIKE 'file:%' FROM image_original"
      on copy verify >/dev/null && echo sound
      stop
      """
    )

    #expect(result.output == "1\n1\nstatus 0\nequal\n2|0\n3|0\nsound\n", "\(result)")
  }

  @Test func `has images, thumbnails and originals of a folder of pictures`() throws {
    let result = try run(
      """
      mkdir -p photos/trip
      set -- '\(Checkout.folder.path)/Scripts/demo-feed/originals/'*.jpg
      cp "$1" photos/a.jpg; cp "$2" photos/trip/b.jpg; cp "$3" photos/c.jpg
      on folder sync photos >/dev/null
      same() {
        on copy list --format '{id} {title}' | while read -r id title; do
          cmp "$(on copy show "$id" 2>/dev/null)" "$(on folder show "$id" 2>/dev/null)" && echo "$title"
        done | sort
      }
      serve folder
      on copy sync --originals "$user/" | grep -o "[0-9]* original.* stored"
      equal folder copy
      sqlite3 copy/gallery.sqlite "SELECT count(*) FROM image WHERE thumbnail_sha256 IS NOT NULL"
      same
      mv photos/trip/b.jpg photos/moved.jpg
      cp "$4" photos/c.jpg
      on folder sync >/dev/null
      on copy sync --originals | grep -o "[0-9]* original.* stored"
      equal folder copy
      same
      on copy verify >/dev/null && echo sound
      stop
      """
    )

    #expect(
      result.output == """
        3 originals stored
        equal
        3
        a
        b
        c
        1 original stored
        equal
        a
        c
        moved
        sound

        """,
      "\(result)"
    )
  }

  @Test func `a repair leaves the thumbnails of the gallery, and fetches or makes damaged ones`()
    throws
  {
    let result = try run(
      """
      mkdir photos
      set -- '\(Checkout.folder.path)/Scripts/demo-feed/originals/'*.jpg
      cp "$1" photos/a.jpg; cp "$2" photos/b.jpg; cp "$3" photos/c.jpg
      on folder sync photos >/dev/null
      damage() {
        set -- $(sqlite3 -separator ' ' copy/gallery.sqlite \
          "SELECT pack_id, offset + 2000 FROM thumbnail WHERE image_id = $1")
        head -c 50 /dev/zero | dd of="copy/thumbnails/$1.pack" bs=1 seek="$2" conv=notrunc status=none
      }
      serve folder
      on copy sync --originals "$user/" >/dev/null
      on copy verify --repair
      damage 1
      on copy verify --repair | tail -n 1
      equal folder copy
      damage 2
      stop
      on copy verify --repair | tail -n 1
      serve folder "${address##*:}"
      on copy sync >/dev/null
      on copy verify
      equal folder copy
      stop
      """
    )

    #expect(
      result.output == """
        verified 3 thumbnails and 3 originals: all is as it was stored
        verified 3 thumbnails and 3 originals: 1 damaged, 1 repaired
        equal
        verified 3 thumbnails and 3 originals: 1 damaged, 1 repaired
        verified 3 thumbnails and 3 originals: all is as it was stored
        equal

        """,
      "\(result)"
    )
  }

  @Test func `asks a gallery that has moved at its new address, and says why it does not answer`()
    throws
  {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      stop
      on copy show 4 2>&1 | grep -c "the server refuses connections"
      serve library
      on copy sync "$user/" --take-over 1 >/dev/null
      on copy show 2 --json 2>/dev/null | grep -c '"event":"original"'
      stop
      on copy show 3 2>&1 | grep -c "the server refuses connections"
      """
    )

    #expect(result.output == "1\n1\n1\n", "\(result)")
  }

  @Test func `fetches an original once, unless its file is damaged or of another feed`() throws {
    let result = try run(
      """
      mkdir photos
      set -- '\(Checkout.folder.path)/Scripts/demo-feed/originals/'*.jpg
      for name in a b c; do cp "$1" photos/$name.jpg; done
      cp "$2" photos/d.jpg
      on folder sync photos >/dev/null
      serve folder
      on copy sync --originals --verbose "$user/" >log 2>&1
      grep -c "/o/.*: status 200" log
      grep -o "[0-9]* originals stored" log
      sqlite3 copy/gallery.sqlite "SELECT count(*), count(DISTINCT original_id) FROM image_original"
      find copy/originals -type f | wc -l
      on copy verify >/dev/null && echo sound
      cp "$1" photos/e.jpg
      on folder sync >/dev/null
      on copy sync --originals --verbose >log 2>&1
      grep -c "/o/.*: status 200" log; grep -o "[0-9]* original stored" log
      damaged=$(sha256sum "$1" | cut -d ' ' -f 1)
      printf x | dd of="$(find copy/originals -name "$damaged*")" bs=1 seek=40 conv=notrunc status=none
      cp "$1" photos/f.jpg
      on folder sync >/dev/null
      on copy sync --originals --verbose >log 2>&1
      grep -c "/o/.*: status 200" log
      on copy verify >/dev/null && echo sound
      mkdir own; cp "$3" own/x.jpg; cp "$3" photos/g.jpg
      on copy sync own >/dev/null 2>&1
      on folder sync >/dev/null
      on copy sync --originals --verbose >log 2>&1
      grep -c "/o/.*: status 200" log
      stop
      """
    )

    #expect(
      result.output
        == "2\n4 originals stored\n4|2\n2\nsound\n0\n1 original stored\n1\nsound\n1\n",
      "\(result)"
    )
  }

  @Test func `keeps originals within their bound`() throws {
    let result = try run(
      """
      serve library
      on library show 7 8 9 10 11 >/dev/null 2>&1
      on copy sync --originals --keep 900K "$user/" >/dev/null 2>&1
      sqlite3 copy/gallery.sqlite "SELECT count(*) BETWEEN 1 AND 4, sum(bytes) <= 900 * 1024 FROM original"
      equal library copy
      stop
      """
    )

    #expect(result.output == "1|1\nequal\n", "\(result)")
  }

  @Test func `a dry run makes no library`() throws {
    let result = try run(
      """
      serve library
      on copy sync --dry-run "$user/" | sed "s/; .*//; s/.*: //"
      test -e copy || echo none
      on copy sync "$user/" >/dev/null
      on library feeds set 1 --title Other >/dev/null
      before=$(sqlite3 copy/gallery.sqlite .dump | sha256sum)
      on copy sync --dry-run | cut -c 1-12
      test "$(sqlite3 copy/gallery.sqlite .dump | sha256sum)" = "$before" && echo unwritten
      stop
      """
    )

    #expect(result.output == "0 images, 12 new\nnone\nwould update\nunwritten\n", "\(result)")
  }
}

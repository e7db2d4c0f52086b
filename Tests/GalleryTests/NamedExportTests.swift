import Foundation
import TestSupport
import Testing

/// `gallery export DIR`, the real program.
struct NamedExportTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    #expect(try library.program.run("sync", Checkout.demoFeed, "--originals").status == 0)
  }

  private func shell(_ line: String) throws -> Program.Result { try library.program.shell(line) }

  @Test func `writes each stored original, and says what it has done`() throws {
    let result = try shell(
      """
      gallery export photos --metadata json | sed 's/linked/written/; s/cloned/written/'
      gallery export photos --metadata json
      gallery export photos --json
      for file in photos/*/*/*.jpg; do
        sha256sum "$file" | cut -d " " -f 1
        sed 's/.*"sha256":"\\([0-9a-f]*\\)".*/\\1/' "$file.json"
      done | uniq -c | sed 's/^ *\\([0-9]*\\) .*/\\1/' | sort | uniq -c | tr -s " "
      find photos -type f -not -path "*/.gallery-export/*" | wc -l
      """
    )

    #expect(
      result.output == """
        exported to 'photos': 12 images, 12 written, 12 sidecars
        'photos' is up to date: 12 images
        {"event":"ended","folder":"photos","images":12,"linked":0,"cloned":0,"copied":0,"bytes":0,\
        "sidecars":0,"left":0,"omitted":0,"dryRun":false,"interrupted":false}
         12 2
        24

        """,
      "\(result)"
    )
  }

  @Test func `what a person moved, changed or put there stays, and is named`() throws {
    let result = try shell(
      """
      mkdir photos && echo mine >photos/Seeding.jpg
      gallery export photos --template '{title}.{ext}' >log 2>first
      mv photos/Life.jpg kept.jpg
      rm photos/Kleiber.jpg && echo mine >photos/Kleiber.jpg
      gallery export photos --template '{title}.{ext}'
      cat photos/Seeding.jpg photos/Kleiber.jpg; ls photos | grep -c Life; cat first >&2
      """
    )

    #expect(
      result.output == """
        'photos' is up to date: 12 images, 2 files left alone
        mine
        mine
        0

        """,
      "\(result)"
    )
    for text in [
      "'photos/Seeding.jpg' is another file; the image gets another name",
      "'photos/Life.jpg' was moved or deleted", "'photos/Kleiber.jpg' was changed",
    ] {
      #expect(result.errors.contains(text), "\(result)")
    }
  }

  /// An editor cannot open a linked file for writing; if it renames a new file, the library keeps its own.
  @Test func `no link lets an editor change the library by accident`() throws {
    let result = try shell(
      """
      gallery export photos >log
      find photos -name "*.jpg" -perm /222 -links +1 | wc -l
      sed -i 's/./x/' photos/*/*/Life*
      gallery verify --quiet && echo whole
      gallery remove 1 >log && gallery clean --now >log
      find photos -name "*.jpg" | wc -l
      """
    )

    #expect(result.output == "0\nwhole\n12\n", "\(result)")
  }

  @Test func `a dry run prints the names, and makes nothing`() throws {
    let result = try shell(
      """
      gallery export photos --dry-run --template '{id}.{ext}' --search moon
      gallery export photos --dry-run --template '{id}.{ext}' --feed 1 | tail -1
      ls photos
      """
    )

    #expect(
      result.output.hasSuffix("would export to 'photos': 12 images, 12 files to write\n"),
      "\(result)"
    )
    #expect(result.errors.contains("No such file"))
  }

  @Test func `a folder that is followed gets what a sync brings, and is never made again`() throws {
    let result = try shell(
      """
      cp -r '\(Checkout.folder.path)/Scripts/demo-feed/'* .
      python3 -c "
      import re
      text = open('feed.xml').read()
      items = re.findall(r'<item>.*?</item>', text, re.S)
      open('feed.xml', 'w').write(text.replace(items[0], ''))
      open('whole.xml', 'w').write(text)
      "
      export GALLERY="--cache other"
      gallery --cache other sync --originals feed.xml >log
      gallery --cache other export photos --follow --template '{id}.{ext}' | sed 's/cloned/linked/'
      cp whole.xml feed.xml
      gallery --cache other sync --originals 2>&1 >log | sed 's/cloned/linked/'
      ls photos | wc -l
      mv photos away
      sed -i 's/Seeding/Sowing/' feed.xml
      for run in 1 2; do gallery --cache other sync 2>&1 >log; done
      ls photos 2>/dev/null
      mv away photos
      gallery --cache other export photos --no-follow --template '{id}.{ext}'
      """
    )

    #expect(
      result.output.replacing(library.folder, with: "HOME") == """
        exported to 'photos': 11 images, 11 linked — each sync brings it up to date from now on
        exported to 'HOME/photos': 12 images, 1 linked
        12
        cannot export to 'HOME/photos': it is not there — gallery exports to it again when it is back
        'photos' is up to date: 12 images — no sync changes it any more

        """,
      "\(result)"
    )
  }

  @Test func `show writes several copies into a folder, and replaces none unasked`() throws {
    let result = try shell(
      """
      gallery show 3 4 --output out/new/
      gallery show 3 --output out/new
      echo "status $?"
      gallery show 3 --output out/new --force >log
      ls out/new
      cmp "out/new/Life [3].jpg" "$(gallery show 3)" && stat -c %h "out/new/Life [3].jpg"
      """
    )

    #expect(
      result.output == """
        out/new/Life [3].jpg
        out/new/Aitzgorri [4].jpg
        status 1
        Aitzgorri [4].jpg
        Life [3].jpg
        1

        """,
      "\(result)"
    )
    #expect(result.errors.contains("out/new/Life [3].jpg"))
  }

  /// The moments cover more than a whole run, and the result must be the same for each of them.
  @Test func `an export killed at any moment is finished by the next one`() throws {
    let result = try shell(
      """
      for moment in 02 04 06 08 10 12 14 16 20 25 30; do
        rm -rf photos
        gallery export photos --metadata xmp >/dev/null 2>&1 & pid=$!
        sleep 0.$moment
        kill -KILL $pid 2>/dev/null
        wait $pid 2>/dev/null
        gallery export photos --metadata xmp 2>&1 >/dev/null
        find photos -name "*.jpg*" | wc -l
        gallery export photos --metadata xmp
        echo $(ls photos/.gallery-export)
      done | sort | uniq -c | tr -s " "
      """
    )

    #expect(
      result.output == """
         11 'photos' is up to date: 12 images
         11 24
         11 files library state

        """,
      "\(result)"
    )
  }
}

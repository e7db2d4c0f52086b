import Foundation
import TestSupport
import Testing

/// `gallery export --static`, the real program.
struct ExportCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
  }

  private func shell(_ line: String) throws -> Program.Result { try library.program.shell(line) }

  @Test func `says what it has done, for people and for scripts`() throws {
    let first = try shell("gallery export --static site")
    let second = try shell("gallery export --static site --json")

    #expect(first.status == 0)
    #expect(
      first.output.contains(/^exported to 'site': 12 images, \d+ files written \(.+ [KM]iB\)\n$/),
      "\(first)"
    )
    #expect(
      second.output == """
        {"event":"ended","folder":"site","images":12,"written":0,"bytes":0,"removed":0,"damaged":0,\
        "interrupted":false}

        """
    )
  }

  @Test(arguments: [
    ("mkdir site; touch site/mine", "site", "it has other files"),
    (
      "gallery --cache other sync feed.xml; gallery --cache other export --static site", "site",
      "another library"
    ),
    (":", "library/site", "overlaps the library's own folder"),
    (":", ".", "overlaps the library's own folder"),
    ("touch site", "site", "not a directory"),
    ("mkdir site; exec 9<site; flock 9", "site", "another export writes there"),
  ])
  func `refuses a folder that is not its own, and changes nothing in it`(
    preparation: String,
    folder: String,
    reason: String
  ) throws {
    let result = try shell(
      """
      cp -r '\(Checkout.folder.path)/Scripts/demo-feed/'* .
      { true; \(preparation); } >log 2>&1
      find site library -type f -not -name "gallery.sqlite*" 2>log | sort >before
      gallery export --static \(folder)
      status=$?
      find site library -type f -not -name "gallery.sqlite*" 2>log | sort >after
      cmp before after
      exit $status
      """
    )

    #expect(result.status == 1)
    #expect(result.errors.contains(reason), "\(result)")
    #expect(result.output == "")
  }

  @Test func `without a library there is nothing to export`() throws {
    let result = try shell("gallery --cache none export --static site")

    #expect(result.status == 1)
    #expect(result.errors.contains("nothing is stored at"))
    #expect(!FileManager.default.fileExists(atPath: "\(library.folder)/site"))
  }

  @Test func `a site and named files stay apart`() throws {
    let result = try shell(
      """
      gallery export --static site >log && gallery export files >log
      gallery export site
      gallery export --static files
      """
    )

    #expect(result.status == 1)
    #expect(result.errors.split(separator: "\n").count == 2)
    #expect(result.errors.contains("cannot export to 'site': it has an export of the other form"))
    #expect(result.errors.contains("cannot export to 'files': it has an export of the other form"))
  }

  @Test func `leaves a damaged original out, and says so`() throws {
    let result = try shell(
      """
      original=$(gallery show 3)
      printf damage | dd of="$original" bs=1 seek=9000 conv=notrunc status=none
      gallery export --static site
      status=$?
      ls site/o 2>/dev/null
      grep -c '"original":{' site/api/v1/tree/* | grep -vc ':0$'
      exit $status
      """
    )

    #expect(result.status == 2)
    #expect(result.output.contains("1 damaged original left out"), "\(result)")
    #expect(result.output.hasSuffix("\n0\n"))
    #expect(result.errors.contains("its content is not what was stored"))
  }

  @Test func `a disk that takes no more leaves the site that was there`() throws {
    let result = try shell(
      """
      gallery export --static site && cp -r site before
      gallery show 3 >path
      (ulimit -f 64; gallery export --static site)
      echo "status $?"
      rm -rf site/.gallery-export before/.gallery-export
      find site -type d -empty -delete
      diff -r site before && echo same
      """
    )

    #expect(result.output.hasSuffix("status 1\nsame\n"), "\(result)")
    #expect(result.errors.contains("cannot write the export"), "\(result)")
  }

  /// Prints the nodes and pictures that a site names but does not contain.
  private static let missing = """
    import json, os, re, sys
    site = sys.argv[1]
    exists = lambda path: os.path.exists(os.path.join(site, path))
    if exists("index.html"):
        page = open(os.path.join(site, "index.html")).read()
        print(*[one for one in re.findall(r'(?:href|src)="[.]/([^"#]+)"', page)
                if not exists(one) and one != "search" and one != "api/v1/tree/root"])
    def look(name, children):
        path = f"api/v1/tree/{name}"
        if not exists(path):
            return print(path)
        if children:
            for child in json.load(open(os.path.join(site, path)))[children[0]]:
                look(child["hash"], children[1:])
        else:
            for line in open(os.path.join(site, path)):
                thumbnail = json.loads(line)["data"].get("thumbnail")
                if thumbnail and not exists("t/" + thumbnail["sha256"]):
                    print(thumbnail)
    if exists("api/v1/tree/root"):
        look("root", ["feeds", "months", "leaves"])
    """

  @Test func `another gallery mirrors the site, and its own export has the same images`() throws {
    let listed = "--format '{title}|{caption}|{author}|{published}|{feed.title}|{thumbnail.sha256}'"
    let result = try shell(
      """
      gallery show 3 >log
      gallery export --static site >log
      python3 -u -m http.server --bind 127.0.0.1 0 >port 2>log & server=$!
      until grep -q "port [0-9]" port; do sleep 0.02; done
      port=$(sed 's/.* port \\([0-9]*\\) .*/\\1/' port)
      gallery --cache mirror sync --originals "http://127.0.0.1:$port/site/" >log 2>&1 || cat log
      kill $server
      gallery list \(listed) >have
      gallery --cache mirror list \(listed) >got
      cmp have got && wc -l <got
      gallery --cache mirror list --stored | wc -l
      gallery --cache mirror export --static again >log || cat log
      for folder in t o; do ls site/$folder >have; ls again/$folder >got; cmp have got; done
      grep -c 'class="feed"' again/feeds.html
      """
    )

    #expect(result.output == "12\n1\n1\n", "\(result)")
  }

  @Test func `a library that changes meanwhile is exported as it is at one time`() throws {
    let result = try shell(
      """
      cat >missing.py <<'END'
      \(Self.missing)
      END
      for number in $(seq 40); do gallery feeds set 1 --title "Title $number" >/dev/null; done & changes=$!
      while kill -0 $changes 2>/dev/null; do
        gallery export --static site >log 2>&1 || grep -q "does not stop changing" log || cat log
        if [ -e site/api/v1/tree/root ]; then python3 missing.py site; fi
      done
      wait $changes
      gallery export --static site >/dev/null
      gallery export --static once >/dev/null
      diff -r site once && grep -c "<title>Title 40</title>" site/feeds/1/index.html
      """
    )

    #expect(result.output.split(separator: "\n").filter { $0.contains(/\S/) } == ["1"], "\(result)")
  }

  /// The moments cover more than a whole run, and the result must be the same for each of them.
  @Test
  func `an export killed at any moment leaves a whole site, and the next one is as undisturbed`()
    throws
  {
    let result = try shell(
      """
      cp -r '\(Checkout.folder.path)/Scripts/demo-feed/'* .
      cat >missing.py <<'END'
      \(Self.missing)
      END
      kill_often() {
        for moment in 02 05 08 11 14 17 20 25 30 40; do
          gallery export --static site >/dev/null 2>&1 & pid=$!
          sleep 0.$moment
          kill -KILL $pid 2>/dev/null
          wait $pid 2>/dev/null
          [ -d site ] && python3 missing.py site
        done
        gallery export --static site >/dev/null || echo failed
        rm -rf once
        gallery export --static once >/dev/null || echo failed
        diff -r site once
      }
      kill_often
      sed -i 's/Seeding/Sowing/' feed.xml
      gallery sync "file://$PWD/feed.xml" >/dev/null
      gallery remove 1 >/dev/null
      kill_often
      echo done
      """
    )

    #expect(
      result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty } == ["done"],
      "\(result)"
    )
  }
}

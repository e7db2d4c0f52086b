import Foundation
import TestSupport
import Testing

/// A gallery that mirrors another one: two real programs, and a real server between them.
struct MirrorTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    #expect(try library.program.run("sync", Checkout.demoFeed).status == 0)
  }

  private func run(_ script: String) throws -> Program.Result {
    try library.program.shell(TwoGalleries.functions + script)
  }

  @Test func `follows the gallery that a page belongs to`() throws {
    let result = try run(
      """
      serve library
      on library feeds set 1 --title Mine >/dev/null
      curl -s -X PUT -u ":$token" "$address/api/v1/images/3/pin"
      on copy sync "$user/" | sed "s/in .*//"
      equal library copy
      before=$(changes copy)
      on copy sync | sed "s/; .*//"
      test "$(changes copy)" = "$before" && echo unwritten
      on copy verify | tail -n 1
      on copy feeds | cut -f 4,5,7
      on copy show --info 3 | grep -c "^gallery .*\\*\\*\\*@"
      stop
      """
    )

    let expected = """
      updated '127.0.0.1:PORT': 12 images, 12 new; 12 thumbnails stored; 184 KiB\u{20}
      equal
      unchanged '127.0.0.1:PORT': 12 images
      unwritten

      """
    let output = result.output.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT")
      .replacing(/[0-9]+ KiB/, with: "184 KiB")
    #expect(output.hasPrefix(expected), "\(result)")
    let rows = "gallery\t0\tunchanged\nmediarss\t12\tmirrored from http://***@127.0.0.1:PORT/\n1\n"
    #expect(output.hasSuffix(rows), "\(result)")
    #expect(!result.output.contains("reader:"))
  }

  @Test
  func `its feeds can be piped into a sync, and a list for other programs says what it lacks`()
    throws
  {
    let result = try run(
      """
      serve library
      on copy sync "$user/" --metadata-only -q
      for list in feeds 'feeds --json'; do
        on copy $list | on copy sync --metadata-only --input - >log; echo $?
      done
      on copy feeds --opml 2>&1 >list.opml | sed 's/127.*:[0-9]*/HOST/'
      stop
      """
    )

    let note =
      "'HOST' is not in the list, which is for other programs — a sync of its address mirrors a gallery"
    #expect(result.output.hasPrefix("0\n0\n"), "\(result)")
    #expect(result.output.contains(note), "\(result)")
    #expect(!result.output.contains("masked"))
  }

  @Test func `has the pins of images that have changed since, but those that its user removed`()
    throws
  {
    let result = try run(
      """
      document() { echo "[{\\"id\\":\\"a\\",\\"title\\":\\"$1\\",\\"url\\":\\"http://127.0.0.1:1/a.jpg\\"}]" >a.json
        on library sync a.json --metadata-only -q; }
      pins() { on $1 list --json | grep -c '"pinned":true'; }
      document One
      on library pin 13 >/dev/null
      document Two
      serve library
      on copy sync "$user/" --metadata-only -q
      on part sync "$user/search?q=two" --metadata-only -q
      pins library; pins copy; pins part
      id=$(on copy list --search two --format '{id}')
      on copy unpin $id >/dev/null
      document Three
      on copy sync --metadata-only -q
      on copy list --search three --format '{title}'
      pins copy
      stop
      """
    )

    #expect(result.output == "1\n1\n1\nThree\n0\n", "\(result)")
  }

  @Test(arguments: ["/api/v1/changes", "/api/v1/tree/root", "/feeds/1"])
  func `follows the gallery that an address belongs to`(path: String) throws {
    let result = try run(
      """
      serve library
      on copy sync "$user\(path)" >/dev/null
      equal library copy
      on library feeds set 1 --title Other >/dev/null
      on copy sync >/dev/null
      equal library copy
      on copy sync | grep -c unchanged
      on copy feeds | cut -f 4 | grep -c gallery
      stop
      """
    )

    #expect(result.output == "equal\nequal\n1\n1\n", "\(result)")
  }

  @Test func `the page of a feed or of a search brings that part only, and follows it`() throws {
    let result = try run(
      """
      images() { for title in "$@"; do echo "{\\"id\\":\\"$title\\",\\"title\\":\\"$title\\",\\
      \\"url\\":\\"http://127.0.0.1:1/$(echo "$title" | tr ' ' -).jpg\\"},"; done; }
      document() { echo "[$(images "$@") {}]" >a.json; on library sync a.json --metadata-only -q; }
      titles() { on $1 list --sort title --format '{title}'; }
      document 'Zebra one' 'Zebra two'
      serve library
      on feed sync "$user/feeds/2?sort=title" --metadata-only -q
      titles feed
      on words sync "$address/search?q=zebra+one&token=$token" --metadata-only -q
      titles words
      on words feeds | cut -f 3,4 | head -n 1
      document 'Zebra two' 'Zebra one again'
      on feed sync --metadata-only -q
      titles feed
      on words sync --metadata-only -q
      titles words
      on library feeds set 2 --title Other -q
      on words sync --metadata-only -q
      titles words
      on feed sync "$user/" -q; echo $?
      on feed sync "$user/" --take-over "$user/feeds/2" --metadata-only -q; echo $?
      on feed list | wc -l
      on feed feeds --json | grep -c '"id":1,.*"format":"gallery"'
      on feed sync "$user/search?q=nothing" --take-over "$user/" -q; echo $?
      on feed sync "$user/feeds/7" --take-over "$user/" -q; echo $?
      on feed sync --metadata-only | grep -c unchanged
      for part in feed=99 feed=x feed=2 search=zebra; do
        curl -s -o body -w "%{http_code} " -u ":$token" "$address/api/v1/changes?$part"
        grep -c '"type":"image"' body
      done
      stop
      """
    )

    let output = result.output.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT")
    let feed = "http://***@127.0.0.1:PORT/search?q=zebra+one\tgallery\n"
    let first = "Zebra one\nZebra two\nZebra one\n" + feed
    let second = "Zebra one\nZebra one again\nZebra two\nZebra one\nZebra one again\n"
    let third = "Zebra one\nZebra one again\n1\n0\n15\n1\n1\n1\n1\n404 0\n400 0\n200 3\n200 3\n"
    #expect(output == first + second + third, "\(result)")
  }

  @Test func `answers 300 bytes at most when nothing is new`() throws {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      cursor=$(sqlite3 copy/gallery.sqlite "SELECT cursor FROM mirror")
      curl -s -o body -w "%{http_code} %{size_header} %{size_download}\\n" -u ":$token" \
        -H "If-None-Match: \\"$cursor\\"" "$address/api/v1/changes?since=$cursor"
      on copy sync --json | grep -o '"bytes":[0-9]*' | head -n 1
      stop
      """
    )

    let numbers = result.output.split(whereSeparator: { " \n:".contains($0) }).compactMap {
      Int($0)
    }
    try #require(numbers.count == 4, "\(result)")
    #expect(numbers[0] == 304 && numbers[1] + numbers[2] <= 300 && numbers[3] <= 300, "\(result)")
  }

  @Test func `a token that was removed is refused, and another in the same address replaces it`()
    throws
  {
    let result = try run(
      """
      serve library
      host="${address#http://}"
      on library token add one | tail -n 1 >one
      on copy sync "http://any:$(cat one)@$host/" -q
      on library token remove one
      on copy sync 2>&1 | grep -c "401 (the login was refused)"
      on copy show 1 2>&1 | grep -c "401 (the login was refused).*; a sync of the same address with another login"
      on copy sync "$user/" -q; echo $?
      on copy sync -q; echo $?
      stop
      """
    )

    #expect(result.output == "1\n1\n0\n0\n", "\(result)")
  }

  @Test func `takes the token from the netrc file`() throws {
    let result = try run(
      """
      serve library
      echo "machine 127.0.0.1 login any password $token" >netrc
      chmod 600 netrc
      NETRC="$PWD/netrc" on copy sync "$address/" >/dev/null
      equal library copy
      NETRC=/dev/null on copy sync 2>&1 | grep -c "401 (authentication is needed)"
      stop
      """
    )

    #expect(result.output == "equal\n1\n", "\(result)")
  }

  @Test func `compares the tree when its cursor is too old, and goes on with changes`() throws {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      on library feeds set 1 --title Other >/dev/null
      sqlite3 library/gallery.sqlite "DELETE FROM tombstone"
      sqlite3 copy/gallery.sqlite "UPDATE mirror SET cursor = '1.00.1.0.0.7'"
      on copy sync | sed "s/; .*//; s/.*: //"
      equal library copy
      on copy sync | grep -c unchanged
      curl -s -X DELETE -u ":$token" "$address/api/v1/feeds/1" -o removed
      on copy sync "$user/" --accept-removals | sed "s/; .*//; s/.*: //"
      equal library copy
      stop
      """
    )

    #expect(result.output == "12 images\nequal\n1\n0 images, 12 removed\nequal\n", "\(result)")
  }

  @Test func `a token for a part of the gallery brings that part, also when its cursor is too old`()
    throws
  {
    let result = try run(
      """
      serve library
      part=$(on library token add part --search wood)
      on copy sync "http://:$part@${address#http://}/" | sed "s/, .*//; s/.*: //"
      on copy list | wc -l
      on copy sync | grep -c "only the part of the gallery that its token shows"
      on copy sync --json | grep -c '"limited":true'
      sqlite3 copy/gallery.sqlite "UPDATE mirror SET cursor = '1.00' || substr(cursor, 35)"
      on copy sync | sed "s/[;,] .*//; s/.*: //"
      sqlite3 copy/gallery.sqlite "SELECT cursor LIKE '1.00%' FROM mirror"
      stop
      """
    )

    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 6 && lines[2...3] == ["1", "1"], "\(result)")
    #expect(lines.first == lines.dropFirst(4).first && lines.last == "0", "\(result)")
    let images = lines.first.flatMap { Int($0.prefix(while: \.isNumber)) } ?? 0
    #expect((1..<12).contains(images) && lines.count > 1 && lines[1] == "\(images)", "\(result)")
  }

  /// Somebody between the galleries needs only a limited token to send this.
  @Test func `a gallery that sends a part in place of the whole removes nothing without a word`()
    throws
  {
    let result = try run(
      """
      serve library
      part=$(on library token add part --search wood)
      export NETRC=$PWD/netrc
      login() { echo "machine 127.0.0.1 login any password $1" >netrc; chmod 600 netrc; }
      synced() { on copy sync "$@" 2>&1 | sed "s/; .*//; s/.*: //"; }
      login $token; synced "$address/"
      before=$(on copy list | wc -l)
      login $part; synced
      on copy list | wc -l | sed "s/^$before$/all/"
      synced "$address/" --take-over "$address/" | grep -c removed
      on copy list | wc -l | sed "s/^$before$/all/"
      login $token; synced
      stop
      """
    )

    let refused =
      "the gallery sends another part of its images than before — stored data stays as it is"
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 6 && lines[4] != "all" && lines[5] == refused, "\(result)")
    #expect(lines.prefix(4) == ["12 images, 12 new", refused, "all", "1"], "\(result)")
  }

  @Test func `galleries that mirror one another come to rest`() throws {
    let result = try run(
      """
      mkdir other
      printf '[{"url":"https://127.0.0.1:9/a.jpg","title":"Own"}]' >own.json
      on other sync --metadata-only own.json >/dev/null
      serve library; first=$server; firstUser=$user
      serve other; second=$server; secondUser=$user
      on library sync --metadata-only "$secondUser/" >/dev/null
      on other sync "$firstUser/" >/dev/null
      on library sync >/dev/null; on other sync >/dev/null; on library sync >/dev/null
      before="$(changes library) $(changes other)"
      on library sync >/dev/null; on other sync >/dev/null
      test "$(changes library) $(changes other)" = "$before" && echo rest
      equal library other
      kill $first $second; wait
      """
    )

    #expect(result.output == "rest\nequal\n", "\(result)")
  }

  @Test func `three galleries in a ring come to rest, each with the feeds of all`() throws {
    let result = try run(
      """
      for name in other third; do
        mkdir $name
        printf '[{"url":"https://127.0.0.1:9/%s.jpg","title":"%s"}]' $name $name >$name.json
        on $name sync --metadata-only $name.json >/dev/null
      done
      serve library; first=$server; firstUser=$user
      serve other; second=$server; secondUser=$user
      serve third; last=$server; thirdUser=$user
      round() {
        on library sync >/dev/null; on other sync >/dev/null; on third sync >/dev/null
      }
      on library sync --metadata-only "$secondUser/" >/dev/null
      on other sync --metadata-only "$thirdUser/" >/dev/null
      on third sync --metadata-only "$firstUser/" >/dev/null
      for time in 1 2 3; do round; done
      before="$(changes library) $(changes other) $(changes third)"
      round
      test "$(changes library) $(changes other) $(changes third)" = "$before" && echo rest
      equal library other; equal other third
      on third list | wc -l
      kill $first $second $last; wait
      """
    )

    #expect(result.output == "rest\nequal\nequal\n14\n", "\(result)")
  }

  @Test func `a mirror serves others in turn`() throws {
    let result = try run(
      """
      serve library; first=$server
      on copy sync "$user/" >/dev/null
      serve copy
      on third sync "$user/" >/dev/null
      equal library third
      on third feeds | wc -l
      kill $first $server; wait
      """
    )

    #expect(result.output == "equal\n2\n", "\(result)")
  }

  @Test func `becomes equal to a library that was restored from a copy`() throws {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      stop
      cp -a library old
      serve library "${address##*:}"
      on library feeds set 1 --title Newer >/dev/null
      curl -s -X PUT -u ":$token" "$address/api/v1/images/5/pin"
      on copy sync >/dev/null
      stop
      rm -r library/gallery.sqlite*; cp old/gallery.sqlite* library/
      serve library "${address##*:}"
      on library feeds set 1 --title Restored >/dev/null
      on copy sync | grep -c failed
      equal library copy
      stop
      """
    )

    #expect(result.output == "0\nequal\n", "\(result)")
  }

  @Test(arguments: [
    "", "sqlite3 copy/gallery.sqlite \"UPDATE mirror SET cursor = '1.00.1.0.0.7'\"",
  ])
  func `the copy of a library goes on with another token in its address`(change: String) throws {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      other=$(on library token add other)
      curl -s -X DELETE -u ":$token" "$address/api/v1/feeds/1" -o removed
      \(change)
      on copy sync "http://:$other@${address#http://}/" 2>&1 | sed "s/ —.*//; s/.*: //"
      on copy sync "http://:$other@${address#http://}/" --accept-removals | sed "s/; .*//; s/.*: //"
      equal library copy
      on copy feeds --json | grep -c '"format":"gallery"'
      on copy sync | grep -c unchanged
      stop
      """
    )

    let refused = "12 of the 12 images that were mirrored would go\n"
    #expect(result.output.hasPrefix(refused + "0 images, 12 removed\nequal\n1\n"), "\(result)")
    #expect(result.output.hasSuffix("\n1\n"), "\(result)")
  }

  @Test func `a static export is mirrored, and goes on at the gallery that is served`() throws {
    let result = try run(
      """
      on library export --static site >/dev/null
      python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >web.out 2>web.errors &
      web=$!
      until grep -q port web.out || ! kill -0 $web 2>/dev/null; do sleep 0.02; done
      site="http://127.0.0.1:$(grep -o "port [0-9]*" web.out | cut -d " " -f 2)"
      on copy sync "$site/" | sed "s/; .*//; s/.*: //"
      equal library copy
      on copy sync | grep -c unchanged
      on library feeds set 1 --title Other >/dev/null
      on library export --static site >/dev/null
      on copy sync | sed "s/; .*//; s/.*: //"
      equal library copy
      grep -c "GET /t/" web.errors
      kill $web
      serve library
      on library feeds set 1 --title Third >/dev/null
      on copy sync "$user/" 2>&1 | grep -c -- "--take-over $site/"
      on copy sync --take-over "$site/" "$user/" | sed "s/; .*//; s/.*: //"
      equal library copy
      on copy feeds --json | grep -c '"id":1,.*"format":"gallery"'
      on copy sync | grep -c unchanged
      stop
      """
    )

    let expected = """
      12 images, 12 new
      equal
      1
      12 images
      equal
      12
      1
      12 images
      equal
      1
      1

      """
    #expect(result.output == expected, "\(result)")
  }

  @Test func `a gallery that loses its key or has another one waits for the user`() throws {
    let result = try run(
      """
      follow() { on copy sync "$user/" "$@" 2>&1 | sed "s/; .*//; s/ —.*//; s/.*: //"; }
      serve library
      port=${address##*:}
      follow
      stat -c %a library/library.key
      sqlite3 library/gallery.sqlite "SELECT value FROM setting WHERE name = 'public_key'" >key
      sqlite3 copy/gallery.sqlite "SELECT public_key FROM mirror_key" | cmp - key && echo "the same key"
      stop
      rm library/library.key
      on library verify | grep -o "library.key': .*"
      on library feeds set 1 --title Other >/dev/null
      serve library $port
      follow
      on copy sync >/dev/null 2>&1 || echo "status $?"
      stop
      on library verify --repair | grep -o "library.key': .*"
      serve library $port
      follow
      follow --take-over "$user/"
      equal library copy
      follow
      stop
      """
    )

    let expected = """
      12 images, 12 new
      600
      the same key
      library.key': it is missing
      the gallery has signed before, and its answer has no signature
      status 1
      library.key': it is missing
      library.key': a new key pair is in its place, which the users of other galleries have to accept
      the gallery has another key than before, so it may be another gallery
      12 images
      equal
      12 images

      """
    #expect(result.output == expected, "\(result)")
  }

  @Test func `a mirror has the title that the gallery is served with`() throws {
    let result = try run(
      """
      titled() { on copy feeds --json | grep -c '"title":"'"$1"'","format":"gallery"'; }
      export GALLERY_SERVE_TITLE="Anna's  photos"
      serve library
      on copy sync "$user/" | sed "s/: .*//"
      titled "Anna's photos"
      curl -s -u ":$token" "$address/" | grep -o '<title>.*</title>'
      curl -s -u ":$token" "$address/" | grep -o 'Anna&#39;s photos</span>'
      curl -s -u ":$token" "$address/images.json" | grep -o '"title":"[^"]*"' | head -n 1
      curl -s "$address/" | grep -c photos
      stop
      export GALLERY_SERVE_TITLE="Ben"
      serve library "${address##*:}"
      on library feeds set 1 --title Other >/dev/null
      on copy sync "$user/" >/dev/null
      titled Ben
      stop
      """
    )

    let expected = """
      updated 'Anna's photos'
      1
      <title>All images · Anna&#39;s photos</title>
      Anna&#39;s photos</span>
      "title":"Anna's photos"
      0
      1

      """
    #expect(result.output == expected, "\(result)")
  }

  @Test func `a library does not mirror itself`() throws {
    let result = try run(
      """
      serve library
      on library sync "$user/" 2>&1 | sed "s/^.*': //; s/ — .*//"
      on library feeds | wc -l
      stop
      """
    )

    #expect(result.output == "it is this library itself, or a copy of it\n1\n", "\(result)")
  }

  @Test func `what is removed comes back with the gallery`() throws {
    let result = try run(
      """
      serve library
      on copy sync "$user/" >/dev/null
      on copy remove 1 | sed "s/'.*'/GALLERY/"
      on copy list | wc -l
      on copy sync "$user/" | sed "s/; .*//; s/.*: //"
      equal library copy
      on copy remove 2 >/dev/null
      on copy sync >/dev/null
      on copy list | wc -l
      on copy remove --purge 1 | sed "s/'.*'/GALLERY/"
      stop
      """
    )

    let expected = """
      removed the gallery GALLERY: its 1 feed and 12 images are hidden — syncing its address again brings them back
      0
      12 images
      equal
      0
      removed the gallery GALLERY: 1 feed and 0 images deleted

      """
    #expect(result.output == expected, "\(result)")
  }
}

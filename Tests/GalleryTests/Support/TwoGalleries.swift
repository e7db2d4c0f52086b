/// Shell functions that the tests with two galleries share.
enum TwoGalleries {
  /// The functions.
  ///
  /// `serve NAME` serves the library NAME, and sets `$address` and `$token`. `on NAME` runs `gallery` with the library
  /// NAME. `state NAME` prints the state that a copy must have, with one word for files and what stands for them.
  static let functions = """
    set -u
    on() { name=$1; shift; GALLERY_CACHE="$PWD/$name" gallery "$@"; }
    serve() {
      # Another test's program may have the port of a server that has stopped, for some time.
      for try in $(seq 200); do
        rm -f "$1.out"
        GALLERY_CACHE="$PWD/$1" gallery serve --sync off --listen "127.0.0.1:${2-0}" >"$1.out" 2>"$1.errors" &
        server=$!
        until grep -q token= "$1.out" || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
        if grep -q token= "$1.out"; then break; fi
        sleep 0.3
      done
      line=$(head -n 1 "$1.out")
      address=${line%%/?token=*}
      token=${line##*token=}
      user="http://reader:$token@${address#http://}"
    }
    stop() { kill -TERM $server; wait $server; }
    state() {
      sqlite3 "$1/gallery.sqlite" "SELECT 'feed', identity, coalesce(given_title, title), feed.format, image_count \
        FROM feed WHERE is_removed = 0 AND format <> 'gallery' ORDER BY identity; \
        SELECT 'image', identity, position, date, first_seen_at, original_address, thumbnail_address, entry_id, \
          image.title, caption, is_gone, hex(thumbnail_sha256), pinned_at \
        FROM image JOIN feed ON feed.id = feed_id LEFT JOIN pin ON image_id = image.id \
        WHERE is_hidden = 0 AND is_removed = 0 ORDER BY identity, position" | sed -E "s#file:[^|]*#FILE#g; \
        s#https?://[^|/]*/(feeds/[0-9]+\\.json\\?library=[^|]*|images/[0-9]+/original|t/[0-9a-f]{64})#FILE#g" | sort
    }
    equal() { state "$1" >"$1.state"; state "$2" >"$2.state"; cmp "$1.state" "$2.state" && echo equal; }
    changes() { sqlite3 "$1/gallery.sqlite" "SELECT change_seq FROM library"; }

    """
}

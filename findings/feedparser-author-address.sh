#!/usr/bin/env bash
# feedparser cuts the address of an author after four letters of the top-level domain, and makes a name of the rest.
#
# Expected: `author` of an RSS item is a mail address with a name in brackets (RSS 2.0.11), and a top-level domain has up
# to 63 letters (RFC 1035, section 2.3.4); `.photo`, `.gallery` and `.museum` are some of those that exist.
# Seen with feedparser 6.0.14: `author_detail` of a domain with up to four letters is right. Of a longer one, the first
# four letters count as the domain, and the name begins with the others and an open bracket. `author` has the whole text.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedparser==6.0.14
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import feedparser
for domain in ("lens.test", "lens.example"):
    entry = feedparser.parse('<rss version="2.0"><channel><item><guid>1</guid>'
                             f"<author>ada@{domain} (Ada Lumen)</author></item></channel></rss>").entries[0]
    print(f"{entry.author} | {entry.author_detail.email} | {entry.author_detail.name}")
PYTHON
diff - "$work/seen" <<'SEEN'
ada@lens.test (Ada Lumen) | ada@lens.test | Ada Lumen
ada@lens.example (Ada Lumen) | ada@lens.exam | ple (Ada Lumen
SEEN
echo "as described"

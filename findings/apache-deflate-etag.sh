#!/usr/bin/env bash
# Apache never answers 304 to the entity tag of an answer that it has compressed.
#
# Expected: a client that sends back the tag it got is told that nothing has changed (RFC 9110, 13.1.2).
# Seen with Apache 2.4.71 of Debian 12: mod_deflate adds "-gzip" to the tag, and does not know it again, so the whole
# feed comes with each request. 304 comes when the client also names the tag without that ending. `DeflateAlterETag`
# changes it, and is off by default.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download --quiet apache2-bin=2.4.71-1~deb12u1 libapr1=1.7.2-3+deb12u1 libaprutil1=1.6.3-1+deb12u1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir site
chmod 755 .
for number in {1..200}; do echo "<item>$number</item>"; done >site/feed.xml
{
  echo "ServerName 127.0.0.1"
  echo "Listen 127.0.0.1:$port"
  echo "PidFile $work/pid"
  echo "ErrorLog $work/errors"
  echo "DocumentRoot $work/site"
  if ((EUID == 0)); then echo "User nobody"; fi
  for module in mpm_event authz_core mime filter deflate; do
    echo "LoadModule ${module}_module $work/usr/lib/apache2/modules/mod_$module.so"
  done
  echo "AddType application/rss+xml .xml"
  echo "AddOutputFilterByType DEFLATE application/rss+xml"
  echo "<Directory $work/site>"
  echo "Require all granted"
  echo "</Directory>"
} >conf
echo "application/rss+xml xml" >mime.types
echo "TypesConfig $work/mime.types" >>conf
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
usr/sbin/apache2 -f "$work/conf" -D FOREGROUND >log 2>&1 &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$work"' EXIT
for _ in {1..100}; do (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
python3 - "$port" >seen <<'PYTHON'
import http.client
import sys
def ask(**fields):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    connection.request("GET", "/feed.xml", headers={"Accept-Encoding": "gzip", **fields})
    answer = connection.getresponse()
    return answer.status, answer.getheader("ETag")
tag = ask()[1]
print("ends in -gzip:", tag.endswith('-gzip"'))
print("the same tag:", ask(If_None_Match=tag)[0])
print("both tags:", ask(If_None_Match=tag + ", " + tag.replace("-gzip", ""))[0])
PYTHON
diff - seen <<'SEEN'
ends in -gzip: True
the same tag: 200
both tags: 304
SEEN
echo "as described"

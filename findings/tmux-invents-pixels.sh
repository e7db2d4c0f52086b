#!/usr/bin/env bash
# tmux tells programs a size in pixels when it knows none.
#
# Expected: `ws_xpixel` and `ws_ypixel` of a terminal that has no pixels, such as a session that no terminal shows, are
# 0 (tty_ioctl(4): unused; programs take 0 for unknown).
# Seen with tmux 3.3a: a detached session of 80 by 24 cells has 1280 by 768 pixels, cells of 16 by 32. Programs that
# draw pictures compute with them, and a picture has other proportions than on the terminal that is attached later.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download --quiet tmux=3.3a-3 libevent-core-2.1-7=2.1.12-stable-8+deb12u1 libutempter0=1.2.1-3 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu TERM=screen LC_ALL=C.UTF-8
cat >size.py <<'PYTHON'
import fcntl
import struct
import termios
print(struct.unpack("4H", fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))), file=open("seen", "w"))
PYTHON
trap 'usr/bin/tmux -S "$work/socket" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
usr/bin/tmux -f /dev/null -S "$work/socket" new-session -d -x 80 -y 24 "python3 size.py"
for _ in {1..100}; do [[ -s seen ]] && break; sleep 0.1; done
diff - seen <<'SEEN'
(24, 80, 1280, 768)
SEEN
echo "as described"

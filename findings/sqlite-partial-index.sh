#!/usr/bin/env bash
# SQLite without statistics reads a covering index of all rows rather than a partial one of the few that it counts.
#
# Expected: an index of the ten rows that wait, whose condition is the query's own, is read to count them; it is smaller
# than an index of all 100,000 (SQLite's page "Partial Indexes" names this as its use).
# Seen with apsw 3.43.0.0 and 3.46.1.0, which contain the SQLite of the same number: 3.43 reads the ten. 3.46 reads all
# 100,000 from the index that has every column of the query, as 3.44 does. It does not see that the smaller index also
# answers it alone, because its condition says the rest. ANALYZE, or INDEXED BY in the query, brings it back.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/plans.py" <<'PYTHON'
import apsw

db = apsw.Connection(":memory:")
db.execute("""
    CREATE TABLE image(
      id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, day INTEGER NOT NULL, state INTEGER NOT NULL,
      hidden INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX newest ON image(feed, day DESC, state) WHERE hidden = 0;
    CREATE INDEX waiting ON image(feed, day DESC) WHERE hidden = 0 AND state <> 1;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO image(feed, day, state) SELECT 1, i, i > 10 FROM n;
    """)
condition = "WHERE feed = 1 AND hidden = 0 AND state <> 1"
print(apsw.sqlitelibversion(), "waiting:", db.execute(f"SELECT count(*) FROM image {condition}").get)


def tell(name, table="image"):
    plan = db.execute(f"EXPLAIN QUERY PLAN SELECT count(*) FROM {table} {condition}").fetchall()
    print(f"{name}: {plan[0][3]}")


tell("plain")
tell("named", "image INDEXED BY waiting")
db.execute("ANALYZE")
tell("analyzed")
PYTHON
for version in 3.43.0.0 3.46.1.0; do
  python3 -m venv "$work/$version"
  "$work/$version/bin/pip" install --quiet "apsw==$version"
  "$work/$version/bin/python" "$work/plans.py"
done >"$work/seen"
diff - "$work/seen" <<'SEEN'
3.43.0 waiting: 10
plain: SEARCH image USING INDEX waiting (feed=?)
named: SEARCH image USING INDEX waiting (feed=?)
analyzed: SEARCH image USING INDEX waiting (feed=?)
3.46.1 waiting: 10
plain: SEARCH image USING COVERING INDEX newest (feed=?)
named: SEARCH image USING INDEX waiting (feed=?)
analyzed: SEARCH image USING INDEX waiting (feed=?)
SEEN
echo "as described"

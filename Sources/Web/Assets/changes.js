// Applies the library's changes to the database. The server defines `isStatic` above.

import { base, keysOf, makeList, read, write } from "./store.js";
import { pullTree } from "./tree.js";

const all = ["images", "feeds", "pins", "facts"];

/** `order` sorts member by member: the newest first, then by position in the feed. */
const row = ({ id, seq, data }, epoch) => ({
  ...data, id, seq, epoch, order: [-(Date.parse(data.date) || 0), data.position ?? 0, id],
});

export function apply(line, store, epoch) {
  const { op, type, id, data } = line;
  const target = { image: "images", feed: "feeds", pin: "pins" }[type];
  if (!target) return;
  if (op === "delete") {
    store(target).delete(id);
    if (type === "image") store("pins").delete(id);
  } else if (op === "put") {
    if (type === "image") store(target).put(row(line, epoch));
    else store(target).put(type === "feed" ? { ...data, id } : data.pinned, id);
  }
}

/** Returns the lines that are valid JSON, and skips the others. */
export function parse(text) {
  return text.split("\n").flatMap((line) => {
    try {
      return line ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

/** Reads one page of changes and keeps it with the cursor after it. */
async function pullPage() {
  const { cursor, epoch = 0, isFresh } = (await read("facts", "state")) ?? {};
  const response = await fetch(`${base}/api/v1/changes${cursor ? `?since=${encodeURIComponent(cursor)}` : ""}`);
  if (response.status === 410) {
    const { resync } = await response.json();
    if (resync) return { count: Number(await pullTree()), more: true };
    // Start over: rows that are not sent again are gone.
    await write(all, (store) => store("facts").put({ epoch: epoch + 1, isFresh: true }, "state"));
    return { count: 0, more: true };
  }
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const lines = parse(await response.text());
  const last = lines.pop();
  if (!last?.cursor) throw new Error("The answer of the server is cut.");
  const old = isFresh && !last.more ? (await read("images")).filter((one) => one.epoch !== epoch) : [];
  await write(all, (store) => {
    const known = new Set(lines.filter(({ type }) => type === "image").map(({ id }) => id));
    for (const { id } of old) if (!known.has(id)) store("images").delete(id);
    for (const line of lines) apply(line, store, epoch);
    store("facts").put({ cursor: last.cursor, epoch, isFresh: isFresh && last.more }, "state");
    store("facts").put(Date.now(), "synced");
  });
  return { count: lines.length + old.length, more: last.more };
}

/** Stores the list of all images, so that the first view opens it without reading each image. */
async function writeList() {
  const list = await makeList({});
  await write(["buckets", "facts"], (store) => {
    store("buckets").clear();
    list.buckets.forEach((bucket, key) => store("buckets").put(bucket, key));
    store("facts").put(list.timeline, "timeline");
  });
}

/** Reads all changes since the last time, and returns whether there were any. */
export async function pull() {
  let isChanged = !(await keysOf("facts")).includes("timeline");
  if (isStatic) isChanged = (await pullTree()) || isChanged;
  while (!isStatic) {
    const { count, more } = await pullPage();
    isChanged ||= count > 0;
    if (!more) break;
  }
  if (isChanged) await writeList();
  return isChanged;
}

// Compares the copy with the library's tree of hashes, and reads the differences (Documentation/Changes.md).

import { apply, parse } from "./changes.js";
import { base, imagesAfter, mostListed, read, write } from "./store.js";

async function hashOf(head, images) {
  const lines = images.map(({ id, seq }) => `${id} ${seq}\n`);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${head}\n${lines.join("")}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function node(name, cache) {
  const response = await fetch(`${base}/api/v1/tree/${name}`, { cache });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response;
}

const json = async (name, cache) => (await node(name, cache)).json();

/** The ids and change numbers of the kept images, by feed and month. */
async function keptMonths() {
  const months = new Map();
  let images;
  do {
    images = await imagesAfter(images?.at(-1).order);
    for (const { id, seq, feed, date } of images) {
      const key = `${feed} ${date.slice(0, 7)}`;
      if (!months.has(key)) months.set(key, []);
      months.get(key).push({ id, seq });
    }
  } while (images.length > 0);
  for (const one of months.values()) one.sort((image, other) => image.id - other.id);
  return months;
}

/** Reads the leaves of a month that differ. Adds their old ids to `gone`, and their new ids to `known`. */
async function pullMonth(hash, own, epoch, { gone, known }) {
  const { leaves } = await json(hash);
  for (const leaf of leaves) {
    const kept = own.filter(({ id }) => id >= leaf.first && id <= leaf.last);
    if ((await hashOf("images", kept)) === leaf.hash) continue;
    const lines = parse(await (await node(leaf.hash)).text());
    for (const { id } of kept) gone.add(id);
    for (const { id } of lines) known.add(id);
    await write(["images"], (store) => lines.forEach((line) => apply(line, store, epoch)));
  }
}

/** Updates the copy to the newest tree, and returns whether the tree has changed. */
export async function pullTree() {
  const root = await json("root", "no-cache");
  const { tree, epoch = 0 } = (await read("facts", "state")) ?? {};
  const isChanged = tree !== root.hash;
  // The pages of a static site do not need a copy.
  const total = root.feeds.reduce((sum, { images }) => sum + images, 0);
  if (isStatic && total > mostListed) throw new Error("This gallery is too large to be kept.");
  const found = { gone: new Set(), known: new Set() };
  const feeds = [];
  const months = isChanged ? await keptMonths() : new Map();
  for (const { id, hash } of isChanged ? root.feeds : []) {
    const feed = await json(hash);
    feeds.push(feed.feed);
    for (const { month, hash: expected } of feed.months) {
      const key = `${id} ${month}`;
      const own = months.get(key) ?? [];
      months.delete(key);
      if ((await hashOf(`month ${key}`, own)) !== expected) await pullMonth(expected, own, epoch, found);
    }
  }
  for (const rest of months.values()) for (const { id } of rest) found.gone.add(id);
  await write(["images", "feeds", "pins", "facts"], (store) => {
    for (const id of found.gone) if (!found.known.has(id)) store("images").delete(id);
    if (isChanged) {
      for (const one of ["feeds", "pins"]) store(one).clear();
      for (const line of feeds) apply(line, store, epoch);
      for (const { id, pinned } of root.pins) store("pins").put(pinned, id);
    }
    store("facts").put({ cursor: root.cursor, tree: root.hash, epoch }, "state");
    store("facts").put(Date.now(), "synced");
  });
  return isChanged;
}

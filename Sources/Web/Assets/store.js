// This browser's copy of the library, in a database. Both workers use it.

import { fold, titleKey } from "./folding.js";

export const base = location.pathname.replace(/\/(assets\/[^/]+\/)?[^/]*$/, "");
export const library = `gallery${base}`;
export const pictures = `${library} pictures`;

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

let opened;
const database = () => (opened ??= open());

async function open() {
  const request = indexedDB.open(library, 1);
  request.onupgradeneeded = () => {
    const images = request.result.createObjectStore("images", { keyPath: "id" });
    images.createIndex("order", "order");
    for (const store of ["feeds", "pins", "buckets", "facts"]) request.result.createObjectStore(store);
  };
  try {
    const made = await result(request);
    made.onversionchange = made.onclose = () => (opened = made.close());
    return made;
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

export async function read(store, key) {
  const found = (await database()).transaction(store).objectStore(store);
  return result(key === undefined ? found.getAll() : found.get(key));
}

export const keysOf = async (store) => result((await database()).transaction(store).objectStore(store).getAllKeys());

/** Calls `change` in one transaction, with a function that returns a store by name. */
export async function write(stores, change) {
  const transaction = (await database()).transaction(stores, "readwrite");
  change((store) => transaction.objectStore(store));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Up to 1,000 images after the order `after`, the newest first. */
export async function imagesAfter(after) {
  const images = (await database()).transaction("images").objectStore("images").index("order");
  return result(images.getAll(after && IDBKeyRange.lowerBound(after, true), 1000));
}

const orders = {
  oldest: (one, other) => indexedDB.cmp(other.order, one.order),
  added: (one, other) => other.added.localeCompare(one.added),
  title: (one, other) => indexedDB.cmp(one.place, other.place),
  feed: (one, other) => one.feed - other.feed || one.order[1] - other.order[1] || one.id - other.id,
};
export const mostListed = 200_000;
const mostInBucket = 2000;

function tile({ id, feed, order, date, firstSeen, title, caption, width, height, thumbnail, original }) {
  const { width: across = width, height: down = height } = thumbnail ?? {};
  return {
    id, feed, order, month: date?.slice(0, 7), added: firstSeen ?? "", title, name: title || caption || "",
    ratio: across > 0 && down > 0 ? across / down : 0, thumbnail: thumbnail?.sha256 ?? "",
    colours: thumbnail?.colours ?? "A".repeat(48), original: Boolean(original),
  };
}

/** The tiles of a feed's images, or of all, that contain the words. */
export async function tiles({ feed, q = "", sort, since, pinned }) {
  const feeds = new Map((await read("feeds")).map((one) => [one.id, one]));
  const words = fold(q).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const pins = new Set(await keysOf("pins"));
  const first = since ? Date.parse(since) : -Infinity;
  const fits = (image) => {
    const source = feeds.get(image.feed);
    if (!source || (feed && image.feed !== Number(feed)) || (pinned && !pins.has(image.id))) return false;
    if (-image.order[0] < first || (q && !words.length)) return false;
    const text = fold([image.title, image.caption, image.author, source.title].join(" "));
    return words.every((word) => text.includes(word));
  };
  const found = [];
  let images;
  do {
    images = await imagesAfter(images?.at(-1).order);
    for (const image of images) if (fits(image)) found.push({ ...tile(image), pin: pins.has(image.id) });
  } while (images.length > 0 && found.length < mostListed);
  if (sort === "title") for (const one of found) one.place = [titleKey(one.title), one.order[1], one.id];
  return orders[sort] ? found.sort(orders[sort]) : found;
}

/** A list in the form of the API: the timeline, and the columns of each of its buckets. */
export async function makeList({ sort = "newest", ...query }, synced) {
  const isDated = sort === "newest" || sort === "oldest";
  const found = await tiles({ ...query, sort });
  const buckets = [];
  for (const one of found) {
    const month = isDated ? one.month : undefined;
    if (!buckets.length || buckets.at(-1).month !== month || buckets.at(-1).tiles.length === mostInBucket) {
      buckets.push({ month, tiles: [] });
    }
    buckets.at(-1).tiles.push(one);
  }
  const column = (parts, member) => parts.map((one) => one[member]);
  return {
    timeline: {
      version: "kept", kept: synced, total: found.length, sort,
      buckets: buckets.map((bucket, key) => ({ key: String(key), month: bucket.month, count: bucket.tiles.length })),
    },
    buckets: buckets.map((bucket) => ({
      ids: column(bucket.tiles, "id"), names: column(bucket.tiles, "name"), ratios: column(bucket.tiles, "ratio"),
      thumbnails: column(bucket.tiles, "thumbnail"), originals: column(bucket.tiles, "original"), pins: column(bucket.tiles, "pin"),
      colours: column(bucket.tiles, "colours").join(""),
    })),
  };
}

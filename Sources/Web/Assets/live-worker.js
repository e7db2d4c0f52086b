// Runs once for all tabs of a browser: follows events, reads changes, and keeps pictures.

import { pull } from "./changes.js";
import { base, keysOf, library, pictures, read, tiles, write } from "./store.js";

const channel = new BroadcastChannel(library);
const usual = { newest: 500, feeds: [], pins: true };
// Browsers open six connections to a server; leave most to the page.
const atOnce = 2;
// Milliseconds between two checks of a static site.
const aWhile = 900_000;
let isKeeping = false;
let isWaiting = false;
let isComplete = false;

/** Tells all tabs whether the server is reachable, and reports changes. */
function listen() {
  if (isStatic) {
    keep();
    setInterval(keep, aWhile);
    return;
  }
  const events = new EventSource(`${base}/api/v1/events`);
  const changed = ({ data }) => {
    channel.postMessage({ isAway: false, ...JSON.parse(data) });
    keep();
  };
  events.onmessage = changed;
  events.addEventListener("reset", changed);
  events.onerror = async () => {
    const isClosed = events.readyState === EventSource.CLOSED;
    const { status } = isClosed ? await fetch(`${base}/api/v1/images?limit=1`).catch(() => ({})) : {};
    channel.postMessage({ isAway: true, isRefused: status === 401 });
    if (isClosed) setTimeout(listen, 10_000);
  };
}

/** Updates the copy. A call during an update starts another one after it. */
async function keep() {
  isWaiting = true;
  if (isKeeping || !self.caches) return;
  isKeeping = true;
  while (isWaiting) {
    isWaiting = false;
    const start = performance.now();
    try {
      const settings = (await read("facts", "settings")) ?? usual;
      if (settings.newest === null) await forget();
      else {
        const isChanged = await pull();
        if (isStatic) channel.postMessage({ isAway: false, cursor: "", images: Number(isChanged), feeds: [] });
        if (isChanged) isComplete = false;
        if (!isComplete) await keepPictures(settings);
        isComplete = !isWaiting;
      }
      await report();
    } catch (error) {
      if (isStatic) channel.postMessage({ isAway: true });
      await report(error.message).catch(() => {});
    }
    // A sync changes the library every second: pause half of the time.
    await new Promise((resolve) => setTimeout(resolve, performance.now() - start));
  }
  isKeeping = false;
}

async function wantedPictures({ newest, feeds, pins }) {
  const list = await tiles({});
  const wanted = new Set(list.slice(0, newest).map((one) => one.thumbnail));
  const pinned = new Set(pins ? await keysOf("pins") : []);
  for (const { id, thumbnail } of list) if (pinned.has(id)) wanted.add(thumbnail);
  for (const feed of feeds) for (const { thumbnail } of await tiles({ feed })) wanted.add(thumbnail);
  wanted.delete("");
  const addresses = new Set([...wanted].map((hash) => `${base}/t/${hash}`));
  for (const id of pinned) {
    const { original } = (await read("images", id)) ?? {};
    if (original) addresses.add(`${base}/o/${original.sha256}`);
  }
  return addresses;
}

async function keepPictures(settings) {
  const wanted = await wantedPictures(settings);
  const cache = await caches.open(pictures);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!wanted.delete(pathname)) await cache.delete(pathname);
  }
  const missing = [...wanted];
  const next = async () => {
    while (missing.length > 0 && !isWaiting) {
      const address = missing.shift();
      const response = await fetch(address, { priority: "low" });
      if (response.ok) await cache.put(address, response);
      if (missing.length % 50 === 1) await report();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

async function forget() {
  await caches.delete(pictures);
  await write(["images", "feeds", "pins", "buckets", "facts"], (store) => {
    for (const one of ["images", "feeds", "pins", "buckets"]) store(one).clear();
    for (const fact of ["state", "timeline", "synced"]) store("facts").delete(fact);
  });
}

/** Sends the state of the copy to the dialog. */
async function report(problem) {
  const { usage, quota } = await navigator.storage.estimate();
  const feeds = (await read("feeds")).map(({ id, title, url }) => ({ id, title: title ?? url }));
  const count = (await (await caches.open(pictures)).keys()).length;
  const settings = (await read("facts", "settings")) ?? usual;
  channel.postMessage({ kept: { settings, usage, quota, feeds, count, synced: await read("facts", "synced"), problem } });
}

async function lead() {
  channel.onmessage = async ({ data }) => {
    if (data.settings) await write(["facts"], (store) => store("facts").put(data.settings, "settings"));
    if (data.settings) {
      isComplete = false;
      keep();
    }
    if (data.isAsking) report();
    if (data.isLooking) keep();
  };
  listen();
  await new Promise(() => {});
}

// A browser without shared workers runs this in each tab; the tab with the lock does the work. Locks need a
// secure context, as caches do.
if (!self.clients) {
  if (navigator.locks) navigator.locks.request(library, lead);
  else lead();
}

// Opens pages from the cache first, and answers for an unreachable server. The server defines above: `assets`,
// the folder of the assets; `names`, their names; and `isStatic`. A static site is asked only for files.

import { base, library, makeList, pictures, read } from "./store.js";

const app = `${library} app`;
const ours = `${app} ${assets}`;
const shell = `${base}/${isStatic ? "index.html" : ""}`;
const feedsPage = `/feeds${isStatic ? ".html" : ""}`;
const listPaths = isStatic ? /^\/(index\.html|feeds\/\d+\/index\.html)?$/ : /^\/(feeds\/\d+|search)?$/;
// The other pages that a browser can show without the server.
const ownPaths = /^\/(feeds(\.html)?|frame|images\/\d+)$/;
const longestWait = 4000;
let lists = {};

async function fill() {
  const cache = await caches.open(ours);
  await cache.addAll([`${base}/worker.js`, ...names.map((file) => `${base}/assets/${assets}/${file}`)]);
  await keepPage(shell);
  await keepPage(`${base}${feedsPage}`);
  if (!isStatic) await keepPage(`${base}/frame`);
}

/** A page without its tiles, because the script makes current ones, and without the addresses of their pictures. */
async function bare(response) {
  const headers = new Headers(response.headers);
  headers.delete("Link");
  const html = await response.text();
  const parts = [/(<ul class="tiles">)[^]*?(<\/ul>)/, /(<nav class="pages"[^>]*>).*?(<\/nav>)/, /(<div class="views">)[^]*?(<\/div>\n<footer)/, /(<div class="slides">).*?(<\/div>)/];
  return new Response(parts.reduce((text, part) => text.replace(part, "$1$2"), html), { headers });
}

/** Caches a page, with its tiles if the site is static. */
async function keepPage(address, given) {
  const response = given ?? (await fetch(address, { cache: "no-cache" }));
  const html = await response.clone().text();
  // A list that is no more, such as that of a removed feed.
  if (response.status === 404) await (await caches.open(ours)).delete(address);
  if (!response.ok || !html.includes(assets)) return;
  await (await caches.open(ours)).put(address, isStatic ? new Response(html, { headers: response.headers }) : await bare(response));
}

/** Keeps the previous version's cache for its open pages; deletes older ones. */
async function takeOver() {
  const versions = (await caches.keys()).filter((one) => one.startsWith(app));
  await Promise.all(versions.slice(0, -2).map((one) => caches.delete(one)));
  await clients.claim();
}

/** Pages of the previous version ask for its files. */
async function asset(request) {
  const cache = await caches.open(ours);
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

async function page(event, path) {
  const { request } = event;
  const address = path === "/" ? shell : `${base}${path}`;
  const cache = await caches.open(ours);
  const isList = listPaths.test(path);
  if (isList) {
    const isSearch = path === "/search";
    const kept = await cache.match(isSearch ? shell : address);
    if (!isSearch) event.waitUntil(keepPage(address).catch(() => {}));
    if (kept) return isStatic && (await read("facts", "synced")) ? bare(kept) : kept;
  }
  try {
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), longestWait);
    const response = await fetch(request, { signal: stop.signal });
    clearTimeout(late);
    if (path === feedsPage) event.waitUntil(keepPage(address, response.clone()));
    return response;
  } catch {
    // Addresses in a static page are valid only in its folder.
    if (isStatic && !isList) return (await cache.match(address)) ?? Response.redirect(shell);
    return (await cache.match(address)) || ((isList || ownPaths.test(path)) && (await cache.match(shell))) || Response.error();
  }
}

async function picture(request, path) {
  const cache = await caches.open(pictures);
  const id = path.match(/^\/images\/(\d+)\/original$/)?.[1];
  const original = id && (await read("images", Number(id)).catch(() => null))?.original;
  const file = original?.sha256 ? `${base}/o/${original.sha256}` : request;
  // The server turns a WebP by its EXIF, which browsers ignore.
  const turned = !isStatic && original?.type === "image/webp" && (await fetch(request).catch(() => null));
  if (turned?.ok) return turned;
  const found = await cache.match(file);
  if (found || file === request) return found ?? fetch(request);
  // The address by the hash may be in the browser's own cache.
  const response = await fetch(file);
  return response.ok || isStatic ? response : fetch(request);
}

/** Answers like the API, from this browser's copy. */
async function kept(path, { v, ...query }) {
  const [, resource, key] = path.match(/^\/(timeline|images|feeds)(?:\/(\d+))?$/) ?? [];
  if (resource === "timeline") return keptList(query, key);
  if (resource === "feeds") return { feeds: await read("feeds") };
  const image = key && (await read("images", Number(key)));
  if (!image) return null;
  const feed = await read("feeds", image.feed);
  const facts = { feed: feed && { id: feed.id, title: feed.title ?? feed.url }, feedURL: feed?.url, feedFormat: feed?.format };
  return { ...image, ...facts, pinned: Boolean(await read("pins", image.id)) };
}

/** Whether only the server has the list: the copy does not tell what cameras have written. */
function isOnlyTheServers({ q = "", sort }) {
  return !isStatic && (sort === "taken" || /(^|\s)camera:\S/i.test(q));
}

async function keptList(query, key) {
  const synced = await read("facts", "synced");
  if (!synced || isOnlyTheServers(query)) return null;
  const text = JSON.stringify(query);
  if (text === "{}") return key ? read("buckets", Number(key)) : { ...(await read("facts", "timeline")), kept: synced };
  if (!lists[text] || (!key && lists[text].timeline.kept !== synced)) lists = { [text]: await makeList(query, synced) };
  return key ? lists[text].buckets[key] : lists[text].timeline;
}

async function api(request, path, query) {
  const isBucket = path.startsWith("/timeline/");
  const isKept = isStatic || request.headers.has("X-Kept");
  if (!isKept) {
    try {
      return await fetch(request);
    } catch (error) {
      // Only the server has the buckets of its timeline.
      if (isBucket) throw error;
    }
  }
  const answer = await kept(path, query).catch(() => null);
  if (!answer && isKept) return new Response(null, { status: 204 });
  return answer ? Response.json(answer) : Response.json({ title: "The server is away." }, { status: 503 });
}

function answer(event, { pathname, searchParams }) {
  const path = pathname.slice(base.length);
  if (searchParams.has("token")) return null;
  if (event.request.mode === "navigate") return page(event, path);
  if (/^\/(assets\/|worker\.js$)/.test(path)) return asset(event.request);
  if (/^\/([to]\/|images\/\d+\/original)/.test(path)) return picture(event.request, path);
  if (/^\/api\/v1\/(timeline|images|feeds)/.test(path)) return api(event.request, path.slice(7), Object.fromEntries(searchParams));
  return null;
}

if (self.clients) {
  addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));
  addEventListener("activate", (event) => event.waitUntil(takeOver()));
  addEventListener("fetch", (event) => {
    const address = new URL(event.request.url);
    if (event.request.method !== "GET" || address.origin !== location.origin) return;
    const response = answer(event, address);
    if (response) event.respondWith(response);
  });
}

// The list of images: the grid, the scrubber, search, sorts and the viewer above them.

import { api, away, setPin, withQuery } from "./api.js";
import { startDateDialog, startSearch } from "./controls.js";
import { Current } from "./current.js";
import { announce, base, countText, element, find, findAll, isAdmin, isStatic, monthText, startsNewContext } from "./dom.js";
import { Grid } from "./grid.js";
import { GridKeys } from "./grid-keys.js";
import { hear, startWorkers, tell } from "./live.js";
import { Overlay } from "./overlay.js";
import { onKey } from "./page.js";
import { Scrubber } from "./scrubber.js";
import { Timeline } from "./timeline.js";

/** The query of the list at this address. */
function readQuery() {
  const path = location.pathname.slice(base.length);
  const parameters = new URLSearchParams(location.search);
  return {
    feed: path.match(/^\/feeds\/(\d+)/)?.[1] ?? parameters.get("feed") ?? "",
    q: parameters.get("q")?.trim() ?? "",
    sort: parameters.get("sort") ?? "newest",
    since: parameters.get("since") ?? "",
    pinned: parameters.get("pinned") ?? "",
  };
}

/** The members that are not the default, for the API and for addresses. */
const setMembers = (query) => ({ ...query, sort: query.sort === "newest" ? "" : query.sort });

function listAddress(query) {
  const { feed, q, ...rest } = setMembers(query);
  // A static page selects its list by the parameters.
  if (isStatic) return withQuery(location.pathname, { q, feed: feed === list.dataset.feed ? "" : feed, ...rest });
  if (q) return withQuery(`${base}/search`, { q, feed, ...rest });
  return withQuery(feed ? `${base}/feeds/${feed}` : `${base}/`, rest);
}

/** The address of the list as a feed of a kind: json, rss, atom or iiif. */
function feedAddress(kind, query) {
  const { feed, ...rest } = setMembers(query);
  const name = feed ? `feeds/${feed}` : rest.q ? "search" : "images";
  return withQuery(kind === "iiif" ? `${base}/iiif/${name}/manifest.json` : `${base}/${name}.${kind}`, rest);
}

const list = find("main.list");
const heading = find("h1", list);
const host = element("div", { className: "grid", role: "grid", "aria-label": "Images", hidden: true });
find(".tiles").before(host);
const grid = new Grid(host, find(".bar"), { moved, stale: () => show(query, { keepsPlace: true }) });
const keys = new GridKeys(grid);
const scrubber = new Scrubber(list, grid);
const overlay = new Overlay(grid, keys, () => setMembers(query));
const current = new Current(list, grid, () => overlay.isOpen, (keepsPlace) => show(query, { keepsPlace }));
let query = readQuery();
let reading;
// A page from the cache may show another list.
const isOwn = list.dataset.feed === query.feed && find("input[name=q]").defaultValue === query.q;
let name = list.dataset.name || (isOwn && !query.q && !query.pinned ? heading.textContent : find(".home").title);
const feedLinks = [...findAll(".list-foot a, link[rel=alternate][type$=xml], link[rel=alternate][type^='application/feed']")];
const feedKinds = feedLinks.map(({ href }) => href.match(/\/iiif\/|(json|rss|atom)(\?|$)/)?.[1] ?? "iiif");
const note = find(".note").firstElementChild;
const emptyNote = note.textContent;

/** Shows the list of a query. The old one stays until the new one has been read. */
async function show(next, { index = 0, within = 0, keepsPlace = false, isKept = false } = {}) {
  query = next;
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  try {
    const timeline = await Timeline.read(setMembers(next), { signal, isKept });
    const place = keepsPlace && grid.timeline?.total && timeline.total ? await grid.placeIn(timeline) : { index, within };
    if (timeline.total > 0) await timeline.load(timeline.sectionOf(place.index)).catch(() => {});
    if (signal.aborted) return;
    present(timeline, place.index, place.within, keepsPlace);
    if (!isKept && !isStatic) current.problem = timeline.kept ? away : "";
  } catch (error) {
    if (error.name === "AbortError" || isKept || isStatic) return;
    // The list changed between two requests.
    if (error.status === 409) return show(next, { index, within, keepsPlace });
    current.problem = error.status ? error.message : away;
  }
}

function present(timeline, index, within, keepsPlace) {
  for (const part of [".tiles", ".pages", ".months", ".views"]) find(part)?.remove();
  for (const part of [".sorts", ".search"]) find(part).hidden = false;
  document.documentElement.classList.add("begun");
  const isEmpty = timeline.total === 0;
  host.hidden = isEmpty;
  find(".note").hidden = !isEmpty;
  note.textContent = query.q || query.pinned ? "No image matches." : emptyNote || "No images yet.";
  const count = countText(timeline.total);
  // A list that is only brought up to date leaves what was announced, such as a pin, unless images came or went.
  if (!keepsPlace || find(".count").textContent !== count) announce(count);
  find(".count").textContent = count;
  heading.textContent = headingText();
  document.title = `${heading.textContent} · Gallery`;
  markSorts();
  markViews();
  list.classList.toggle("long", timeline.total > 60);
  grid.show(timeline, Math.min(index, timeline.total - 1), within);
  scrubber.show(timeline);
}

function headingText() {
  if (query.q) return `Search for “${query.q}”${query.feed ? ` in ${name}` : ""}`;
  return query.pinned && !query.feed ? "Pinned images" : name;
}

/** Updates the other views of the list: in all feeds, pinned, as a slide show, and as feeds. */
function markViews() {
  const { feed, pinned } = query;
  const [widen, pins, show] = [".widen", ".pinned", ".show"].map((one) => find(one, list));
  find(".list-foot").hidden = isStatic;
  if (!show) return;
  widen.hidden = !query.q || !feed;
  widen.href = listAddress({ ...query, feed: "" });
  pins.href = listAddress({ ...query, pinned: pinned ? "" : "1" });
  pins.toggleAttribute("aria-current", Boolean(pinned));
  show.href = withQuery(`${base}/frame`, setMembers(query));
  feedLinks.forEach((link, at) => (link.href = feedAddress(feedKinds[at], query)));
}

function markSorts() {
  for (const sort of findAll("[data-sort]", list)) {
    sort.href = listAddress({ ...query, sort: sort.dataset.sort });
    if (sort.dataset.sort === query.sort) sort.setAttribute("aria-current", "true");
    else sort.removeAttribute("aria-current");
  }
}

let saving;
function moved() {
  keys.refresh();
  current.moved();
  scrubber.update();
  clearTimeout(saving);
  saving = setTimeout(savePlace, 250);
}

/** Stores the place in the history entry, for Back. */
function savePlace() {
  if (overlay.isOpen || !grid.timeline?.total) return;
  const index = grid.firstIndex;
  const place = grid.position > 0 ? { index, within: grid.within } : { index: 0, within: 0 };
  history.replaceState({ ...history.state, ...place }, "");
}

/** Shows another list, and puts its address into the history. */
function go(next, { replaces = false } = {}) {
  history[replaces ? "replaceState" : "pushState"]({}, "", listAddress(next));
  show(next);
}

function goToMonth(month) {
  const { months } = grid.timeline;
  const isDescending = months.length > 1 && months[0].month > months[1].month;
  const found = isDescending ? months.find((one) => one.month <= month) : months.findLast((one) => one.month <= month);
  const { index } = found ?? months.at(isDescending ? -1 : 0);
  grid.jump(index);
  history.replaceState(history.state, "", `#${month}`);
  return index;
}

async function togglePin(index) {
  try {
    const { id } = await grid.timeline.image(index);
    const { pinned } = await api(`/images/${id}`);
    await setPin(id, !pinned);
    announce(pinned ? "Unpinned" : "Pinned", true);
  } catch (error) {
    announce(error.message, true);
  }
}

host.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-index]");
  if (!link || startsNewContext(event)) return;
  event.preventDefault();
  overlay.open(Number(link.dataset.index));
});
list.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-sort], a.pinned, a.widen");
  if (!link || startsNewContext(event)) return;
  event.preventDefault();
  if (link.dataset.sort) go({ ...query, sort: link.dataset.sort });
  else go(link.className === "widen" ? { ...query, feed: "" } : { ...query, pinned: query.pinned ? "" : "1" });
});
addEventListener("popstate", (event) => {
  if (overlay.follow(event.state)) return;
  if (listAddress(readQuery()) !== listAddress(query)) show(readQuery(), event.state ?? {});
});

const askDate = startDateDialog(() => grid.timeline, (month) => keys.focus(goToMonth(month)));
onKey((key) => {
  if (overlay.isOpen || !grid.timeline) return false;
  if (key === "g d") askDate();
  else if (key === "p" && isAdmin && keys.current >= 0) togglePin(keys.current);
  else return keys.handle(key);
  return true;
});
startSearch(() => query, go, () => keys.focus(0));
history.scrollRestoration = "manual";
// The first use of a locale takes milliseconds: spend them while the server answers.
setTimeout(() => monthText("2000-01"));
setTimeout(() => countText(1));
const month = /^#\d{4}-\d\d$/.test(location.hash) && !history.state?.index && location.hash.slice(1);
if (!isOwn && query.feed) {
  const { feeds } = await api("/feeds").catch(() => ({ feeds: [] }));
  name = feeds.find(({ id }) => id === Number(query.feed))?.title ?? name;
}
/** Opens the month or image that the address names. */
async function openNamed() {
  if (month && grid.timeline?.isDated) goToMonth(month);
  const place = location.hash.match(/^#image-(\d+)$/);
  if (place) {
    // Back from the page of an image.
    history.replaceState(history.state, "", listAddress(query));
    const index = await grid.timeline.indexOf(Number(place[1]));
    if (index > 0) grid.jump(index);
    return index < 0 || keys.focus(index);
  }
  const named = location.pathname.slice(base.length).match(/^\/images\/(\d+)/) ?? location.hash.match(/^#i(\d+)$/);
  const opened = named?.[1] ?? (isStatic && new URLSearchParams(location.search).get("image"));
  if (!opened) return;
  history.replaceState({}, "", listAddress(query));
  const index = await grid.timeline.indexOf(Number(opened));
  if (index >= 0) overlay.open(index);
}

/** A static page stays unchanged until the worker has read the list, and while one of its views is open. */
async function begin() {
  if (grid.timeline || find(".view:target") || !navigator.serviceWorker?.controller) return;
  await show(query, { ...history.state, isKept: true });
  if (grid.timeline) await openNamed();
}

if (isStatic) {
  hear(({ isAway }) => isAway === false && begin());
  navigator.serviceWorker?.addEventListener("controllerchange", begin);
  addEventListener("hashchange", begin);
  await begin();
  startWorkers();
  tell({ isLooking: true });
} else {
  // Show this browser's copy of the list first, without waiting for the network.
  if (navigator.serviceWorker?.controller) await show(query, { ...history.state, isKept: true });
  await show(query, { ...history.state, keepsPlace: true });
  await openNamed();
  startWorkers();
}

// The slide show: the next picture is decoded before it is shown. It runs for weeks, also without the server.

import { api, withQuery } from "./api.js";
import { base, element, find } from "./dom.js";
import { startWorkers } from "./live.js";
import { onKey, toggleFullScreen } from "./page.js";

const frame = find(".frame");
const slides = find(".slides");
const title = find(".slide-title");
const note = find(".frame-note");
// The browser may have this page from another address.
const { seconds: asked, ...query } = Object.fromEntries(new URLSearchParams(location.search));
const seconds = Math.max(2, Number(asked) || Number(frame.dataset.seconds));
const longestWait = 60;
const longestLoad = 30;
// Without the server, most pictures are missing.
const mostTries = 50;

let isPaused = false;
let list;
let shownPage = find(".slide-title a")?.getAttribute("href");
let skip = () => {};
// The ids of the images that have been shown.
const seen = new Set();

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time * 1000));

/** The numbers from 0 to the length, in random order. */
function shuffled(length) {
  const numbers = Array.from({ length }, (_, number) => number);
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [numbers[last], numbers[other]] = [numbers[other], numbers[last]];
  }
  return numbers;
}

/** Reads the list, from the server or else from this browser's copy. After all of its images, it begins again. */
async function readList() {
  if (list) seen.clear();
  const timeline = await api(withQuery("/timeline", query));
  list = { ...timeline, left: shuffled(timeline.total) };
}

/** The bucket of an index of the list, and the place in it. */
async function findImage(index) {
  let at = index;
  for (const { key, count } of list.buckets) {
    if (at < count) {
      const bucket = await api(withQuery(`/timeline/${key}`, { ...query, v: list.version }), { isKept: Boolean(list.kept) });
      return { id: bucket.ids[at], name: bucket.names[at], thumbnail: bucket.thumbnails[at] };
    }
    at -= count;
  }
}

/** Takes the next image that has not been shown, or the last one of the list. */
async function takeImage() {
  let image;
  do {
    image = await findImage(list.left.at(-1));
    list.left.pop();
  } while (seen.has(image.id) && list.left.length > 0);
  seen.add(image.id);
  return image;
}

async function load(src, name) {
  const picture = element("img", { className: "slide", src, alt: name || "Untitled image" });
  await Promise.race([picture.decode(), sleep(longestLoad).then(() => Promise.reject(new Error("late")))]);
  return picture;
}

/** The next image of the list, which repeats none until all have been shown: its original, or else its thumbnail. */
async function nextSlide() {
  if (!list?.left.length) await readList();
  note.textContent = query.q || query.pinned ? "No image matches." : "No images yet.";
  note.hidden = list.total > 0;
  if (!list.total) throw new Error(note.textContent);
  for (let tries = 1; ; tries++) {
    const { id, name, thumbnail } = await takeImage();
    const addresses = [`${base}/images/${id}/original`, ...(thumbnail ? [`${base}/t/${thumbnail}`] : [])];
    for (const address of addresses) {
      const picture = await load(address, name).catch(() => null);
      if (picture) return { picture, name, page: `${base}/images/${id}` };
    }
    if (tries === mostTries || list.left.length === 0) throw new Error("No picture can be shown.");
  }
}

function show({ picture, name, page }) {
  shownPage = page;
  const before = [...slides.children];
  slides.append(picture);
  // Forces layout, so that the change of opacity is animated.
  picture.getBoundingClientRect();
  picture.classList.add("shown");
  for (const slide of before) slide.classList.remove("shown");
  setTimeout(() => before.forEach((slide) => slide.remove()), 1500);
  title.replaceChildren(...(name ? [element("a", { href: page, textContent: name })] : []));
}

/** Runs for ever. After a failure it keeps the picture, and doubles the wait until the next attempt. */
async function run() {
  let wait = 1;
  let shownAt = slides.childElementCount > 0 ? performance.now() : -Infinity;
  for (;;) {
    try {
      const slide = await nextSlide();
      wait = 1;
      const rest = Math.max(0, seconds - (performance.now() - shownAt) / 1000);
      await Promise.race([sleep(rest).then(whilePaused), new Promise((resolve) => (skip = resolve))]);
      show(slide);
      shownAt = performance.now();
    } catch (error) {
      // The list has changed: read it again.
      if (error.status === 409 || error.status === 404) list = undefined;
      await sleep(wait);
      wait = Math.min(longestWait, wait * 2);
    }
  }
}

async function whilePaused() {
  while (isPaused) await sleep(0.25);
}

function setPaused(paused) {
  isPaused = paused;
  find("[data-action=pause]").setAttribute("aria-pressed", paused);
}

let sleeping;
function wake() {
  frame.classList.add("awake");
  clearTimeout(sleeping);
  sleeping = setTimeout(() => frame.classList.remove("awake"), 3000);
}

/** Keeps the screen on if the browser can; the lock ends when the page is hidden. */
const keepAwake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});

for (const name of ["pointermove", "pointerdown", "keydown"]) addEventListener(name, wake);
document.addEventListener("visibilitychange", keepAwake);
onKey((key, { target }) => {
  if (key === "ArrowRight" || key === "j") skip();
  else if (key === "i" && shownPage) location.assign(shownPage);
  else if (key === "Escape") find("[data-action=close]").click();
  else if (key === " " && !(target instanceof HTMLButtonElement)) setPaused(!isPaused);
  else return false;
  return true;
});
for (const [name, action] of [["pause", () => setPaused(!isPaused)], ["fullscreen", toggleFullScreen]]) {
  const button = find(`[data-action=${name}]`);
  button.hidden = false;
  button.addEventListener("click", action);
}
keepAwake();
startWorkers();
run();

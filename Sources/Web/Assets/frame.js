// The slide show: the next picture is decoded before it is shown. It runs for weeks.

import { withQuery } from "./api.js";
import { base, element, find } from "./dom.js";
import { toggleFullScreen } from "./page.js";

const frame = find(".frame");
const slides = find(".slides");
const title = find(".slide-title");
const seconds = Math.max(2, Number(frame.dataset.seconds) || 10);
const { feed, q } = frame.dataset;
const longestWait = 60;

let isPaused = false;
let shownPage = find(".slide-title a")?.getAttribute("href");

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time * 1000));

/** Asks for a random picture and decodes it. */
async function nextSlide() {
  const response = await fetch(withQuery(`${base}/random`, { feed, q }), {
    headers: { Accept: "application/json" }, cache: "no-store", signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const isDescribed = response.headers.get("Content-Type")?.includes("json");
  const slide = isDescribed ? await response.json() : { address: response.url, title: "" };
  const picture = element("img", { className: "slide", src: slide.address, alt: slide.title || "Untitled image" });
  await picture.decode();
  return { ...slide, picture };
}

function show({ picture, title: text, page }) {
  shownPage = page;
  const before = [...slides.children];
  slides.append(picture);
  // Forces layout, so that the change of opacity is animated.
  picture.getBoundingClientRect();
  picture.classList.add("shown");
  for (const slide of before) slide.classList.remove("shown");
  setTimeout(() => before.forEach((slide) => slide.remove()), 1500);
  title.replaceChildren(...(text ? [element("a", { href: page, textContent: text })] : []));
}

/** Runs for ever. After a failure it keeps the picture, and doubles the wait until the next attempt. */
async function run() {
  let wait = 1;
  let shownAt = performance.now();
  for (;;) {
    try {
      let slide = await nextSlide();
      if (slide.page && slide.page === shownPage) slide = await nextSlide();
      wait = 1;
      await sleep(Math.max(0, seconds - (performance.now() - shownAt) / 1000));
      while (isPaused) await sleep(0.25);
      show(slide);
      shownAt = performance.now();
    } catch {
      await sleep(wait);
      wait = Math.min(longestWait, wait * 2);
    }
  }
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
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLButtonElement) return;
  if (event.key === " ") setPaused(!isPaused);
});
for (const [name, action] of [["pause", () => setPaused(!isPaused)], ["fullscreen", toggleFullScreen]]) {
  const button = find(`[data-action=${name}]`);
  button.hidden = false;
  button.addEventListener("click", action);
}
keepAwake();
run();

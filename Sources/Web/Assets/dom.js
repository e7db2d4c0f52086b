// Elements, and dates and numbers in the reader's locale.

const root = document.documentElement;

/** Whether the pages are static files (`gallery export --static`). */
export const isStatic = "static" in root.dataset;
/** The prefix of every address of this server. */
export const base = isStatic ? new URL(root.dataset.base, location).pathname.replace(/\/$/, "") : root.dataset.base;
export const isAdmin = "admin" in root.dataset;

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => within.querySelectorAll(selector);

/** Makes an element. Names with a hyphen, and `role`, become attributes; all others are properties. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

// A formatter takes milliseconds to make, and few pages need all of them.
const formats = {};
const format = (name, options) => (formats[name] ??= new Intl.DateTimeFormat(undefined, options));
const months = () => format("months", { year: "numeric", month: "long", timeZone: "UTC" });
const days = () => format("days", { dateStyle: "long", timeZone: "UTC" });
const times = () => format("times", { dateStyle: "long", timeStyle: "short" });
let numbers;

export const numberText = (number) => (numbers ??= new Intl.NumberFormat()).format(number);
export const countText = (count) => `${numberText(count)} ${count === 1 ? "image" : "images"}`;
const monthDate = (month) => new Date(`${month}-01T00:00:00Z`);

/** "November 2026", or for two months "September – November 2026". */
export function monthText(first, last = first) {
  if (first === last) return months().format(monthDate(first));
  const [from, to] = first < last ? [first, last] : [last, first];
  return months().formatRange(monthDate(from), monthDate(to));
}

export function dateText(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.valueOf())) return iso;
  return (iso.includes("T") ? times() : days()).format(date);
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte"];

export function sizeText(bytes) {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(undefined, {
    style: "unit", unit: units[power], unitDisplay: power === 0 ? "long" : "short", maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** Rewrites the dates and numbers that the server wrote. */
export function localise(within = document) {
  for (const time of findAll("time[datetime]", within)) time.textContent = dateText(time.dateTime);
  for (const number of findAll("[data-number]", within)) {
    if (number.dataset.number !== "") number.textContent = numberText(Number(number.dataset.number));
  }
}

let hiding;

/** Announces a change to screen readers, and shows it for a while if nothing else does. */
export function announce(text, isShown = false) {
  const announcer = find(".announcer");
  if (!announcer) return;
  announcer.textContent = text;
  announcer.classList.toggle("shown", isShown);
  clearTimeout(hiding);
  hiding = setTimeout(() => announcer.classList.remove("shown"), 4000);
}

export const startsNewContext = (event) =>
  event.button > 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

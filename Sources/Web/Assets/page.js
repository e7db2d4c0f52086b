// Code of all pages: the shortcuts and their dialog, dates and numbers in the reader's locale.

import { find, localise } from "./dom.js";

const handlers = [];
let isAfterG = false;

/**
 * Adds a handler that gets the name of a key, such as "j" or "g d", and returns true if it used the key.
 * The handler added last is asked first.
 */
export const onKey = (handler) => handlers.unshift(handler);

const isTyping = (target) => target instanceof HTMLElement && target.matches("input, textarea, select");

// WCAG 2.1.4: a reader who dictates can turn off the shortcuts of one character.
const areLettersOff = () => localStorage.getItem("letters") === "off";

function handle(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target) || find("dialog[open]")) return;
  if (event.key.length === 1 && event.key !== " " && areLettersOff()) return;
  const name = isAfterG ? `g ${event.key}` : event.key;
  isAfterG = name === "g";
  if (handlers.some((handler) => handler(name, event))) event.preventDefault();
}

function showHelp() {
  find("dialog.help")?.showModal();
}

export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

document.addEventListener("keydown", handle);
onKey((key) => {
  if (key === "?") showHelp();
  else if (key === "/") find(".search input")?.focus();
  else if (key === "f") toggleFullScreen();
  else return false;
  return true;
});

const help = find("[data-action=help]");
if (help) {
  help.hidden = false;
  help.addEventListener("click", showHelp);
  const letters = find("dialog.help input");
  letters.checked = !areLettersOff();
  letters.addEventListener("change", () => localStorage.setItem("letters", letters.checked ? "on" : "off"));
}
localise();

// The dialog to choose the pictures kept for offline, and see the space they take.

import { dateText, element, find, numberText, sizeText } from "./dom.js";
import { hear, tell } from "./live.js";

const choices = [[null, "Nothing"], [0, "The list, without pictures"], [500, "500"], [5000, "5,000"], [50_000, "50,000"]];
const newest = element("select", {}, ...choices.map(([count, text]) =>
  element("option", { value: String(count), textContent: count ? numberText(count) : text })));
const pins = element("input", { type: "checkbox" });
const feeds = element("div", { className: "choices" });
const space = element("p", { className: "space", role: "status" });
const dialog = element("dialog", { className: "offline", "aria-labelledby": "offline-heading" },
  element("form", { method: "dialog" },
    element("h2", { id: "offline-heading", textContent: "Keep for offline" }),
    element("label", {}, "Thumbnails of the newest ", newest),
    element("label", { className: "choice" }, pins, "Originals of pinned images"),
    element("fieldset", {}, element("legend", { textContent: "All thumbnails of" }), feeds),
    space,
    element("button", { textContent: "Close" })));
document.body.append(dialog);

function show({ settings, usage, quota, feeds: known, count, synced, problem }) {
  newest.value = String(settings.newest);
  pins.checked = settings.pins;
  // Keep unchanged boxes, because one of them may have the focus.
  if (feeds.childElementCount !== known.length) {
    feeds.replaceChildren(...known.map(({ id, title }) => element("label", { className: "choice" },
      element("input", { type: "checkbox", value: id, checked: settings.feeds.includes(id) }), title)));
  }
  find("fieldset", dialog).hidden = known.length === 0;
  space.textContent = [
    `${numberText(count)} ${count === 1 ? "picture" : "pictures"}; ${sizeText(usage)} of ${sizeText(quota)} are used.`,
    synced ? `As of ${dateText(new Date(synced).toISOString())}.` : "", problem ?? "",
  ].join(" ");
}

dialog.addEventListener("change", () => {
  navigator.storage.persist?.();
  tell({
    settings: {
      newest: newest.value === "null" ? null : Number(newest.value), pins: pins.checked,
      feeds: [...feeds.querySelectorAll(":checked")].map(({ value }) => Number(value)),
    },
  });
});
hear(({ kept }) => kept && show(kept));

export function showKept() {
  tell({ isAsking: true });
  dialog.showModal();
}

// Search while typing, and the dialog that asks for a month.

import { find, monthText } from "./dom.js";

const pause = 180;

/** Calls `go` with the query for the words in the search box, and `leave` when the reader presses Enter. */
export function startSearch(query, go, leave) {
  const box = find(".search input[name=q]");
  let waiting;
  let isTyping = false;
  const search = () => {
    clearTimeout(waiting);
    const q = box.value.trim();
    if (q === query().q) return;
    go({ ...query(), q }, { replaces: isTyping });
    isTyping = true;
  };
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, pause);
  });
  // A reader may type before this script runs.
  if (document.activeElement === box) search();
  else box.value = query().q;
  // After a blur, the next search is a new entry of the history.
  box.addEventListener("blur", () => (isTyping = false));
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
    leave();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && box.value === "") box.blur();
  });
  // At once, because the reader may already type. The list handled the event first, so the query is current.
  addEventListener("popstate", () => (box.value = query().q));
}

/** Calls `go` with the month that the reader chose. Returns the function that opens the dialog. */
export function startDateDialog(timeline, go) {
  const dialog = find("dialog.date");
  const field = find("input", dialog);
  const button = find("[data-action=date]");
  const open = () => {
    const months = timeline()?.isDated ? timeline().months.map((one) => one.month).sort() : [];
    if (months.length === 0) return;
    field.min = months[0];
    field.max = months.at(-1);
    field.value ||= field.max;
    find(".range", dialog).textContent = monthText(field.min, field.max);
    dialog.showModal();
    field.select();
  };
  button.hidden = false;
  button.addEventListener("click", open);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "go" && /^\d{4}-\d\d$/.test(field.value)) go(field.value);
  });
  return open;
}

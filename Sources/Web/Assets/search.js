// Search while typing.

import { find } from "./dom.js";

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
  // The next words after the box was left are another entry of the history.
  box.addEventListener("blur", () => (isTyping = false));
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
    leave();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && box.value === "") box.blur();
  });
  addEventListener("popstate", () => setTimeout(() => (box.value = query().q)));
}

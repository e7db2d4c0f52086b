// The page of one image.

import { find } from "./dom.js";
import { onKey } from "./page.js";
import { Viewer } from "./viewer.js";

const article = find(".viewer");
const link = (name) => find(`.${name}`, article);

const viewer = new Viewer(article, {
  step(step) {
    const target = link(step > 0 ? "next" : "previous");
    if (!target.hidden) location.assign(target.href);
  },
  close: () => link("back").click(),
});

// After a reload of an image that was opened from the list, Back leads to its place in the list.
link("back").addEventListener("click", (event) => {
  if (!history.state?.viewer) return;
  event.preventDefault();
  history.back();
});

onKey((key) => viewer.handle(key));
if (!viewer.original.hidden) viewer.loadOriginal(viewer.original.src);

// The page of one image.

import { find } from "./dom.js";
import { onKey } from "./page.js";
import { Viewer } from "./viewer.js";

const article = find(".viewer");
const link = (name) => find(`.${name}`, article);

const viewer = new Viewer(article, {
  step(step) {
    const target = link(step > 0 ? "next" : "previous");
    // In the place of this image, so that Back leads to the list after any number of steps.
    if (!target.hidden) location.replace(target.href);
  },
  close: () => link("back").click(),
});

// The entry before belongs to this document after a reload of an image that was opened from the list, and to the
// list in its address. So Back leads to the image's place in the list. A link within the page changes no path.
const { pathname } = location;
addEventListener("popstate", () => location.pathname === pathname || location.reload());
link("back").addEventListener("click", (event) => {
  if (!history.state?.viewer) return;
  event.preventDefault();
  history.back();
});

onKey((key) => viewer.handle(key));
if (!viewer.original.hidden) viewer.loadOriginal(viewer.original.src);

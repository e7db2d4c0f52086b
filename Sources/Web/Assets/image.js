// The page of one image. Steps take the place of the image, so that Back leads to the list after any number of them.

import { announce, find, localise, startsNewContext } from "./dom.js";
import { onKey } from "./page.js";
import { Viewer } from "./viewer.js";

let { pathname } = location;
let viewer;
// The address of the view that is shown, or that arrives.
let wanted;

/** Starts the view in the page. */
function start() {
  const article = find(".viewer");
  const link = (name) => find(`.${name}`, article);
  viewer = new Viewer(article, {
    step(step) {
      const target = link(step > 0 ? "next" : "previous");
      if (!target.hidden) go(target.href);
    },
    close: () => link("back").click(),
  });
  for (const name of ["previous", "next"]) {
    link(name).addEventListener("click", (event) => {
      if (startsNewContext(event)) return;
      event.preventDefault();
      go(link(name).href);
    });
  }
  link("back").addEventListener("click", (event) => {
    if (!history.state?.viewer) return;
    event.preventDefault();
    history.back();
  });
  if (!viewer.original.hidden) viewer.loadOriginal(viewer.original.src);
}

/** Shows the view of another page in this one, because a browser ends full screen with its page. */
function go(address) {
  if (wanted === address) return;
  wanted = address;
  const request = new XMLHttpRequest();
  // Unlike DOMParser, it makes a document without a policy of Trusted Types.
  request.responseType = "document";
  request.open("GET", address);
  request.onloadend = () => {
    if (wanted !== address) return;
    const made = request.status === 200 && find(".viewer", request.response ?? document.createElement("p"));
    if (!made) return location.replace(address);
    viewer.article.replaceWith(made);
    history.replaceState({}, "", address);
    ({ pathname } = location);
    document.title = request.response.title;
    localise(made);
    start();
    made.focus({ preventScroll: true });
    announce(`${find("h1", made).textContent}: ${find(".place", made).textContent.replace("/", "of")}`);
  };
  request.send();
}

// The entry before belongs to this document after a reload of an image that was opened from the list, and to the
// list in its address. So Back leads to the image's place in the list. A link within the page changes no path.
addEventListener("popstate", () => {
  if (location.pathname === pathname) return;
  // A view that still arrives must not take the place of the list.
  wanted = "";
  location.reload();
});
onKey((key) => viewer.handle(key));
start();

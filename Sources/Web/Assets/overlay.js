// The viewer above the list. Its state is an entry of the history, so that Back closes it.

import { withQuery } from "./api.js";
import { announce, base, countText, find, findAll, isStatic, numberText } from "./dom.js";
import { onKey } from "./page.js";

export class Overlay {
  isOpen = false;
  #index = 0;

  constructor(grid, keys, query) {
    this.grid = grid;
    this.keys = keys;
    this.query = query;
    onKey((key) => this.isOpen && this.viewer.handle(key));
  }

  /** Opens the image as another entry of the history. */
  async open(index) {
    const image = await this.grid.timeline.image(index);
    history.pushState({ viewer: true, index }, "", this.#address(image));
    this.#show(image);
  }

  /** Applies an entry of the history. Returns true if the list need not do more. */
  follow(state) {
    if (state?.viewer) {
      this.grid.timeline.image(state.index).then((image) => this.#show(image));
      return true;
    }
    if (!this.isOpen) return false;
    this.#close();
    return true;
  }

  #address({ id }) {
    const query = this.query();
    return isStatic ? withQuery(location.pathname, { image: id, ...query }) : withQuery(`${base}/images/${id}`, query);
  }

  async #show(image) {
    this.#index = image.index;
    // The first view of the list does not need it.
    const { Viewer } = await import("./viewer.js");
    if (this.#index !== image.index || !history.state?.viewer) return;
    if (!this.viewer) this.#make(Viewer);
    if (!this.isOpen) this.#cover();
    this.viewer.show(image);
    document.title = image.name || "Untitled image";
    const { total } = this.grid.timeline;
    find(".place", this.viewer.article).textContent = `${numberText(image.index + 1)} / ${numberText(total)}`;
    announce(`${document.title}: ${numberText(image.index + 1)} of ${countText(total)}`);
    this.#markSteps();
    this.#preload(image.index + 1);
  }

  #make(Viewer) {
    const article = find("#viewer-template").content.firstElementChild.cloneNode(true);
    article.classList.add("over");
    article.setAttribute("role", "region");
    document.body.append(article);
    this.viewer = new Viewer(article, { step: (step) => this.#step(step), close: () => history.back() });
    for (const [name, step] of [["previous", -1], ["next", 1]]) {
      find(`.${name}`, article).addEventListener("click", (event) => {
        event.preventDefault();
        this.#step(step);
      });
    }
    find(".back", article).addEventListener("click", (event) => {
      event.preventDefault();
      history.back();
    });
  }

  #cover() {
    this.isOpen = true;
    this.grid.freeze(true);
    this.listTitle = document.title;
    for (const part of findAll("body > .skip, body > .bar, body > main")) part.inert = true;
    document.documentElement.classList.add("covered");
    this.viewer.article.hidden = false;
    this.viewer.article.focus({ preventScroll: true });
  }

  #close() {
    this.isOpen = false;
    for (const part of findAll("body > .skip, body > .bar, body > main")) part.inert = false;
    document.documentElement.classList.remove("covered");
    this.viewer.article.hidden = true;
    document.title = this.listTitle;
    this.grid.freeze(false);
    this.keys.focus(this.#index);
  }

  async #step(step) {
    const index = this.#index + step;
    if (index < 0 || index >= this.grid.timeline.total) return;
    this.#index = index;
    const image = await this.grid.timeline.image(index);
    if (this.#index !== index) return;
    history.replaceState({ viewer: true, index }, "", this.#address(image));
    this.#show(image);
  }

  #markSteps() {
    const { article } = this.viewer;
    find(".previous", article).hidden = this.#index === 0;
    find(".next", article).hidden = this.#index >= this.grid.timeline.total - 1;
    for (const step of findAll(".step", article)) step.href = "#";
  }

  /** Asks for the next thumbnail, so that the next step shows it at once. */
  async #preload(index) {
    if (index >= this.grid.timeline.total) return;
    const { thumbnail } = await this.grid.timeline.image(index);
    if (thumbnail) new Image().src = `${base}/t/${thumbnail}`;
  }
}

// Keeps the list current while the library changes, and while the server comes and goes.

import { away } from "./api.js";
import { dateText, element, find, isStatic } from "./dom.js";
import { hear } from "./live.js";
import { Timeline } from "./timeline.js";

const farFromTop = 200;
const shortly = 300;

const refused = "Your access to this gallery has ended: open a new link.";

export class Current {
  #cursor;
  // Whether the list has changed while the viewer covered it.
  #isStale = false;
  #note = element("p", { className: "age", role: "status", hidden: true });
  #button = element("button", { type: "button", className: "fresh", textContent: "Show new images", hidden: true });

  /** `refresh(keepsPlace)` shows the current list, at the same place or from its top. */
  constructor(list, grid, isCovered, refresh) {
    this.grid = grid;
    this.isCovered = isCovered;
    this.refresh = refresh;
    find(".heading", list).after(this.#note);
    list.append(this.#button);
    this.#button.addEventListener("click", () => this.#use(false));
    hear((message) => this.#follow(message));
    // A page that comes back has missed all messages.
    addEventListener("pageshow", ({ persisted }) => persisted && this.#compare());
  }

  /** Says why the list may be old, and how old it is; an empty reason hides this. */
  set problem(reason) {
    const kept = this.grid.timeline?.kept;
    const age = kept ? ` This is the library as of ${dateText(new Date(kept).toISOString())}.` : "";
    this.#note.hidden = !reason;
    this.#note.textContent = reason && reason.replace(/[^.]$/, "$&.") + age;
  }

  /** Shows waiting images once the reader is at the top, so that nothing in view moves. */
  moved() {
    if (!this.#button.hidden ? this.grid.position <= 0 : this.#isStale && !this.isCovered()) this.#use(true);
  }

  #follow({ isAway, isRefused, cursor, images, feeds }) {
    if (isAway === undefined) return;
    this.problem = isRefused ? refused : isAway ? away : "";
    if (isAway || !this.grid.timeline) return;
    const known = this.#cursor;
    this.#cursor = cursor;
    if (!known && !isStatic && !this.grid.timeline.kept) return this.#compare();
    // A token that is limited to a part of the library gets no numbers.
    const isOther = images > 0 || (feeds.length === 0 && known && known !== cursor);
    if ((isStatic || !this.grid.timeline.kept) && !isOther) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.grid.timeline.kept ? this.#offer() : this.#compare()), shortly);
  }

  /**
   * Reads the list again. Images that came or went are offered; any other change, such as an original that has been
   * stored, is shown where it is. The first event does not report changes made since the list was read.
   */
  async #compare() {
    const shown = this.grid.timeline;
    // The reader had left the page before its list was read.
    if (!shown) return this.refresh(false);
    const now = await Timeline.read(shown.query).catch(() => shown);
    if (now.version === shown.version || this.grid.timeline !== shown) return;
    if (JSON.stringify(now.counts) !== JSON.stringify(shown.counts)) this.#offer();
    else if (this.isCovered()) this.#isStale = true;
    else this.#use(true);
  }

  #offer() {
    if (this.isCovered() || (this.grid.position > farFromTop && !this.grid.timeline.kept)) this.#button.hidden = false;
    else this.#use(true);
  }

  #use(keepsPlace) {
    this.#button.hidden = true;
    this.#isStale = false;
    this.refresh(keepsPlace);
  }
}

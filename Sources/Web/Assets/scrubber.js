// The scrubber: a slider along the right edge that scrolls to any date.

import { element, monthText, numberText } from "./dom.js";

const steps = 100;

export class Scrubber {
  #stops = [];
  #here = element("span", { className: "here" });
  #bubble = element("span", { className: "bubble" });

  constructor(list, grid) {
    this.list = list;
    this.grid = grid;
    this.slider = element("div", {
      className: "scrubber", role: "slider", tabIndex: 0, "aria-orientation": "vertical", "aria-valuemin": 0, hidden: true,
    });
    // Before the foot of the list, whose links would lead a reader away from the window.
    grid.host.after(this.slider);
    this.slider.addEventListener("pointerdown", (event) => this.#grab(event));
    this.slider.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.slider.addEventListener(name, () => this.#release());
    this.slider.addEventListener("pointerleave", () => this.update());
    this.slider.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  /** Sets the stops for another list. */
  show(timeline) {
    this.timeline = timeline;
    this.#stops = timeline.isDated ? timeline.months : this.#evenStops(timeline.total);
    this.slider.setAttribute("aria-label", timeline.isDated ? "Date" : "Position in the list");
    this.slider.setAttribute("aria-valuemax", this.#stops.length - 1);
    this.update();
  }

  /** Moves the marker to the window's position. */
  update() {
    const { grid, timeline } = this;
    if (!timeline) return;
    this.slider.hidden = timeline.total <= 60 || grid.height < 2.5 * grid.viewHeight;
    if (this.slider.hidden) return;
    this.#drawYears();
    const index = grid.firstIndex;
    const share = this.#share(grid.position);
    this.#here.style.top = `${share * 100}%`;
    if (!this.slider.matches(":hover") || this.pointer !== undefined) this.#showBubble(share, index);
    this.slider.setAttribute("aria-valuenow", this.#stopAt(index));
    this.slider.setAttribute("aria-valuetext", this.#text(index));
    this.slider.classList.add("active");
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.slider.classList.remove("active"), 1500);
  }

  #evenStops(total) {
    const count = Math.min(steps, total);
    return Array.from({ length: count }, (_, step) => ({ index: Math.floor((step * total) / count) }));
  }

  #share(position) {
    return Math.max(0, Math.min(1, position / Math.max(1, this.grid.height - this.grid.viewHeight)));
  }

  #stopAt(index) {
    const next = this.#stops.findIndex((stop) => stop.index > index);
    return (next < 0 ? this.#stops.length : next) - 1;
  }

  #text(index) {
    if (this.timeline.isDated) return monthText(this.#stops[this.#stopAt(index)].month);
    return `Image ${numberText(index + 1)} of ${numberText(this.timeline.total)}`;
  }

  #drawYears() {
    const key = `${Math.round(this.grid.height / 200)} ${this.grid.viewHeight} ${this.timeline.version}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const marks = [];
    let lowest = -Infinity;
    let yearBefore;
    for (const { month, index } of this.timeline.isDated ? this.#stops : []) {
      const year = month.slice(0, 4);
      if (year === yearBefore) continue;
      yearBefore = year;
      const share = this.#share(this.grid.rowOf(index).top);
      const top = share * (this.grid.viewHeight - 70);
      if (top < lowest + 22) continue;
      lowest = top;
      const mark = element("span", { textContent: year });
      mark.style.top = `${share * 100}%`;
      marks.push(mark);
    }
    this.slider.replaceChildren(...marks, this.#here, this.#bubble);
  }

  #showBubble(share, index) {
    this.#bubble.textContent = this.#text(index);
    this.#bubble.style.top = `${share * 100}%`;
  }

  #grab(event) {
    if (event.button > 0) return;
    this.pointer = event.pointerId;
    this.slider.setPointerCapture(event.pointerId);
    this.slider.classList.add("dragged");
    this.#drag(event);
    event.preventDefault();
    this.slider.focus({ preventScroll: true, focusVisible: false });
  }

  #drag(event) {
    const { top, height } = this.slider.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientY - top) / height));
    if (event.pointerId === this.pointer) this.grid.scrub(share);
    const position = share * Math.max(0, this.grid.height - this.grid.viewHeight);
    this.#showBubble(share, this.grid.indexAt(position));
  }

  #release() {
    this.pointer = undefined;
    this.slider.classList.remove("dragged");
  }

  #handleKey(event) {
    const moves = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 12, PageUp: -12, Home: -Infinity, End: Infinity };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const here = this.#stopAt(this.grid.firstIndex);
    const stop = Math.max(0, Math.min(this.#stops.length - 1, here + move));
    this.grid.jump(this.#stops[stop].index);
  }
}

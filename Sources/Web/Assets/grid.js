// The virtual grid: only the rows near the window are elements.

import { rowHeight } from "./layout.js";
import { Scroller } from "./scroller.js";
import { Stack } from "./stack.js";
import { contentOf, loadPictures, makeRow, makeWaiting, numberRow } from "./tiles.js";

const mostNodes = 285;
// Per frame.
const mostMadeNodes = 40;
const calm = 70;

export class Grid {
  timeline = null;
  #rows = new Map();
  // Rows of the previous list, by their content.
  #spare = new Map();
  #barHeight = 0;
  // The target of a jump, until its section is laid out.
  #target = null;

  /** `events` are `moved()` after each change of the position, and `stale()` when the list is outdated. */
  constructor(host, bar, events) {
    this.host = host;
    this.bar = bar;
    this.events = events;
    this.scroller = new Scroller(host, (isReader) => {
      if (isReader) this.#target = null;
      this.#schedule();
    });
    new ResizeObserver(() => this.resize()).observe(host);
    addEventListener("resize", () => this.resize());
  }

  /** Shows another list, from its beginning or from the image at `index`. */
  show(timeline, index = 0, within = 0) {
    const isSame = JSON.stringify(this.timeline?.query) === JSON.stringify(timeline.query);
    this.timeline = timeline;
    if (!isSame) this.#clear();
    for (const row of this.#rows.values()) this.#spare.set(row.content, row);
    this.#rows.clear();
    this.#stackUp(this.#measure());
    if (index > 0) this.jump(index, within);
    else this.scroller.moveTo(this.scroller.top);
  }

  /** Finds the place of the first visible image in another list, and loads the sections shown there. */
  async placeIn(timeline) {
    const top = this.position <= 0;
    const at = top ? 0 : this.firstIndex;
    const last = this.indexAt(this.position + this.viewHeight);
    const grown = top ? 0 : timeline.total - this.timeline.total;
    const inside = (index) => Math.max(0, Math.min(timeline.total - 1, index));
    const first = timeline.sectionOf(inside(at + grown));
    for (let section = first; section <= timeline.sectionOf(inside(last + grown)); section++) {
      if (timeline.total > 0) await timeline.load(section);
    }
    const { images, start } = this.timeline.sections[this.timeline.sectionOf(at)];
    const found = timeline.sections[first]?.images.ids.indexOf(images?.ids[at - start]) ?? -1;
    const index = top || found < 0 ? inside(at + grown) : timeline.sections[first].start + found;
    return { index, within: top ? 0 : this.within };
  }

  get position() {
    return this.scroller.position;
  }

  get viewHeight() {
    return this.scroller.viewHeight;
  }

  get height() {
    return this.scroller.height;
  }

  /** The first image that the bar does not hide; after a jump, its target in the same row. */
  get firstIndex() {
    if (this.#target) return this.#target.index;
    const top = this.position + this.#barHeight + 4;
    const index = this.indexAt(top);
    const row = this.rowOf(index);
    // Below the row, the heading of the next one is shown.
    return row.height > 0 && top >= row.top + row.height ? this.indexAt(top + row.gap) : index;
  }

  indexAt(position) {
    return this.stack.indexAt(position);
  }

  rowOf(index) {
    return this.stack.rowOf(index, this.timeline.sectionOf(index));
  }

  /** Puts the image's row below the bar, with `within` pixels of it scrolled away. */
  jump(index, within = 0) {
    this.#target = { index, within };
    const { top, heading } = this.rowOf(index);
    const skipped = within ? 0 : heading;
    this.scroller.moveTo(top - skipped - this.#barHeight - 4 + within, true);
  }

  /** How many pixels of the first row are scrolled away. */
  get within() {
    return Math.round(this.position + this.#barHeight + 4 - this.rowOf(this.firstIndex).top);
  }

  /** Scrolls to a share of the content, 0 to 1. */
  scrub(share) {
    this.#target = null;
    this.scroller.moveTo(share <= 0 ? this.scroller.top : share * Math.max(0, this.height - this.viewHeight), true);
  }

  /** Scrolls just enough to show the whole row of the image below the bar. */
  reveal(index) {
    const { top, height, heading } = this.rowOf(index);
    const first = top - heading - this.#barHeight - 4;
    const last = top + height + 8 - this.viewHeight;
    const place = this.position > first || last > first ? first : Math.max(last, this.position);
    if (Math.abs(place - this.position) >= 1) {
      this.#target = null;
      this.scroller.moveTo(place);
    }
    this.#render();
  }

  /** Whether a part of the image's row is in the window, below the bar. */
  shows(index) {
    const { top, height } = this.rowOf(index);
    return top + height > this.position + this.#barHeight && top < this.position + this.viewHeight;
  }

  /** Loads and lays out the section of an image. */
  async ready(index) {
    const at = this.timeline.sectionOf(index);
    await this.timeline.need(at);
    this.#place(at);
  }

  /** The link of an image, if it is in the document. */
  link(index) {
    return this.host.querySelector(`a[data-index="${index}"]`);
  }

  freeze(isFrozen) {
    this.scroller.isFrozen = isFrozen;
    if (!isFrozen) this.resize();
  }

  resize() {
    if (!this.timeline?.total || this.scroller.isFrozen) return;
    const { width } = this.stack.frame;
    const index = this.firstIndex;
    const frame = this.#measure();
    if (width === frame.width) return this.#schedule();
    this.#clear();
    this.#stackUp(frame);
    if (this.position > 0) this.jump(index);
    else this.#schedule();
  }

  #clear() {
    this.host.replaceChildren();
    this.#spare.clear();
    this.#rows.clear();
  }

  #measure() {
    this.#barHeight = this.bar.offsetHeight;
    this.scroller.measure();
    const width = this.host.clientWidth;
    const gap = parseFloat(getComputedStyle(this.host).getPropertyValue("--gap"));
    const height = rowHeight(width);
    this.host.style.setProperty("--row", `${height}px`);
    return { width, gap, height, heading: width > 2300 ? 60 : 48 };
  }

  #stackUp(frame) {
    this.stack = new Stack(this.timeline, frame);
    this.#fit();
  }

  #fit() {
    this.scroller.setHeight(this.stack.height);
    this.host.setAttribute("aria-rowcount", this.stack.rowCount);
  }

  /** Lays out a section that has arrived, without moving the images in the window. */
  #place(at) {
    if (this.timeline.sections[at].layout) return;
    const grown = this.stack.place(at, this.position);
    this.#fit();
    this.scroller.grow(grown);
    const { index, within } = this.#target ?? {};
    if (this.#target && this.timeline.sectionOf(index) === at) this.jump(index, within);
    this.#schedule();
  }

  #schedule() {
    this.scheduled ??= requestAnimationFrame(() => {
      this.scheduled = null;
      if (this.timeline?.total && !this.scroller.isFrozen) this.#render();
    });
  }

  #render() {
    const wanted = this.#wantedRows();
    this.#dropRows(wanted);
    const isCalm = this.scroller.isCalm(calm);
    this.#makeRows(wanted);
    for (const row of this.#spare.values()) row.remove();
    this.#spare.clear();
    let cursor = this.host.firstChild;
    for (const [key, { top }] of wanted) {
      const row = this.#rows.get(key);
      if (!row) continue;
      row.style.top = `${top - this.scroller.shift}px`;
      if (row !== cursor) this.host.insertBefore(row, cursor);
      else cursor = row.nextSibling;
      if (isCalm) loadPictures(row);
    }
    this.#loadNear(isCalm);
    this.events.moved();
  }

  /** Makes missing rows, those nearest to the middle first, and leaves the rest to the next frame. */
  #makeRows(wanted) {
    let nodes = 0;
    const missing = [...wanted].filter(([key]) => !this.#rows.has(key));
    for (const [key, row] of this.#byDistance(missing)) {
      const content = contentOf(row);
      const spare = this.#spare.get(content);
      if (spare) {
        this.#spare.delete(content);
        this.#rows.set(key, numberRow(spare, row));
        continue;
      }
      if (nodes > 0 && nodes + row.nodes > (this.#spare.size > 0 ? mostNodes : mostMadeNodes)) return this.#schedule();
      nodes += row.nodes;
      const made = row.section ? makeRow(row, this.stack.frame, this.timeline.query) : makeWaiting(row);
      made.content = content;
      this.#rows.set(key, made);
    }
  }

  #dropRows(wanted) {
    for (const [key, row] of this.#rows) {
      if (wanted.has(key)) continue;
      // Keep the row with the focus, so that the reader's keys continue from there.
      if (row.contains(document.activeElement)) row.style.top = "-10000px";
      else {
        row.remove();
        this.#rows.delete(key);
      }
    }
  }

  /** The rows near the window from top to bottom, by key, as many as the limit of nodes allows. */
  #wantedRows() {
    const reach = Math.min(this.viewHeight, 900);
    const near = this.stack.rows(this.position - reach, this.position + this.viewHeight + reach);
    let nodes = 0;
    const kept = new Set(this.#byDistance(near).filter(([, row]) => (nodes += row.nodes) <= mostNodes));
    return new Map(near.filter((row) => kept.has(row)));
  }

  #byDistance(rows) {
    const middle = this.position + this.viewHeight / 2;
    const distance = ([, { top, height }]) => Math.max(top - middle, middle - top - height);
    return rows.toSorted((one, other) => distance(one) - distance(other));
  }

  /** Loads the sections near the window, unless the reader is still moving fast. */
  #loadNear(isCalm) {
    clearTimeout(this.waiting);
    if (!isCalm) {
      this.waiting = setTimeout(() => this.#schedule(), calm);
      return;
    }
    this.timeline.keepNear(this.stack.at(this.position));
    for (const at of this.stack.waiting(this.position - 2 * this.viewHeight, this.position + 3 * this.viewHeight)) {
      if (!this.timeline.sections[at].loading) this.#load(at);
    }
  }

  async #load(at) {
    const { timeline } = this;
    try {
      await timeline.load(at);
      if (timeline === this.timeline) this.#place(at);
    } catch (error) {
      if (timeline !== this.timeline) return;
      if (error.status === 409) this.events.stale();
      else if (error.name === "AbortError") this.#schedule();
      else setTimeout(() => this.events.stale(), 3000);
    }
  }
}

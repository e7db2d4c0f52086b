// The virtual grid: the rows near the window are elements, all others are a height.

import { element } from "./dom.js";
import { estimate, lastAtMost, layOut, rowHeight } from "./layout.js";
import { Scroller } from "./scroller.js";
import { loadPictures, makeRow } from "./tiles.js";

const mostNodes = 285;
const mostMadeNodes = 52; // in one frame
const calm = 70;

export class Grid {
  timeline = null;
  #rows = new Map();
  #frame = { width: 0, gap: 0, height: 0, heading: 0 };
  #heights = []; // of the sections, as are the next two
  #counts = [];
  #tops = [];
  #barHeight = 0;
  #target = null; // where the reader jumped to, until its section is laid out

  /** `events` are `moved()` after each change of the position, and `stale()` when the list is not current. */
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
    this.timeline = timeline;
    this.#clear();
    this.#measure();
    this.#estimateAll();
    if (index > 0) this.jump(index, within);
    else this.scroller.moveTo(this.scroller.top);
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

  /** The first image that the bar does not hide. */
  get firstIndex() {
    return this.indexAt(this.position + this.#barHeight + 4);
  }

  indexAt(position) {
    const { sections, total } = this.timeline;
    const at = lastAtMost(this.#tops, position);
    const { layout, start, count } = sections[at];
    const inside = position - this.#tops[at];
    if (layout) return start + layout.firsts[lastAtMost(layout.tops, inside)];
    const share = Math.max(0, Math.min(1, inside / this.#heights[at]));
    return Math.min(total - 1, start + Math.floor(share * count));
  }

  /** The row of an image; estimated and without `row` while its section is not laid out. */
  rowOf(index) {
    const at = this.timeline.sectionOf(index);
    const { layout, start, count } = this.timeline.sections[at];
    if (!layout) return { at, top: this.#tops[at] + ((index - start) / count) * this.#heights[at], height: 0, heading: 0 };
    const row = lastAtMost(layout.firsts, index - start);
    const heading = layout.months.has(row) ? this.#frame.heading : 0;
    return { at, row, top: this.#tops[at] + layout.tops[row], height: layout.heights[row], heading };
  }

  /** Puts the image's row below the bar, with `within` pixels of it scrolled away. */
  jump(index, within = 0) {
    this.#target = { index, within };
    const { top, heading } = this.rowOf(index);
    const skipped = within > 0 ? 0 : heading;
    this.scroller.moveTo(top - skipped - this.#barHeight - 4 + within);
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

  /** Scrolls as little as shows the whole row of the image below the bar. */
  reveal(index) {
    const { top, height, heading } = this.rowOf(index);
    const first = top - heading - this.#barHeight - 6;
    const last = top + height + 8 - this.viewHeight;
    if (this.position > first || last > first) this.scroller.moveTo(first);
    else if (this.position < last) this.scroller.moveTo(last);
    this.#render();
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
    const { width } = this.#frame;
    const index = this.firstIndex;
    this.#measure();
    if (width === this.#frame.width) return this.#schedule();
    this.#clear();
    for (const section of this.timeline.sections) section.layout = null;
    this.#estimateAll();
    if (this.position > 0) this.jump(index);
    else this.#schedule();
  }

  #clear() {
    this.host.replaceChildren();
    this.#rows.clear();
  }

  #measure() {
    this.#barHeight = this.bar.offsetHeight;
    this.scroller.measure();
    const width = this.host.clientWidth;
    const gap = parseFloat(getComputedStyle(this.host).getPropertyValue("--gap"));
    this.#frame = { width, gap, height: rowHeight(width), heading: width > 2300 ? 60 : 48 };
    this.host.style.setProperty("--row", `${this.#frame.height}px`);
  }

  #estimateAll() {
    const { sections } = this.timeline;
    const estimates = sections.map((section) => estimate(section, this.#frame));
    this.#heights = estimates.map(({ height }) => height);
    this.#counts = estimates.map(({ rows }) => rows);
    sections.forEach((section, at) => section.images && this.#layOut(at));
    this.#stack();
  }

  #stack() {
    let top = 0;
    this.#tops = this.#heights.map((height) => (top += height) - height);
    this.scroller.setHeight(top);
    this.host.setAttribute("aria-rowcount", this.#counts.reduce((sum, count) => sum + count, 0));
  }

  #layOut(at) {
    const section = this.timeline.sections[at];
    section.layout = layOut(section, this.#frame, this.timeline.sections[at - 1]?.buckets.at(-1).month);
    this.#heights[at] = section.layout.height;
    this.#counts[at] = section.layout.firsts.length;
  }

  /** Lays out a section that has arrived, without moving the images in the window. */
  #place(at) {
    if (this.timeline.sections[at].layout) return;
    const before = this.#heights[at];
    const share = Math.max(0, Math.min(1, (this.position - this.#tops[at]) / before));
    this.#layOut(at);
    this.#stack();
    this.scroller.grow(Math.round(share * (this.#heights[at] - before)));
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

  /** Makes what is missing, nearest to the middle of the window first; the rest is for the next frame. */
  #makeRows(wanted) {
    let nodes = 0;
    const missing = [...wanted].filter(([key]) => !this.#rows.has(key));
    for (const [key, row] of this.#byDistance(missing)) {
      if (nodes > 0 && nodes + row.nodes > mostMadeNodes) return this.#schedule();
      nodes += row.nodes;
      this.#rows.set(key, row.make());
    }
  }

  #dropRows(wanted) {
    for (const [key, row] of this.#rows) {
      if (wanted.has(key)) continue;
      // The row with the focus stays, so that the reader's keys go on from there.
      if (row.contains(document.activeElement)) row.style.top = "-10000px";
      else {
        row.remove();
        this.#rows.delete(key);
      }
    }
  }

  /** The rows near the window from top to bottom, by key, as many as the limit of nodes allows. */
  #wantedRows() {
    const { sections } = this.timeline;
    const reach = Math.min(this.viewHeight, 900);
    const from = this.position - reach;
    const to = this.position + this.viewHeight + reach;
    const near = [];
    let rowsBefore = 0;
    for (let at = 0; at < sections.length && this.#tops[at] < to; at++) {
      if (this.#tops[at] + this.#heights[at] > from) near.push(...this.#rowsOf(at, from, to, rowsBefore));
      rowsBefore += this.#counts[at];
    }
    return this.#limit(near);
  }

  *#rowsOf(at, from, to, rowsBefore) {
    const section = this.timeline.sections[at];
    const { layout } = section;
    const top = this.#tops[at];
    if (!layout) {
      const height = this.#heights[at] - this.#frame.gap;
      yield [`${at}`, { top, height, nodes: 1, make: () => this.#makeWaiting(height) }];
      return;
    }
    const { firsts, tops, heights } = layout;
    for (let row = lastAtMost(tops, from - top); row < tops.length && top + tops[row] < to; row++) {
      const nodes = 1 + 3 * ((firsts[row + 1] ?? section.count) - firsts[row]);
      const make = () => {
        const made = makeRow(section, row, this.#frame, this.timeline.query);
        made.setAttribute("aria-rowindex", rowsBefore + row + 1);
        return made;
      };
      yield [`${at} ${row}`, { top: top + tops[row], height: heights[row], nodes, make }];
    }
  }

  #makeWaiting(height) {
    const waiting = element("div", { className: "waiting", role: "presentation" });
    waiting.style.height = `${height}px`;
    return waiting;
  }

  #limit(near) {
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
    const { sections } = this.timeline;
    this.timeline.keepNear(lastAtMost(this.#tops, this.position));
    const to = this.position + 3 * this.viewHeight;
    for (let at = lastAtMost(this.#tops, this.position - 2 * this.viewHeight); at < sections.length && this.#tops[at] < to; at++) {
      if (!sections[at].layout && !sections[at].loading) this.#load(at);
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
      else setTimeout(() => this.#schedule(), error.name === "AbortError" ? 0 : 3000);
    }
  }
}

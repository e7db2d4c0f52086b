// The virtual grid: the rows near the window are elements, all others are a height.

import { element } from "./dom.js";
import { estimate, lastAtMost, layOut } from "./layout.js";
import { rowHeight } from "./rows.js";
import { ScrollSpace } from "./scroll-space.js";
import { loadPictures, makeRow } from "./tiles.js";

const mostNodes = 280;
const calm = 70;

export class Grid {
  timeline = null;
  isFrozen = false;
  #rows = new Map();
  #offset = 0; // of the window's top from the grid's, in scroll space
  #shift = 0; // what is added to an offset to get a position in the content
  #target = null; // the index to which the reader jumped, until its section is laid out
  #jumpedAt = -Infinity;
  #isTouched = false;

  /** `events` are `moved()` after each change of the position, and `stale()` when the list is not current. */
  constructor(host, bar, events) {
    this.host = host;
    this.bar = bar;
    this.events = events;
    addEventListener("scroll", () => this.#scrolled(), { passive: true });
    addEventListener("scrollend", () => this.#settle());
    addEventListener("touchstart", () => (this.#isTouched = true), { passive: true });
    for (const name of ["touchend", "touchcancel"]) {
      addEventListener(name, (event) => (this.#isTouched = event.touches.length > 0), { passive: true });
    }
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
    else this.#moveTo(-this.#hostTop);
  }

  /** The offset of the window's top from the grid's, if all of the grid had its height. */
  get position() {
    return this.#offset + this.#shift;
  }

  get height() {
    return this.#space.contentHeight;
  }

  get viewHeight() {
    return innerHeight - this.bar.offsetHeight;
  }

  get #hostTop() {
    return this.host.getBoundingClientRect().top + scrollY;
  }

  /** The first image that the bar does not hide. */
  get firstIndex() {
    return this.indexAt(this.position + this.bar.offsetHeight + 4);
  }

  indexAt(position) {
    const { sections, total } = this.timeline;
    const at = lastAtMost(this.#tops, position, sections.length);
    const { layout, start, count } = sections[at];
    const inside = position - this.#tops[at];
    if (layout) return start + layout.firsts[lastAtMost(layout.tops, Math.max(0, inside))];
    const share = Math.max(0, Math.min(0.9999, inside / this.#heights[at]));
    return Math.min(total - 1, start + Math.floor(share * count));
  }

  /** The row of an image as {section, row, top, height}; estimated while its section is not laid out. */
  rowOf(index) {
    const at = this.timeline.sectionOf(index);
    const { layout, start, count } = this.timeline.sections[at];
    if (!layout) return { at, top: this.#tops[at] + ((index - start) / count) * this.#heights[at], height: 0, heading: 0 };
    const row = lastAtMost(layout.firsts, index - start);
    const heading = layout.months.has(row) ? this.#frame.heading : 0;
    return { at, row, top: this.#tops[at] + layout.tops[row], height: layout.heights[row], heading };
  }

  /** Puts the image's row at the top of the window, `within` pixels above its edge. */
  jump(index, within = 0) {
    this.#target = { index, within };
    const { top, heading } = this.rowOf(index);
    this.#moveTo(top - heading - this.bar.offsetHeight - 4 + within);
  }

  /** Scrolls to a share of the content, 0 to 1. */
  scrub(share) {
    this.#target = null;
    this.#jumpedAt = performance.now();
    const lowest = this.height - innerHeight;
    this.#moveTo(share <= 0 ? -this.#hostTop : share * Math.max(0, lowest));
  }

  /** Scrolls as little as shows the whole row of the image below the bar. */
  reveal(index) {
    const { top, height, heading } = this.rowOf(index);
    const first = top - heading - this.bar.offsetHeight - 6;
    const last = top + height + 8 - innerHeight;
    if (this.position > first || last > first) this.#moveTo(first);
    else if (this.position < last) this.#moveTo(last);
  }

  /** Loads and lays out the section of an image. */
  async ready(index) {
    const at = this.timeline.sectionOf(index);
    await this.timeline.load(at);
    this.#place(at);
  }

  /** The link of an image, if it is in the document. */
  link(index) {
    return this.host.querySelector(`a[data-index="${index}"]`);
  }

  resize() {
    if (!this.timeline || this.isFrozen || this.timeline.total === 0) return;
    const frame = this.#frame;
    const index = this.firstIndex;
    this.#measure();
    if (frame.width === this.#frame.width && frame.gap === this.#frame.gap) return this.#schedule();
    this.#clear();
    for (const section of this.timeline.sections) section.layout = null;
    this.#estimateAll();
    if (this.position > 0) this.jump(index);
    else this.#schedule();
  }

  #clear() {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
  }

  #measure() {
    const width = this.host.clientWidth;
    const gap = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--gap"));
    this.#frame = { width, gap, height: rowHeight(width), heading: width > 2300 ? 60 : 48 };
    this.host.style.setProperty("--row", `${this.#frame.height}px`);
  }

  #frame = { width: 0, gap: 0, height: 0, heading: 0 };
  #heights = [];
  #counts = [];
  #tops = [0];
  #space = new ScrollSpace(0);

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
    this.#space = new ScrollSpace(top);
    this.host.style.height = `${this.#space.height}px`;
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
    const inside = this.position - this.#tops[at];
    this.#layOut(at);
    const grown = this.#heights[at] - before;
    this.#stack();
    if (inside > before) this.#shift += grown;
    else if (inside > 0) this.#shift += Math.round((inside / before) * grown);
    if (this.#target && this.timeline.sectionOf(this.#target.index) === at) this.jump(this.#target.index, this.#target.within);
    else this.#settleSoon();
    this.#schedule();
  }

  #scrolled() {
    if (!this.timeline || this.isFrozen) return;
    const offset = scrollY - this.#hostTop;
    const moved = offset - this.#offset;
    if (moved === 0) return;
    this.#offset = offset;
    this.#target = null;
    if (Math.abs(moved) > 3 * innerHeight) {
      this.#shift = Math.round(this.#space.position(offset) - offset);
      this.#jumpedAt = performance.now();
    }
    this.#settleSoon();
    this.#schedule();
  }

  #settleSoon() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), 200);
  }

  /** Brings the scroll bar to where the content is, once nothing moves. */
  #settle() {
    if (!this.timeline || this.isFrozen) return;
    if (this.#isTouched) return this.#settleSoon();
    if (Math.abs(this.#space.offset(this.position) - this.#offset) > 1) this.#moveTo(this.position);
  }

  #moveTo(position) {
    const top = this.#hostTop;
    scrollTo({ top: top + this.#space.offset(position), behavior: "instant" });
    this.#offset = scrollY - top;
    const reached = Math.max(-top, Math.min(position, this.height - 1));
    this.#shift = this.#space.isEqual ? 0 : Math.round(reached - this.#offset);
    this.#schedule();
  }

  renderNow() {
    this.#render();
  }

  #schedule() {
    this.scheduled ??= requestAnimationFrame(() => {
      this.scheduled = null;
      if (this.timeline && !this.isFrozen) this.#render();
    });
  }

  #render() {
    const wanted = this.#wantedRows();
    this.#dropRows(wanted);
    let cursor = this.host.firstChild;
    const isCalm = performance.now() - this.#jumpedAt > calm;
    for (const [key, { top, make, number }] of wanted) {
      let row = this.#rows.get(key);
      if (!row) {
        row = make();
        if (number) row.setAttribute("aria-rowindex", number);
        this.#rows.set(key, row);
      }
      row.style.top = `${top}px`;
      if (row !== cursor) this.host.insertBefore(row, cursor);
      else cursor = row.nextSibling;
      if (isCalm) loadPictures(row);
    }
    this.#loadNear(isCalm);
    this.events.moved();
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

  /** The rows near the window from top to bottom, as many as the limit of nodes allows. */
  #wantedRows() {
    const { sections } = this.timeline;
    const reach = Math.min(innerHeight, 900);
    const from = this.position - reach;
    const to = this.position + innerHeight + reach;
    const near = [];
    let rowsBefore = 0;
    for (let at = 0; at < sections.length && this.#tops[at] < to; at++) {
      if (this.#tops[at] + this.#heights[at] > from) this.#addRows(near, at, from, to, rowsBefore);
      rowsBefore += this.#counts[at];
    }
    return this.#limited(near);
  }

  #addRows(near, at, from, to, rowsBefore) {
    const section = this.timeline.sections[at];
    const { layout } = section;
    const top = this.#tops[at];
    if (!layout) {
      const height = this.#heights[at] - this.#frame.gap;
      const make = () => element("div", { className: "waiting", role: "presentation" });
      near.push([`${at}`, { top: top - this.#shift, height, position: top, nodes: 1, make: () => this.#sized(make(), height) }]);
      return;
    }
    for (let row = lastAtMost(layout.tops, from - top); row < layout.tops.length && top + layout.tops[row] < to; row++) {
      const count = (layout.firsts[row + 1] ?? section.count) - layout.firsts[row];
      near.push([`${at} ${row}`, {
        top: top + layout.tops[row] - this.#shift, position: top + layout.tops[row], height: layout.heights[row],
        nodes: 1 + 3 * count, number: rowsBefore + row + 1,
        make: () => makeRow(section, row, this.#frame, this.timeline.query),
      }]);
    }
  }

  #sized(waiting, height) {
    waiting.style.height = `${height}px`;
    return waiting;
  }

  #limited(near) {
    const middle = this.position + innerHeight / 2;
    const distance = ([, { position, height }]) => Math.max(position - middle, middle - position - height, 0);
    const byDistance = near.toSorted((one, other) => distance(one) - distance(other));
    let nodes = 0;
    const kept = new Set();
    for (const row of byDistance) {
      nodes += row[1].nodes;
      if (nodes > mostNodes && kept.size > 0) break;
      kept.add(row);
    }
    return new Map(near.filter((row) => kept.has(row)));
  }

  /** Loads the sections near the window, unless the reader is still moving fast. */
  #loadNear(isCalm) {
    clearTimeout(this.waiting);
    if (!isCalm) {
      this.waiting = setTimeout(() => this.#schedule(), calm);
      return;
    }
    const { sections } = this.timeline;
    const from = this.position - 2 * innerHeight;
    const to = this.position + 3 * innerHeight;
    this.timeline.keepNear(lastAtMost(this.#tops, this.position, sections.length));
    for (let at = lastAtMost(this.#tops, from); at < sections.length && this.#tops[at] < to; at++) {
      if (sections[at].layout) continue;
      this.#load(at);
    }
  }

  async #load(at) {
    const { timeline } = this;
    if (timeline.sections[at].loading) return;
    try {
      await timeline.load(at);
      if (timeline === this.timeline) this.#place(at);
    } catch (error) {
      if (timeline !== this.timeline) return;
      if (error.status === 409) this.events.stale();
      else if (error.name !== "AbortError") setTimeout(() => this.#schedule(), 3000);
    }
  }
}

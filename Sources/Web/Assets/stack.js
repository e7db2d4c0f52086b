// The positions of a list's sections. Sections without loaded images have estimated heights.

import { estimate, lastAtMost, layOut } from "./layout.js";

export class Stack {
  height = 0;
  rowCount = 0;
  // Per section, like the next two.
  #heights = [];
  #counts = [];
  #tops = [];

  /** `frame` has the width of the grid, the gap, and the heights of rows and headings. */
  constructor(timeline, frame) {
    this.frame = frame;
    this.sections = timeline.sections;
    this.total = timeline.total;
    for (const [at, section] of this.sections.entries()) {
      section.layout = null;
      const { rows, height } = estimate(section, frame);
      this.#heights.push(height);
      this.#counts.push(rows);
      if (section.images) this.#layOut(at);
    }
    this.#pile();
  }

  #pile() {
    this.height = 0;
    this.#tops = this.#heights.map((height) => (this.height += height) - height);
    this.rowCount = this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #layOut(at) {
    const section = this.sections[at];
    section.layout = layOut(section, this.frame, this.sections[at - 1]?.buckets.at(-1).month);
    this.#heights[at] = section.layout.height;
    this.#counts[at] = section.layout.firsts.length;
  }

  /** Lays out a section that has arrived, and returns by how much the content above `position` has grown. */
  place(at, position) {
    const before = this.#heights[at];
    const share = Math.max(0, Math.min(1, (position - this.#tops[at]) / before));
    this.#layOut(at);
    this.#pile();
    return Math.round(share * (this.#heights[at] - before));
  }

  /** The section at a position. */
  at(position) {
    return lastAtMost(this.#tops, position);
  }

  indexAt(position) {
    const at = this.at(position);
    const { layout, start, count } = this.sections[at];
    const inside = position - this.#tops[at];
    if (layout) return start + layout.firsts[lastAtMost(layout.tops, inside)];
    const share = Math.max(0, Math.min(1, inside / this.#heights[at]));
    return Math.min(this.total - 1, start + Math.floor(share * count));
  }

  /** The row of an image in a section; estimated and without `row` while the section is not laid out. */
  rowOf(index, at) {
    const { layout, start, count } = this.sections[at];
    if (!layout) return { at, top: this.#tops[at] + ((index - start) / count) * this.#heights[at], height: 0, heading: 0 };
    const row = lastAtMost(layout.firsts, index - start);
    const heading = layout.months.has(row) ? this.frame.heading : 0;
    const gap = this.frame.gap + this.frame.heading;
    return { at, row, top: this.#tops[at] + layout.tops[row], height: layout.heights[row], heading, gap };
  }

  /** The sections between two positions that are not laid out. */
  waiting(from, to) {
    const found = [];
    for (let at = this.at(from); at < this.sections.length && this.#tops[at] < to; at++) {
      if (!this.sections[at].layout) found.push(at);
    }
    return found;
  }

  /** The rows between two positions from top to bottom, by key; a section that is not laid out counts as one. */
  rows(from, to) {
    const found = [];
    let rowsBefore = 0;
    for (let at = 0; at < this.sections.length && this.#tops[at] < to; at++) {
      if (this.#tops[at] + this.#heights[at] > from) found.push(...this.#rowsOf(at, from, to, rowsBefore));
      rowsBefore += this.#counts[at];
    }
    return found;
  }

  *#rowsOf(at, from, to, rowsBefore) {
    const section = this.sections[at];
    const top = this.#tops[at];
    if (!section.layout) {
      yield [`${at}`, { top, height: this.#heights[at] - this.frame.gap, nodes: 1 }];
      return;
    }
    const { firsts, tops, heights } = section.layout;
    for (let row = lastAtMost(tops, from - top); row < tops.length && top + tops[row] < to; row++) {
      const nodes = 1 + 3 * ((firsts[row + 1] ?? section.count) - firsts[row]);
      yield [`${at} ${row}`, { top: top + tops[row], height: heights[row], nodes, section, row, number: rowsBefore + row + 1 }];
    }
  }
}

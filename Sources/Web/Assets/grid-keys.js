// Keys in the grid: one tile is the tab stop, and the arrows move it (WAI-ARIA's layout grid).

export class GridKeys {
  current = -1;

  constructor(grid) {
    this.grid = grid;
    grid.host.addEventListener("focusin", (event) => {
      const index = event.target.dataset.index;
      if (index === undefined) return;
      this.focused = { link: event.target, index };
      this.#mark(Number(index));
    });
  }

  /** Makes one tile the tab stop: the current one, or else the first in the window. */
  refresh() {
    const { link, index } = this.focused ?? {};
    if (link && link === document.activeElement && link.dataset.index !== index) {
      // The list has renumbered the focused tile.
      this.focused.index = link.dataset.index;
      this.current = Number(link.dataset.index);
    }
    if (this.grid.link(this.current)) this.#mark(this.current);
    else this.#markLink(this.grid.link(this.grid.firstIndex));
  }

  /** Handles a key, if the focus is in the grid or the key needs no focus. */
  handle(key) {
    if (this.grid.timeline.total === 0) return false;
    const isInside = this.grid.host.contains(document.activeElement);
    if (!isInside && document.activeElement !== document.body) return false;
    const last = this.grid.timeline.total - 1;
    if (key !== "ArrowDown" && key !== "ArrowUp") this.column = undefined;
    // The reader has left the focused tile with the wheel or the scrubber: begin with what is shown.
    if (isInside && /^(Arrow|Page|[jk]$)/.test(key) && !this.grid.shows(this.current)) {
      this.focus(this.grid.firstIndex);
      return true;
    }
    const from = isInside ? this.current : this.grid.firstIndex - 1;
    if (key === "ArrowRight" || key === "j") this.focus(Math.min(last, from + 1));
    else if (key === "ArrowLeft" || key === "k") this.focus(Math.max(0, from - 1));
    else if (!isInside) return false;
    else if (key === "Home") this.focus(0);
    else if (key === "End") this.focus(last);
    else if (key === "ArrowDown" || key === "ArrowUp") this.#moveByRow(key === "ArrowDown" ? 1 : -1);
    else if (key === "PageDown" || key === "PageUp") this.#moveByWindow(key === "PageDown" ? 1 : -1);
    else return false;
    return true;
  }

  /** Scrolls to the tile of an image and focuses it. */
  async focus(index) {
    this.current = index;
    await this.grid.ready(index);
    if (this.current !== index) return;
    this.grid.reveal(index);
    // The grid makes a few rows in each frame.
    for (let frame = 0; frame < 20 && !this.grid.link(index); frame++) await new Promise(requestAnimationFrame);
    if (this.current === index) this.grid.link(index)?.focus({ preventScroll: true });
  }

  async #moveByRow(step) {
    const { at, row } = this.grid.rowOf(this.current);
    if (row === undefined) return this.focus(this.current);
    const { sections } = this.grid.timeline;
    let section = sections[at];
    // Repeated steps up and down keep the column where they began.
    this.column ??= this.#middles(section, row)[this.current - section.start - section.layout.firsts[row]];
    let target = row + step;
    if (target < 0 || target >= section.layout.firsts.length) {
      const next = sections[at + step];
      if (!next) return this.focus(step > 0 ? section.end - 1 : 0);
      await this.grid.ready(next.start);
      section = next;
      target = step > 0 ? 0 : next.layout.firsts.length - 1;
    }
    const middles = this.#middles(section, target);
    const distances = middles.map((other) => Math.abs(other - this.column));
    const nearest = distances.indexOf(Math.min(...distances));
    return this.focus(section.start + section.layout.firsts[target] + nearest);
  }

  #middles({ layout, count }, row) {
    const first = layout.firsts[row];
    const ratios = layout.ratios.subarray(first, layout.firsts[row + 1] ?? count);
    let left = 0;
    return Array.from(ratios, (ratio) => (left += ratio) - ratio / 2).map((middle) => middle * layout.heights[row]);
  }

  #moveByWindow(step) {
    const { top, height } = this.grid.rowOf(this.current);
    const target = top + height / 2 + step * this.grid.viewHeight * 0.85;
    return this.focus(this.grid.indexAt(Math.max(0, Math.min(this.grid.height - 1, target))));
  }

  #mark(index) {
    this.current = index;
    this.#markLink(this.grid.link(index));
  }

  #markLink(link) {
    const before = this.grid.host.querySelector("a[tabindex='0']");
    if (before === link) return;
    if (before) before.tabIndex = -1;
    if (link) link.tabIndex = 0;
  }
}

// Scrolling through content of any height. Browsers limit an element to some 16 million pixels.

const highest = 6_000_000;
const exact = 100_000;

/**
 * Maps offsets of the scroll bar to positions in the content and back. Both are equal until the content is
 * higher than an element can be. Then they are equal near both ends, and proportional in between.
 */
export class ScrollSpace {
  constructor(contentHeight) {
    this.contentHeight = contentHeight;
    this.height = Math.min(contentHeight, highest);
    this.isEqual = this.height === contentHeight;
    this.factor = (contentHeight - 2 * exact) / (this.height - 2 * exact);
  }

  position(offset) {
    if (this.isEqual || offset <= exact) return offset;
    if (offset >= this.height - exact) return this.contentHeight - (this.height - offset);
    return exact + (offset - exact) * this.factor;
  }

  offset(position) {
    if (this.isEqual || position <= exact) return position;
    if (position >= this.contentHeight - exact) return this.height - (this.contentHeight - position);
    return exact + (position - exact) / this.factor;
  }
}

/**
 * Short moves, as with a wheel, move the content by as many pixels as the scroll bar. Long moves, as with
 * the bar itself, lead to the position for the offset. After a pause, the bar is corrected.
 */
export class Scroller {
  isFrozen = false;
  #space = new ScrollSpace(0);
  #offset = 0;
  // The position minus the offset.
  #shift = 0;
  #jumpedAt = -Infinity;
  #isDragged = false;
  #isTouched = false;
  // The lowest position.
  top = 0;
  viewHeight = 0;

  /** `scrolled` is called after each change; its argument says whether the reader made it. */
  constructor(host, scrolled) {
    this.host = host;
    this.scrolled = scrolled;
    addEventListener("scroll", () => this.#follow(), { passive: true });
    addEventListener("scrollend", () => this.#settle());
    for (const name of ["touchstart", "touchend", "touchcancel"]) {
      addEventListener(name, (event) => (this.#isTouched = event.touches.length > 0), { passive: true });
    }
  }

  /** The position of the window's top; negative while the page's heading is in the window. */
  get position() {
    return this.#offset + this.#shift;
  }

  /** Subtract this from a position to place an element in the host. */
  get shift() {
    return this.#shift;
  }

  get height() {
    return this.#space.contentHeight;
  }

  /** Reads sizes here, once, because reading one after a change makes the browser lay out the page. */
  measure() {
    this.top = -(this.host.getBoundingClientRect().top + scrollY);
    this.viewHeight = innerHeight;
  }

  /** Whether to load pictures: at once after a single jump, and `time` milliseconds after the last of several. */
  isCalm(time) {
    return !this.#isDragged || performance.now() - this.#jumpedAt > time;
  }

  #noteJump() {
    const now = performance.now();
    this.#isDragged = now - this.#jumpedAt < 150;
    this.#jumpedAt = now;
  }

  setHeight(height) {
    this.#space = new ScrollSpace(height);
    this.host.style.height = `${this.#space.height}px`;
  }

  /** Adjusts to content that has grown above the window, so that nothing in it moves. */
  grow(height) {
    this.#shift += height;
    this.#settleSoon();
  }

  moveTo(position, isJump = false) {
    const { top } = this;
    if (isJump) this.#noteJump();
    scrollTo({ top: this.#space.offset(position) - top, behavior: "instant" });
    this.#offset = scrollY + top;
    const reached = Math.max(top, Math.min(position, this.height));
    this.#shift = this.#space.isEqual ? 0 : Math.round(reached - this.#offset);
    this.scrolled(false);
  }

  #follow() {
    if (this.isFrozen) return;
    const offset = scrollY + this.top;
    const moved = offset - this.#offset;
    if (moved === 0) return;
    this.#offset = offset;
    if (Math.abs(moved) > 3 * this.viewHeight) {
      this.#shift = Math.round(this.#space.position(offset) - offset);
      this.#noteJump();
    }
    this.#settleSoon();
    this.scrolled(true);
  }

  #settleSoon() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.#settle(), 200);
  }

  #settle() {
    if (this.isFrozen) return;
    if (this.#isTouched) this.#settleSoon();
    else if (Math.abs(this.#space.offset(this.position) - this.#offset) > 1) this.moveTo(this.position);
  }
}

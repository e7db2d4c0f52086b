// Browsers limit the height of an element to some 16 million pixels; a library can be higher.

const highest = 6_000_000;
const exact = 100_000;

/**
 * Maps scroll offsets to positions in the content and back. Both are equal until the content is higher
 * than an element can be. Then they are equal near both ends, and proportional between.
 */
export class ScrollSpace {
  constructor(contentHeight) {
    this.contentHeight = contentHeight;
    this.height = Math.min(contentHeight, highest);
  }

  get isEqual() {
    return this.height === this.contentHeight;
  }

  position(offset) {
    if (this.isEqual || offset <= exact) return offset;
    if (offset >= this.height - exact) return this.contentHeight - (this.height - offset);
    return exact + (offset - exact) * this.#factor;
  }

  offset(position) {
    if (this.isEqual || position <= exact) return position;
    if (position >= this.contentHeight - exact) return this.height - (this.contentHeight - position);
    return exact + (position - exact) / this.#factor;
  }

  get #factor() {
    return (this.contentHeight - 2 * exact) / (this.height - 2 * exact);
  }
}

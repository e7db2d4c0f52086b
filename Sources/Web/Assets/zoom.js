// Zoom and pan by wheel, two fingers, dragging, double click and keys.

// A picture can be shown at four times its size, and any picture enlarged a little.
const highest = 4;
const leastHighest = 2.5;

export class Zoom {
  scale = 1;
  #x = 0;
  #y = 0;
  #pointers = new Map();

  /** `swiped` gets 1 or -1 after a swipe left or right on a picture that is not enlarged, or on a `step` above it. */
  constructor(stage, canvas, { swiped }, steps = []) {
    this.stage = stage;
    this.canvas = canvas;
    this.swiped = swiped;
    stage.addEventListener("wheel", (event) => this.#turn(event), { passive: false });
    for (const part of [stage, ...steps]) {
      const listen = (name, handler) => part.addEventListener(name, (event) => {
        if (part === stage || event.pointerType === "touch") handler(event);
      });
      listen("pointerdown", (event) => this.#down(event));
      listen("pointermove", (event) => this.#move(event));
      for (const name of ["pointerup", "pointercancel"]) listen(name, (event) => this.#up(event));
    }
    stage.addEventListener("dblclick", (event) => this.by(this.scale > 1 ? 0 : 2.5, event));
    stage.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Multiplies the scale around the pointer, or else around the middle; 0 fits the picture. */
  by(factor, { clientX, clientY } = {}) {
    const box = this.stage.getBoundingClientRect();
    const x = (clientX ?? box.left + box.width / 2) - box.left;
    const y = (clientY ?? box.top + box.height / 2) - box.top;
    const most = Math.max(leastHighest, highest * this.fullScale);
    const scale = Math.min(most, Math.max(1, this.scale * factor));
    this.#x = x - ((x - this.#x) * scale) / this.scale;
    this.#y = y - ((y - this.#y) * scale) / this.scale;
    this.scale = scale;
    this.#draw();
  }

  reset() {
    this.by(0);
  }

  /** The size of the picture when it fits the stage. */
  get #fitting() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const { naturalWidth = 0, naturalHeight = 0 } = this.#picture;
    const fit = Math.min(width / naturalWidth, height / naturalHeight);
    return naturalWidth ? { width: naturalWidth * fit, height: naturalHeight * fit } : { width, height };
  }

  get #picture() {
    return [...this.canvas.children].findLast((one) => !one.hidden && one.naturalWidth > 0) ?? {};
  }

  /** The scale at which a pixel of the picture is a pixel of the screen. */
  get fullScale() {
    return (this.#picture.naturalWidth ?? 0) / this.#fitting.width / devicePixelRatio;
  }

  pan(x, y) {
    this.#x += x;
    this.#y += y;
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const picture = this.#fitting;
    this.#x = this.#bounded(this.#x, width, picture.width);
    this.#y = this.#bounded(this.#y, height, picture.height);
    const isFitting = this.scale === 1;
    this.stage.classList.toggle("zoomed", !isFitting);
    this.canvas.style.transform = isFitting ? "" : `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`;
  }

  /** Keeps the picture in the middle of a side that it does not fill, and its edges out of the stage otherwise. */
  #bounded(offset, side, length) {
    const margin = ((side - length) / 2) * this.scale;
    if (length * this.scale <= side) return (side * (1 - this.scale)) / 2;
    return Math.min(-margin, Math.max(side - side * this.scale + margin, offset));
  }

  #turn(event) {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    this.by(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.002)), event);
  }

  #down(event) {
    if (event.button > 0) return;
    this.#pointers.set(event.pointerId, event);
    this.start = { x: event.clientX, y: event.clientY, hadTwo: this.#pointers.size > 1 };
    if (this.scale > 1 || this.#pointers.size > 1) this.stage.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    if (this.#pointers.size === 2) {
      const [other] = [...this.#pointers.values()].filter((one) => one.pointerId !== event.pointerId);
      const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      this.by(distance(event) / Math.max(1, distance(before)), middle);
      this.pan((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
    } else if (this.scale > 1) {
      this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    }
    this.#pointers.set(event.pointerId, event);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    const x = event.clientX - this.start.x;
    const y = event.clientY - this.start.y;
    const isSwipe = event.type === "pointerup" && event.pointerType === "touch" && !this.start.hadTwo && this.scale === 1;
    if (isSwipe && Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) this.swiped(x < 0 ? 1 : -1);
    const isClick = Math.hypot(x, y) < 4 && this.scale > 1 && event.detail < 2;
    if (isClick && event.type === "pointerup") this.#center(event);
  }

  /** Moves the clicked point of an enlarged picture to the middle, so that no drag is needed. */
  #center(event) {
    const box = this.stage.getBoundingClientRect();
    this.pan(box.left + box.width / 2 - event.clientX, box.top + box.height / 2 - event.clientY);
  }
}

// Zoom and pan by wheel, two fingers, dragging, double click and keys.

const highest = 12;

export class Zoom {
  scale = 1;
  #x = 0;
  #y = 0;
  #pointers = new Map();

  /** `swiped` gets 1 or -1 after a swipe left or right on a picture that is not enlarged. */
  constructor(stage, canvas, { swiped }) {
    this.stage = stage;
    this.canvas = canvas;
    this.swiped = swiped;
    stage.addEventListener("wheel", (event) => this.#turn(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, (event) => this.#up(event));
    stage.addEventListener("dblclick", (event) => this.by(this.scale > 1 ? 0 : 2.5, event));
    stage.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Multiplies the scale around the pointer, or else around the middle; 0 fits the picture. */
  by(factor, { clientX, clientY } = {}) {
    const box = this.stage.getBoundingClientRect();
    const x = (clientX ?? box.left + box.width / 2) - box.left;
    const y = (clientY ?? box.top + box.height / 2) - box.top;
    const scale = Math.min(highest, Math.max(1, this.scale * factor));
    this.#x = x - ((x - this.#x) * scale) / this.scale;
    this.#y = y - ((y - this.#y) * scale) / this.scale;
    this.scale = scale;
    this.#draw();
  }

  reset() {
    this.by(0);
  }

  pan(x, y) {
    this.#x += x;
    this.#y += y;
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    this.#x = Math.min(0, Math.max(width * (1 - this.scale), this.#x));
    this.#y = Math.min(0, Math.max(height * (1 - this.scale), this.#y));
    const isFitting = this.scale === 1;
    this.stage.classList.toggle("zoomed", !isFitting);
    this.canvas.style.transform = isFitting ? "" : `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`;
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

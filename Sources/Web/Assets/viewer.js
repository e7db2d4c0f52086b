// One image: its thumbnail enlarged at once, then the original in its place.

import { api, away, setPin } from "./api.js";
import { announce, base, dateText, element, find, findAll, isAdmin, isStatic, sizeText } from "./dom.js";
import { toggleFullScreen } from "./page.js";
import { Zoom } from "./zoom.js";

export class Viewer {
  /** `steps` are `step(1 or -1)` and `close()`. */
  constructor(article, steps) {
    this.article = article;
    this.steps = steps;
    this.canvas = find(".canvas", article);
    this.thumbnail = find(".thumbnail", article);
    this.original = find(".original", article);
    this.progress = find(".progress", article);
    this.id = article.dataset.id;
    this.zoom = new Zoom(find(".stage", article), this.canvas, { swiped: (step) => steps.step(step) }, findAll(".step", article));
    this.#startButtons();
    for (const name of ["pointermove", "pointerdown", "keydown"]) article.addEventListener(name, () => this.#wake());
    article.classList.toggle("closed", localStorage.getItem("details") === "closed");
    this.#markDetails();
  }

  /** Shows the buttons in full screen for a while. */
  #wake() {
    this.article.classList.add("awake");
    clearTimeout(this.sleeping);
    this.sleeping = setTimeout(() => this.article.classList.remove("awake"), 3000);
  }

  #startButtons() {
    const actions = {
      "zoom-in": () => this.zoom.by(1.5), "zoom-out": () => this.zoom.by(1 / 1.5),
      details: () => this.toggleDetails(), fullscreen: toggleFullScreen,
    };
    for (const [name, action] of Object.entries(actions)) {
      const button = find(`[data-action=${name}]`, this.article);
      button.hidden = false;
      button.addEventListener("click", action);
    }
    this.pin = find("[data-action=pin]", this.article);
    this.pin?.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.togglePin();
    });
    find(".problem a", this.article).addEventListener("click", (event) => {
      event.preventDefault();
      this.loadOriginal();
    });
  }

  handle(key) {
    const arrows = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
    if (this.zoom.scale > 1 && arrows[key]) this.zoom.pan(...arrows[key]);
    else if (key === "j" || key === "ArrowRight") this.steps.step(1);
    else if (key === "k" || key === "ArrowLeft") this.steps.step(-1);
    else if (key === "+" || key === "=") this.zoom.by(1.5);
    else if (key === "-") this.zoom.by(1 / 1.5);
    else if (key === "0") this.zoom.reset();
    else if (key === "1") this.zoom.by(this.zoom.fullScale / this.zoom.scale);
    else if (key === "i") this.toggleDetails();
    else if (key === "p" && isAdmin) this.togglePin();
    else if (key === "Escape") this.steps.close();
    else return false;
    return true;
  }

  toggleDetails() {
    if (!matchMedia("(min-width: 900px)").matches) {
      find(".details", this.article).scrollIntoView({
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
      return;
    }
    const isClosed = this.article.classList.toggle("closed");
    localStorage.setItem("details", isClosed ? "closed" : "open");
    this.#markDetails();
  }

  #markDetails() {
    find("[data-action=details]", this.article).setAttribute("aria-expanded", !this.article.classList.contains("closed"));
  }

  /** Shows an image of the list: its thumbnail and name first, all else when it arrives. */
  show({ id, name, thumbnail, isStored }) {
    this.article.dataset.id = this.id = String(id);
    this.zoom.reset();
    this.article.scrollTop = 0;
    this.canvas.classList.remove("ready");
    this.thumbnail.hidden = !thumbnail;
    if (thumbnail) this.thumbnail.src = `${base}/t/${thumbnail}`;
    this.#nameIt(name || "Untitled image");
    find(".caption", this.article).hidden = true;
    find(".facts", this.article).replaceChildren();
    this.#replaceOriginal({ hidden: true });
    this.progress.hidden = true;
    if (isStored) this.loadOriginal();
    this.#readDetails(isStored);
  }

  #nameIt(name) {
    this.article.setAttribute("aria-label", name);
    this.thumbnail.alt = name;
    find("h1", this.article).textContent = name;
  }

  /** Loads the original over the thumbnail, which shows through until all of it has arrived. */
  async loadOriginal(src = `${base}/images/${this.id}/original`) {
    const { id } = this;
    const picture = this.#replaceOriginal({ src, draggable: false });
    const isLate = setTimeout(() => this.#showProgress(picture), 250);
    try {
      await picture.decode();
      if (this.original !== picture) return;
      // It takes the place of the thumbnail for those who do not see, too.
      picture.alt = this.thumbnail.alt;
      this.canvas.classList.add("ready");
    } catch {
      if (this.original === picture) await this.#explain(id);
    }
    clearTimeout(isLate);
    if (this.original === picture || this.original.hidden) this.progress.hidden = true;
  }

  /** Shows that the original is arriving, and how much of it has come to the server. */
  async #showProgress(picture) {
    const isArriving = () => this.original === picture && !picture.complete;
    for (let details = {}; isArriving(); details = isStatic ? {} : await api(`/images/${this.id}`).catch(() => ({}))) {
      this.#setShare(details.arriving ?? { total: details.original?.bytes });
      this.progress.hidden = false;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  #setShare({ received, total }) {
    const { progress } = this;
    progress.setAttribute("aria-valuetext", [received, total].filter(Boolean).map(sizeText).join(" of "));
    progress.removeAttribute("aria-valuenow");
    if (!received || !total) return;
    const share = Math.min(100, Math.floor((received / total) * 100));
    progress.setAttribute("aria-valuenow", share);
    progress.style.setProperty("--share", `${share}%`);
  }

  /** Says why the original is missing, or asks the server for a JPEG if the browser cannot show it. */
  async #explain(id) {
    this.original.hidden = true;
    const answer = isStatic || await fetch(this.original.src, { method: "HEAD" }).catch(() => null);
    if (!answer && this.id === id) return this.#setProblem(`${away} This browser does not keep this original.`);
    const details = await api(`/images/${id}`).catch((error) => ({ failures: [{ reason: error.message }] }));
    if (this.id !== id) return;
    const { sha256, type } = details.original ?? {};
    if (sha256 && !isStatic && !this.original.src.includes("/iiif/")) {
      return this.loadOriginal(`${base}/iiif/image/${sha256}/full/max/0/default.jpg`);
    }
    if (sha256) return this.#setProblem(`This browser cannot show the original${type ? ` (${type})` : ""}.`);
    const reason = details.failures?.find(isOfOriginal)?.reason ?? await refusal(this.original.src);
    if (this.id === id) this.#setProblem(reason ?? "The original is not stored, and its server cannot be reached.");
  }

  /** Puts another picture in the place of the original. */
  #replaceOriginal(properties) {
    const picture = element("img", { className: "original", alt: "", ...properties });
    this.original.replaceWith(picture);
    this.#setProblem("");
    return this.original = picture;
  }

  #setProblem(text) {
    const problem = find(".problem", this.article);
    problem.hidden = !text;
    find("span", problem).textContent = text;
  }

  /** Reads the details. A failed original waits for "Try again". */
  async #readDetails(isStored) {
    const { id } = this;
    const details = await api(`/images/${id}`).catch(() => null);
    if (this.id !== id) return;
    const failure = details?.failures?.find(isOfOriginal);
    if (!isStored && failure) this.#setProblem(failure.reason);
    else if (!isStored && !isStatic) this.loadOriginal();
    if (!details) return;
    if (details.title) this.#nameIt(details.title);
    const caption = find(".caption", this.article);
    caption.hidden = !details.caption;
    caption.textContent = details.caption ?? "";
    this.#linkOriginal(details);
    if (this.pinned !== id) this.#markPin(details.pinned);
    this.#showFacts(this.details = details);
  }

  /** Shows the facts; the button knows better than older details whether the image is pinned. */
  #showFacts(details) {
    const pinned = this.pin ? this.#isPinned : details.pinned;
    find(".facts", this.article).replaceChildren(...facts({ ...details, pinned }));
  }

  /** A static site links to the original's file, or else to the feed's server. */
  #linkOriginal({ id, title, original, originalURL }) {
    const [link, save] = findAll(".original-link a", this.article);
    link.textContent = isStatic && original ? "Save the original" : "Open the original";
    link.href = isStatic && isWeb(originalURL) ? originalURL : `${base}/images/${id}/original`;
    link.parentElement.hidden = isStatic && !original && !isWeb(originalURL);
    save.hidden = isStatic;
    save.href = link.href;
    save.download = title || `Image ${id}`;
    if (!isStatic || !original) return;
    link.href = `${base}/o/${original.sha256}`;
    link.download = save.download;
  }

  get #isPinned() {
    return this.pin.getAttribute("aria-pressed") === "true";
  }

  #markPin(isPinned) {
    this.pin?.setAttribute("aria-pressed", isPinned);
  }

  async togglePin() {
    const isPinned = this.#isPinned;
    // Details that still arrive are older.
    this.pinned = this.id;
    try {
      await setPin(this.id, !isPinned);
      this.#markPin(!isPinned);
      if (this.details?.id === this.id) this.#showFacts(this.details);
      announce(isPinned ? "Unpinned" : "Pinned");
    } catch (error) {
      announce(error.message, true);
    }
  }
}

/** The server's reason for not sending a picture. */
async function refusal(address) {
  const answer = await fetch(address).catch(() => {});
  if (answer && !answer.ok) return (await answer.json().catch(() => ({}))).detail;
}

/** Whether an address is safe to link to: a gallery may name one of any scheme. */
const isWeb = (address) => /^https?:/.test(address);

const isOfOriginal = ({ picture }) => picture !== "thumbnail";

function facts({ published, author, licence, feed, feedURL, feedFormat, pageURL, original, manifest, firstSeen, details, pinned }) {
  const link = (href, textContent) => element("a", { href, textContent });
  const webLink = (address) => isWeb(address) ? link(address, address) : address;
  const known = [
    // The date of a file in a folder, which nobody has published.
    [feedFormat === "folder" ? "Date" : "Published", published && element("time", { dateTime: published, textContent: dateText(published) })],
    ["Taken", details?.taken && takenText(details.taken)],
    ["Camera", details?.camera],
    ["Lens", details?.lens],
    ["Exposure", details && exposureText(details)],
    ["Place", details?.place && placeText(details.place)],
    ["Author", author],
    ["Licence", webLink(licence)],
    ["Feed", feed && link(`${base}/feeds/${feed.id}${isStatic ? "/index.html" : ""}`, feed.title ?? feedURL ?? `Feed ${feed.id}`)],
    ["Source", webLink(pageURL)],
    ["Manifest", manifest?.title],
    // IIIF's required statement, which clients must show (Presentation 3.0, section 3.1).
    ["Attribution", manifest?.attribution],
    ...(manifest?.metadata ?? []).map(({ label, value }) => [label, value]),
    ["Original", original && originalText(original)],
    ["First seen", firstSeen && element("time", { dateTime: firstSeen, textContent: dateText(firstSeen) })],
    ["SHA-256", original?.sha256],
    ["Pinned", pinned && "yes, so its pictures stay"],
  ];
  return known.filter(([, value]) => value).flatMap(([label, value]) =>
    [element("dt", { textContent: label }), element("dd", { dir: "auto" }, value)]);
}

/** The time on the camera's clock, which is not that of the reader. */
const takenText = (taken) => taken.replace("T", " ").replace(/[+-]\d\d:\d\d$/, " $&");

function exposureText({ exposure, aperture, iso, focalLength }) {
  const time = exposure && (exposure < 0.3 ? `1/${Math.round(1 / exposure)}` : Math.round(exposure * 10) / 10);
  return [time && `${time} s`, aperture && `f/${aperture}`, iso && `ISO ${iso}`, focalLength && `${focalLength} mm`]
    .filter(Boolean).join(", ");
}

function placeText({ latitude, longitude }) {
  const angle = (degrees, [positive, negative]) => `${Math.abs(degrees).toFixed(5)}° ${degrees < 0 ? negative : positive}`;
  return `${angle(latitude, "NS")}, ${angle(longitude, "EW")}`;
}

function originalText({ width, height, bytes, type }) {
  return [width && `${width} × ${height}`, type?.replace("image/", "").toUpperCase(), bytes && sizeText(bytes)]
    .filter(Boolean).join(" · ");
}

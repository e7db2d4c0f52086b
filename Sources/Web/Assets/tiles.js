// The elements of a row: a cell, a link and a picture for each image.

import { withQuery } from "./api.js";
import { base, element, monthText } from "./dom.js";

/** Two gradients that look like the 4 × 3 grid of colours: rows over columns. */
function placeholder(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const mean = (first, count, step, opacity) => {
    let red = 0, green = 0, blue = 0;
    for (let cell = 0; cell < count; cell++) {
      const at = 3 * (first + cell * step);
      red += bytes[at];
      green += bytes[at + 1];
      blue += bytes[at + 2];
    }
    return `rgb(${(red / count) | 0} ${(green / count) | 0} ${(blue / count) | 0}${opacity})`;
  };
  const columns = [0, 1, 2, 3].map((x) => mean(x, 3, 4, ""));
  const rows = [0, 4, 8].map((y) => mean(y, 4, 1, " / 0.5"));
  return `linear-gradient(${rows}), linear-gradient(90deg, ${columns})`;
}

function makeCell(images, at, suffix) {
  const thumbnail = images.thumbnails[at];
  const picture = element("img", { alt: "", decoding: "async", draggable: false });
  const link = element("a", { href: `${base}/images/${images.ids[at]}${suffix}`, tabIndex: -1 });
  const cell = element("div", { className: "cell", role: "gridcell" }, link);
  if (!thumbnail) {
    cell.classList.add("bare");
    return cell;
  }
  if (images.colours) {
    const colours = images.colours.slice(at * 48, at * 48 + 48);
    if (!/^A+$/.test(colours)) link.style.backgroundImage = placeholder(colours);
  }
  picture.addEventListener("error", () => cell.classList.add("bare"));
  picture.address = `${base}/t/${thumbnail}`;
  link.append(picture);
  return cell;
}

/** Makes a row of a section's layout. Its pictures load when `loadPictures` is called. */
export function makeRow(place, frame, query) {
  const { section, row: position } = place;
  const { layout, images } = section;
  const first = layout.firsts[position];
  const end = layout.firsts[position + 1] ?? section.count;
  const height = layout.heights[position];
  const row = element("div", { className: "row", role: "row" });
  const months = layout.months.get(position);
  if (months) row.ariaLabel = row.dataset.month = monthText(...months);
  row.style.height = `${height}px`;
  const suffix = withQuery("", query);
  let left = 0;
  for (let at = first; at < end; at++) {
    const cell = makeCell(images, at, suffix);
    const right = left + layout.ratios[at] * height;
    const x = Math.round(left);
    // The last tile ends exactly at the edge when the row is full.
    const isFull = at === end - 1 && Math.abs(frame.width - right) < end - first + 2;
    cell.style.left = `${x}px`;
    cell.style.width = `${(isFull ? frame.width : Math.round(right)) - x}px`;
    row.append(cell);
    left = right + frame.gap;
  }
  return numberRow(row, place);
}

/** A text of a row's content; rows with equal texts are interchangeable. */
export function contentOf({ section, row, height }) {
  if (!section) return `${height}`;
  const { ids, thumbnails } = section.images;
  const { firsts, months } = section.layout;
  const [first, end] = [firsts[row], firsts[row + 1]];
  return [height, months.get(row), ids.slice(first, end), thumbnails.slice(first, end)].join();
}

/** Numbers a row for this list, and names its images and their pins: those of another list may differ. */
export function numberRow(made, { section, row, number }) {
  if (!section) return made;
  const { images, layout, start } = section;
  made.setAttribute("aria-rowindex", number);
  let at = layout.firsts[row];
  for (const { firstChild: link, classList } of made.children) {
    const isPinned = images.pins?.[at] === true;
    classList.toggle("is-pinned", isPinned);
    link.ariaLabel = `${images.names[at] || "Untitled image"}${isPinned ? ", pinned" : ""}`;
    link.dataset.index = start + at++;
  }
  return made;
}

/** Makes a placeholder for the rows of an unloaded section. */
export function makeWaiting({ height }) {
  const waiting = element("div", { className: "waiting", role: "presentation" });
  waiting.style.height = `${height}px`;
  return waiting;
}

export function loadPictures(row) {
  if (row.hasPictures) return;
  row.hasPictures = true;
  for (const picture of row.getElementsByTagName("img")) {
    picture.src = picture.address;
  }
}

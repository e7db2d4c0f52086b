// The elements of a row: a cell, a link and a picture for each image.

import { withQuery } from "./api.js";
import { base, element, monthText } from "./dom.js";

/** Two gradients that look like the 4 × 3 grid of colours: rows over columns. */
function placeholder(base64) {
  const text = atob(base64);
  const mean = (cells, opacity) => {
    const part = (offset) => cells.reduce((sum, cell) => sum + text.charCodeAt(cell * 3 + offset), 0) / cells.length;
    return `rgb(${part(0)} ${part(1)} ${part(2)} / ${opacity})`;
  };
  const columns = [0, 1, 2, 3].map((x) => mean([x, x + 4, x + 8], 1));
  const rows = [0, 4, 8].map((y) => mean([y, y + 1, y + 2, y + 3], 0.5));
  return `linear-gradient(${rows}), linear-gradient(90deg, ${columns})`;
}

function makeCell(images, at, index, query) {
  const name = images.names[at] || "Untitled image";
  const thumbnail = images.thumbnails[at];
  const picture = element("img", { alt: "", decoding: "async", draggable: false });
  const link = element("a", {
    href: withQuery(`${base}/images/${images.ids[at]}`, query), tabIndex: -1, "aria-label": name, "data-index": index,
  });
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

/** Makes the row at a position of a section's layout. Its pictures load when `loadPictures` is called. */
export function makeRow(section, position, frame, query) {
  const { layout, images } = section;
  const first = layout.firsts[position];
  const end = layout.firsts[position + 1] ?? section.count;
  const height = layout.heights[position];
  const row = element("div", { className: "row", role: "row" });
  const months = layout.months.get(position);
  if (months) row.dataset.month = monthText(...months);
  row.style.height = `${height}px`;
  let left = 0;
  for (let at = first; at < end; at++) {
    const cell = makeCell(images, at, section.start + at, query);
    const right = left + layout.ratios[at] * height;
    const x = Math.round(left);
    // The last tile ends exactly at the edge when the row is full.
    const isFull = at === end - 1 && Math.abs(frame.width - right) < end - first + 2;
    cell.style.left = `${x}px`;
    cell.style.width = `${(isFull ? frame.width : Math.round(right)) - x}px`;
    row.append(cell);
    left = right + frame.gap;
  }
  return row;
}

export function loadPictures(row) {
  if (row.hasPictures) return;
  row.hasPictures = true;
  for (const picture of row.getElementsByTagName("img")) {
    picture.src = picture.address;
  }
}

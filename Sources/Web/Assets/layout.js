// The rows of a section: images of one height that fill the width.

const narrowest = 0.45;
const widest = 3.2;
const likelyRatio = 1.42;

/** The ratio of a tile: extreme ones are limited, and an unknown one is 1. */
const tileRatio = (ratio) => (ratio > 0 ? Math.min(widest, Math.max(narrowest, ratio)) : 1);

/** The height that rows should have in a grid of this width. */
export const rowHeight = (width) => Math.round(Math.min(340, Math.max(112, 70 + width * 0.105)));

/** The number of rows, of about the height in `frame`, for images with this sum of ratios. */
const rowCount = (sum, frame) => Math.max(1, Math.round((sum * frame.height) / frame.width));

function sumOf(ratios, start, end) {
  let sum = 0;
  for (let index = start; index < end; index++) sum += ratios[index];
  return sum;
}

/**
 * Cuts the images from `start` to `end` into rows. Every row ends where the sum of ratios comes nearest to
 * an equal share, so that all rows are full, including the last one.
 */
function cutRows(ratios, start, end, frame) {
  const sum = sumOf(ratios, start, end);
  const count = Math.min(rowCount(sum, frame), end - start);
  const share = sum / count;
  const firsts = [start];
  let reached = 0;
  for (let index = start; index < end && firsts.length < count; index++) {
    const after = reached + ratios[index];
    const target = share * firsts.length;
    if (after >= target) {
      const next = after - target <= target - reached || index === firsts.at(-1) ? index + 1 : index;
      if (next < end) firsts.push(next);
    }
    reached = after;
  }
  return firsts;
}

/** The height at which the images from `start` to `end` fill the width, limited for rows of few images. */
function fittingHeight(ratios, start, end, frame) {
  const free = frame.width - (end - start - 1) * frame.gap;
  return Math.round(Math.min(free / sumOf(ratios, start, end), frame.height * 1.7));
}

/**
 * Groups consecutive months until each group fills at least two and a half rows, so that a month of three
 * images gets no separate row. `starts` are [index, month].
 */
function groupMonths(starts, ratios, frame) {
  const least = (2.5 * frame.width) / frame.height;
  const groups = [];
  let sum = 0;
  starts.forEach(([start, month], position) => {
    const end = starts[position + 1]?.[0] ?? ratios.length;
    if (groups.length === 0 || sum >= least) {
      groups.push({ start, first: month, last: month });
      sum = 0;
    }
    const group = groups.at(-1);
    group.last = month;
    sum += sumOf(ratios, start, end);
  });
  if (groups.length > 1 && sum < least) {
    const { last } = groups.pop();
    groups.at(-1).last = last;
  }
  return groups;
}
/** Lays out a loaded section: the first image, top and height of each row, and the months that begin. */
export function layOut(section, frame, monthBefore) {
  const ratios = section.images.ratios.map(tileRatio);
  section.sum = sumOf(ratios, 0, ratios.length);
  const starts = section.months;
  const groups = starts.length > 0 ? groupMonths(starts, ratios, frame) : [{ start: 0 }];
  const layout = { firsts: [], tops: [], heights: [], months: new Map(), ratios, height: 0 };
  groups.forEach((group, position) => {
    const end = groups[position + 1]?.start ?? ratios.length;
    const continues = group.first === undefined || (group.first === monthBefore && group.last === monthBefore);
    if (!continues) {
      layout.months.set(layout.firsts.length, [group.first, group.last]);
      layout.height += frame.heading;
    }
    addRows(layout, cutRows(ratios, group.start, end, frame), end, frame);
  });
  return layout;
}

function addRows(layout, firsts, end, frame) {
  firsts.forEach((first, position) => {
    const height = fittingHeight(layout.ratios, first, firsts[position + 1] ?? end, frame);
    layout.firsts.push(first);
    layout.tops.push(layout.height);
    layout.heights.push(height);
    layout.height += height + frame.gap;
  });
}

/** The likely rows and height of a section whose images are not loaded. */
export function estimate(section, frame) {
  const rows = rowCount(section.sum ?? section.count * likelyRatio, frame);
  const headings = Math.min(section.months.length, Math.ceil(rows / 2.5));
  return { rows, height: rows * (frame.height + frame.gap) + headings * frame.heading };
}

/** The index of the last value in a sorted array that is at most `value`. */
export function lastAtMost(sorted, value) {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

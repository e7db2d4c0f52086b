// Justified rows: images of one height fill the width.

const narrowest = 0.45;
const widest = 3.2;

/** The ratio that a tile has: extreme ones are cut, and an unknown one is a square. */
export const tileRatio = (ratio) => (ratio > 0 ? Math.min(widest, Math.max(narrowest, ratio)) : 1);

/** The height that rows should have in a grid of this width. */
export const rowHeight = (width) => Math.round(Math.min(340, Math.max(112, 70 + width * 0.105)));

/** How many rows of about the height of `frame` images with this sum of ratios fill. */
export const rowCount = (sum, frame) => Math.max(1, Math.round((sum * frame.height) / frame.width));

/**
 * Cuts the images from `start` to `end` into rows. Every row ends where the sum of ratios comes nearest to
 * an equal share, so that all of them are full, the last one too.
 */
export function cutRows(ratios, start, end, frame) {
  let sum = 0;
  for (let index = start; index < end; index++) sum += ratios[index];
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
export function fittingHeight(ratios, start, end, frame) {
  let sum = 0;
  for (let index = start; index < end; index++) sum += ratios[index];
  const free = frame.width - (end - start - 1) * frame.gap;
  return Math.round(Math.min(free / sum, frame.height * 1.7));
}

/**
 * Groups of consecutive months, each with images for two rows and a half at least, so that a month of three
 * images has no row of its own. `starts` are [index, month].
 */
export function groupMonths(starts, ratios, frame) {
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
    for (let index = start; index < end; index++) sum += ratios[index];
    group.sum = sum;
  });
  if (groups.length > 1 && sum < least) {
    const { last } = groups.pop();
    groups.at(-1).last = last;
  }
  return groups;
}

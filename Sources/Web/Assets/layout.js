// Where the rows of a section are, and how high a section will be before its images are known.

import { cutRows, fittingHeight, groupMonths, rowCount, tileRatio } from "./rows.js";

const likelyRatio = 1.42;

/** Lays out a loaded section: the first image, top and height of each row, and the months that begin. */
export function layOut(section, frame, monthBefore) {
  const ratios = section.images.ratios.map(tileRatio);
  section.sum = ratios.reduce((sum, ratio) => sum + ratio, 0);
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

/** The position in a sorted array of the last value that is not above `value`. */
export function lastAtMost(sorted, value, length = sorted.length) {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

// A list: the number of images in each bucket, and the images of the buckets near the window.

import { api, withQuery } from "./api.js";

const leastImages = 120;
const mostLoaded = 8;

/** Consecutive buckets that are loaded and laid out together: some 120 to 2,100 images. */
class Section {
  constructor(start) {
    this.start = start;
    this.count = 0;
    this.buckets = [];
    this.images = null;
    this.layout = null;
    this.loading = null;
    // How many callers need its images, even far from the window.
    this.uses = 0;
  }

  get end() {
    return this.start + this.count;
  }

  /** [index in the section, month] of each month that begins here. */
  get months() {
    const months = [];
    let index = 0;
    for (const { month, count } of this.buckets) {
      if (month && months.at(-1)?.[1] !== month) months.push([index, month]);
      index += count;
    }
    return months;
  }
}

function cutSections(buckets) {
  const sections = [];
  let start = 0;
  for (const bucket of buckets) {
    let section = sections.at(-1);
    if (!section || section.count >= leastImages || section.count + bucket.count > 2100) {
      section = new Section(start);
      sections.push(section);
    }
    section.buckets.push(bucket);
    section.count += bucket.count;
    start += bucket.count;
  }
  return sections;
}

export class Timeline {
  /** Reads the list from the server, or with `isKept` from this browser's copy. */
  static async read(query, options) {
    const answer = await api(withQuery("/timeline", query), options);
    if (!answer) throw new Error("Nothing is kept.");
    return new Timeline(query, answer);
  }

  /** `kept` is the time of this browser's copy in milliseconds, if the list comes from it. */
  constructor(query, { version, total, buckets, kept }) {
    this.query = query;
    this.kept = kept;
    this.version = version;
    this.total = total;
    this.sections = cutSections(buckets.filter((bucket) => bucket.count > 0));
    this.counts = buckets.map(({ month, count }) => [month, count]);
    this.isDated = buckets.length > 0 && buckets.every((bucket) => bucket.month);
  }

  /** The first index of each month, as {month, index}. */
  get months() {
    const months = [];
    for (const section of this.sections) {
      for (const [index, month] of section.months) {
        if (months.at(-1)?.month !== month) months.push({ month, index: section.start + index });
      }
    }
    return months;
  }

  /** The index of the section that has the image. */
  sectionOf(index) {
    let low = 0;
    let high = this.sections.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sections[middle].start <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Loads a section once; a call while it loads gets the same promise. */
  load(position) {
    const section = this.sections[position];
    if (section.images) return Promise.resolve(section.images);
    if (!section.loading || section.abort.signal.aborted) {
      section.abort = new AbortController();
      const loading = this.#read(section).finally(() => {
        if (section.loading === loading) section.loading = null;
      });
      section.loading = loading;
    }
    return section.loading;
  }

  /** Loads a section, and keeps it until its images have arrived, even far from the window. */
  async need(position) {
    const section = this.sections[position];
    section.uses += 1;
    try {
      return await this.load(position);
    } finally {
      section.uses -= 1;
    }
  }

  /** Forgets the images of all sections but those nearest to `position`, and stops loading far ones. */
  keepNear(position) {
    const far = this.sections
      .map((section, at) => [Math.abs(at - position), section])
      .filter(([, section]) => section.uses === 0 && (section.images || section.loading))
      .sort(([one], [other]) => one - other);
    for (const [, section] of far.slice(mostLoaded)) {
      section.images = null;
      section.layout = null;
    }
    for (const [distance, section] of far) if (distance > 2 && section.loading) section.abort.abort();
  }

  /** The image at an index of the list. */
  async image(index) {
    const section = this.sections[this.sectionOf(index)];
    const images = await this.need(this.sectionOf(index));
    const at = index - section.start;
    return {
      index, id: images.ids[at], name: images.names[at], thumbnail: images.thumbnails[at], isStored: images.originals[at],
    };
  }

  /** The index of an image; -1 when the list does not have it. */
  async indexOf(id) {
    for (const [at, { start }] of this.sections.entries()) {
      const index = (await this.load(at)).ids.indexOf(id);
      if (index >= 0) return start + index;
    }
    return -1;
  }

  async #read(section) {
    const query = { ...this.query, v: this.version };
    const parts = await Promise.all(
      section.buckets.map(({ key }) =>
        api(withQuery(`/timeline/${key}`, query), { signal: section.abort.signal, isKept: this.kept })),
    );
    const all = (name) => (parts.length === 1 ? parts[0][name] : parts.flatMap((part) => part[name]));
    section.images = {
      ids: all("ids"), names: all("names"), thumbnails: all("thumbnails"), originals: all("originals"), pins: all("pins"), ratios: Float32Array.from(all("ratios")),
      // 48 characters of base64 per image, without padding, so texts can be joined.
      colours: parts.every((part) => part.colours) ? parts.map((part) => part.colours).join("") : null,
    };
    return section.images;
  }
}

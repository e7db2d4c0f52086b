// The feeds: add, remove, sync, with their progress and the images that arrive.

import { api, ask, away, follow, hasEnded, withQuery } from "./api.js";
import { announce, base, element, find, findAll, isAdmin, localise, numberText } from "./dom.js";
import { hear, startWorkers } from "./live.js";
import "./page.js";

const panel = find(".job");
const text = find(".job-text");
const bar = find(".job-progress");
const problems = find(".job-problems");
const stop = find(".job-stop");
const absence = element("p", { className: "age", role: "status", textContent: away, hidden: true });
document.body.append(absence);
const arrivals = find(".arrivals");
const template = find("#feed-template");
const feeds = find("ul.feeds");

/** Fills a copy of the template with a feed of the API. */
function feedItem({ id, url, title, images, status, problem, lastSync, damaged, failures = [] }) {
  const item = template.content.firstElementChild.cloneNode(true);
  item.dataset.id = id;
  const name = title || url || `Feed ${id}`;
  const link = find(".feed-name a", item);
  link.href = `${base}/feeds/${id}`;
  link.textContent = name;
  find(".feed-count", item).textContent = numberText(images ?? 0);
  find(".feed-address", item).textContent = url;
  find(".state", item).textContent = status ?? "";
  // This browser's copy does not tell it.
  find(".feed-state", item).hidden = !status;
  if (lastSync) find(".feed-state", item).append(" ", element("time", { dateTime: lastSync, textContent: lastSync }));
  const why = find(".problem", item);
  why.textContent = [problem, damaged && `${countOf(damaged, "stored picture")} damaged`, ...failures.map(failureText)]
    .filter(Boolean).join("; ");
  why.hidden = !why.textContent;
  find(".removal summary", item)?.setAttribute("aria-label", `Remove ${name}`);
  const form = find(".removal form", item);
  if (form) form.action = `${base}/feeds/${id}/remove`;
  localise(item);
  return item;
}

const countOf = (count, noun) => `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
const failureText = ({ picture, count, reason }) => `${countOf(count, picture)} failed lately: ${reason}`;

async function readFeeds() {
  const answer = await api("/feeds");
  feeds.replaceChildren(...answer.feeds.map(feedItem));
  find(".note").hidden = answer.feeds.length > 0;
  return answer.feeds;
}

function report({ state, progress, text: line, problems: lines = [] }) {
  panel.hidden = false;
  text.textContent = line || (state === "waiting" ? "Waits for another sync of this feed." : "");
  bar.hidden = hasEnded({ state });
  if (progress == null) bar.removeAttribute("value");
  else bar.value = progress;
  problems.replaceChildren(...lines.map((problem) => element("li", { textContent: problem })));
}

/** Shows the images that were added last. */
async function showArrivals(query) {
  const { images } = await api(withQuery("/images", { sort: "added", limit: 24, ...query }));
  const known = new Set([...arrivals.children].map((item) => item.dataset.id));
  const items = images.filter(({ thumbnail }) => thumbnail?.sha256).map((image) => {
    if (known.has(String(image.id))) return find(`[data-id="${image.id}"]`, arrivals);
    const picture = element("img", {
      src: `${base}/t/${image.thumbnail.sha256}`, alt: image.title || "Untitled image",
      width: image.thumbnail.width ?? 128, height: image.thumbnail.height ?? 96,
    });
    return element("li", { "data-id": image.id }, element("a", { href: `${base}/images/${image.id}` }, picture));
  });
  arrivals.replaceChildren(...items);
}

/** Starts a job and follows it to its end. `url` is the feed whose images are shown. */
async function run(path, body, url) {
  for (const button of findAll(".addition button, .sync button")) button.disabled = true;
  arrivals.replaceChildren();
  report({ state: "running", text: "Asking the server …" });
  try {
    const { job } = await api(path, { method: "POST", body });
    const last = await track(job, url);
    if (last.state === "done" && url) find("#url").value = "";
  } catch (error) {
    report({ state: "failed", text: error.message });
  } finally {
    for (const button of findAll(".addition button, .sync button")) button.disabled = false;
    await readFeeds().catch(() => {});
  }
}

/** Shows a job until it ends, and lets the reader stop it. */
async function track(job, url) {
  stop.hidden = false;
  stop.onclick = () => ask(job, { method: "DELETE" }).catch((error) => announce(error.message, true));
  try {
    return await follow(job, (state) => {
      report(state);
      showNew(url).catch(() => {});
    });
  } finally {
    stop.hidden = true;
  }
}

/** Shows the sync that runs already, which another page or a program has started. */
async function showRunning() {
  const { jobs } = await api("/jobs");
  if (jobs.length === 0) return;
  await track(`${base}/api/v1/jobs/${jobs.at(-1).id}`);
  await readFeeds();
}

/** Shows the current feeds, and the new images of the feed at `url`, whose scheme may be missing. */
async function showNew(url) {
  const list = await readFeeds();
  const feed = url && list.find((one) => `//${one.url}`.endsWith(`//${url}`));
  if (feed) await showArrivals({ feed: feed.id });
}

async function remove(item) {
  const name = find(".feed-name a", item).textContent;
  try {
    await api(`/feeds/${item.dataset.id}`, { method: "DELETE" });
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    announce(`${name} is removed.`);
    (next ? find("a", next) : find("#url")).focus();
    find(".note").hidden = feeds.childElementCount > 0;
  } catch (error) {
    report({ state: "failed", text: error.message });
  }
}

if (isAdmin) {
  find(".addition").addEventListener("submit", (event) => {
    event.preventDefault();
    const url = find("#url").value.trim();
    run("/feeds", { url, allowPrivate: find("[name=allowPrivate]").checked }, url);
  });
  find(".sync").addEventListener("submit", (event) => {
    event.preventDefault();
    run("/sync", {});
  });
  feeds.addEventListener("submit", (event) => {
    event.preventDefault();
    remove(event.target.closest(".feed"));
  });
  showRunning().catch(() => {});
}
hear(({ isAway }) => isAway !== undefined && (absence.hidden = !isAway));
// A page from the cache may show outdated feeds.
if (navigator.serviceWorker?.controller) readFeeds().catch(() => {});
startWorkers();

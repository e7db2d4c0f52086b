// The feeds: add, remove, sync, with their progress and the images that arrive.

import { api, follow, withQuery } from "./api.js";
import { announce, base, element, find, findAll, isAdmin, localise, numberText } from "./dom.js";
import { startWorkers } from "./live.js";
import "./page.js";

const panel = find(".job");
const text = find(".job-text");
const bar = find(".job-progress");
const problems = find(".job-problems");
const arrivals = find(".arrivals");
const template = find("#feed-template");
const feeds = find("ul.feeds");

/** Fills a copy of the template with a feed of the API. */
function feedItem({ id, url, title, images, status, problem, lastSync }) {
  const item = template.content.firstElementChild.cloneNode(true);
  item.dataset.id = id;
  const link = find(".feed-name a", item);
  link.href = `${base}/feeds/${id}`;
  link.textContent = title || url;
  find(".feed-count", item).textContent = numberText(images ?? 0);
  find(".feed-address", item).textContent = url;
  const state = find(".feed-state", item);
  state.replaceChildren(element("span", { className: "state", textContent: status ?? "" }));
  if (lastSync) state.append(" ", element("time", { dateTime: lastSync, textContent: lastSync }));
  const why = find(".problem", item);
  why.hidden = !problem;
  why.textContent = problem ?? "";
  const form = find(".removal form", item);
  if (form) form.action = `${base}/feeds/${id}/remove`;
  localise(item);
  return item;
}

async function readFeeds() {
  const answer = await api("/feeds");
  feeds.replaceChildren(...answer.feeds.map(feedItem));
  find(".note").hidden = answer.feeds.length > 0;
  return answer.feeds;
}

function report({ state, progress, text: line, problems: lines = [] }) {
  panel.hidden = false;
  panel.classList.toggle("running", state === "running");
  text.textContent = line ?? "";
  bar.hidden = state !== "running";
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
    const last = await follow(job, (state) => {
      report(state);
      showNew(url).catch(() => {});
    });
    if (last.state === "done" && url) find("#url").value = "";
  } catch (error) {
    report({ state: "failed", text: error.message });
  } finally {
    for (const button of findAll(".addition button, .sync button")) button.disabled = false;
    await readFeeds().catch(() => {});
  }
}

/** Shows the current feeds, and the new images of the feed at `url`. */
async function showNew(url) {
  const list = await readFeeds();
  const feed = url && list.find((one) => one.url === url);
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
}
// A page from the cache may show outdated feeds.
if (navigator.serviceWorker?.controller) readFeeds().catch(() => {});
startWorkers();

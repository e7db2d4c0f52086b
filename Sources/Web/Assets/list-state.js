// What a list shows, and its address.

import { withQuery } from "./api.js";
import { base } from "./dom.js";

/** The query of the list at this address. */
export function readQuery() {
  const path = location.pathname.slice(base.length);
  const parameters = new URLSearchParams(location.search);
  return {
    feed: path.match(/^\/feeds\/(\d+)/)?.[1] ?? parameters.get("feed") ?? "",
    q: parameters.get("q")?.trim() ?? "",
    sort: parameters.get("sort") ?? "newest",
  };
}

/** The members that differ from the plain list, for the API and for addresses. */
export const setMembers = ({ feed, q, sort }) => ({ feed, q, sort: sort === "newest" ? "" : sort });

export function listAddress(query) {
  const { feed, q, sort } = setMembers(query);
  if (q) return withQuery(`${base}/search`, { q, feed, sort });
  return withQuery(feed ? `${base}/feeds/${feed}` : `${base}/`, { sort });
}

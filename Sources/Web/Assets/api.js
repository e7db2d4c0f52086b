// The HTTP API.

import { base } from "./dom.js";

export const away = "The server is away.";

/** An error response, with the text of its problem document (RFC 9457). */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `The server answered ${status}.`);
    this.status = status;
  }
}

/** An address with the members of `query` that are set. */
export function withQuery(path, query = {}) {
  const set = Object.entries(query).filter(([, value]) => value || value === 0);
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

/**
 * Asks the address and returns the JSON of its answer, or null if it is empty. With `isKept`, the answer comes
 * from this browser's copy.
 */
export async function ask(address, { method = "GET", body, signal, isKept } = {}) {
  const headers = { Accept: "application/json" };
  if (isKept) headers["X-Kept"] = "1";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(address, { method, headers, signal, body: JSON.stringify(body) }).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(away);
  });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response.status === 204 ? null : response.json();
}

export const hasEnded = ({ state }) => state === "done" || state === "failed";
export const api = (path, options) => ask(`${base}/api/v1${path}`, options);
export const setPin = (id, isPinned) => api(`/images/${id}/pin`, { method: isPinned ? "PUT" : "DELETE" });

/** Polls the job twice a second until it has ended, and returns its last state. */
export async function follow(address, report) {
  for (;;) {
    const job = await ask(address);
    report(job);
    if (hasEnded(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

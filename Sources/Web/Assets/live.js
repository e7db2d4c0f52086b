// Starts the workers: one follows the library, and one opens pages from the cache.

import { base, find } from "./dom.js";

let channel;
const hearers = [];
const policy = globalThis.trustedTypes?.createPolicy("gallery", { createScriptURL: (address) => address });
const script = (address) => policy?.createScriptURL(address) ?? address;

function openChannel() {
  channel = new BroadcastChannel(`gallery${base}`);
  channel.onmessage = ({ data }) => hearers.forEach((hearer) => hearer(data));
}

openChannel();
// Browsers keep no page for Back that has an open channel.
addEventListener("pagehide", () => channel.close());
addEventListener("pageshow", ({ persisted }) => persisted && openChannel());

/** Calls the handler with each message of the worker. */
export const hear = (handler) => hearers.push(handler);
export const tell = (message) => channel.postMessage(message);

export function startWorkers() {
  const address = script(`${base}/worker.js`);
  const Shared = globalThis.SharedWorker ?? Worker;
  new Shared(address);
  const services = navigator.serviceWorker;
  if (!services) return;
  services.register(address, { scope: `${base}/` }).catch(() => {});
  const button = find("[data-action=offline]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => (await import("./viewer.js")).showKept());
}

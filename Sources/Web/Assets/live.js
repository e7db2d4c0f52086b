// Starts the workers: one follows the library, and one opens pages from the cache.

import { base, find } from "./dom.js";

const channel = new BroadcastChannel(`gallery${base}`);
const policy = globalThis.trustedTypes?.createPolicy("gallery", { createScriptURL: (address) => address });
const script = (address) => policy?.createScriptURL(address) ?? address;

/** Calls the handler with each message of the worker. */
export const hear = (handler) => channel.addEventListener("message", ({ data }) => handler(data));
export const tell = (message) => channel.postMessage(message);

export function startWorkers() {
  const address = script(`${base}/worker.js`);
  const Shared = globalThis.SharedWorker ?? Worker;
  new Shared(address);
  const services = navigator.serviceWorker;
  if (!services) return;
  services.register(address, { scope: `${base}/` }).catch(() => {});
  const button = find("[data-action=offline]");
  button.hidden = false;
  button.addEventListener("click", async () => (await import("./viewer.js")).showKept());
}

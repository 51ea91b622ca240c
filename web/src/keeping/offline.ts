/** The page as an app: kept by a service worker, which fetches new versions and waits until they are asked for. */

import { starting } from "../api/starting.svelte";
import { appState } from "../app/app_state.svelte";
import type { ToOffline } from "../offline/site";

/** What Chromium says when a page can be installed; not among TypeScript's types. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** The page itself comes first, and what a table needs. */
const FIRST_MS = 2000;
const BETWEEN_LOOKS_MS = 3_600_000;

/** Until somebody deletes what is kept: then it stays so as long as the page is open. */
let isWanted = true;

/** Keep the page by the script at an address. Nothing of it is missed where it cannot be. */
export async function keepOffline(script: string): Promise<void> {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    appState.install = () => offer(event as InstallOffer);
  });
  if (!("serviceWorker" in navigator)) return; // over plain http
  await starting.whenReady; // beside a server, most people never need it
  await pause(FIRST_MS);
  if (!isWanted) return;
  const known = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  if (known !== undefined) watch(known);
  try {
    const registration = await navigator.serviceWorker.register(script, { updateViaCache: "none" });
    if (registration !== known) watch(registration);
  } catch (error) {
    console.warn(error); // no network, no room, or a browser that allows none: the page goes on as it is
  }
  const { active } = await navigator.serviceWorker.ready;
  if (isWanted) active?.postMessage({ kind: "tidy" } satisfies ToOffline);
}

/** Keep the page no more. */
export async function endOffline(): Promise<void> {
  isWanted = false;
  if (!("serviceWorker" in navigator)) return;
  const here = new URL("./", document.baseURI).href;
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    if (registration.scope === here) await registration.unregister();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function offer(event: InstallOffer): Promise<void> {
  appState.install = undefined; // it can be asked once
  await event.prompt();
}

/** Tell of versions that wait, those that come while the page is open included. */
function watch(registration: ServiceWorkerRegistration): void {
  const look = (): void => {
    const { waiting } = registration;
    appState.update = waiting !== null && registration.active !== null ? () => takeOver(waiting) : undefined;
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  look();
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < BETWEEN_LOOKS_MS) return;
    looked = Date.now();
    registration.update().catch(() => undefined); // without a network
  });
}

/** Only this tab begins anew: others stay with the version they have, however long their game takes. */
function takeOver(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage({ kind: "take over" } satisfies ToOffline);
}

/**
 * Caches the site's own files, so that it opens offline and code loaded later matches the version of the
 * page, even after a new version is deployed. A new version waits until the page activates it.
 */
import type { Precache } from "./precache.ts";

/** The part of a service worker's global scope that this one uses; the DOM library has no types for it. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WorkerScope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", hear: (event: WorkerEvent) => void): void;
  addEventListener(kind: "fetch", hear: (event: FetchEvent) => void): void;
  addEventListener(kind: "message", hear: (event: MessageEvent<unknown>) => void): void;
}

// The build replaces this by the list of files.
declare const __PRECACHE__: Precache;

const scope = self as unknown as WorkerScope; // this file runs in a service worker
const { version, files } = __PRECACHE__;
const PREFIX = "rlkit ";
const cacheName = `${PREFIX}${version}`;

/** Milliseconds between two files: without them, a page that trains drew 36 instead of 41 pictures a second on two cores. */
const PAUSE = 50;
/** Milliseconds after an action of the user in which no file is kept: what the user started needs the processor. */
const YIELD = 5000;
/** When files are kept again, in milliseconds since the epoch. */
let resumesAt = 0;

const untilResumed = async (): Promise<void> => {
  for (let rest = resumesAt - Date.now(); rest > 0; rest = resumesAt - Date.now())
    await new Promise((resolve) => setTimeout(resolve, rest));
};

/** Names of assets have a hash of the content, so that a kept one is never old. */
const cacheMode = (file: string): RequestCache => (file.startsWith("assets/") ? "default" : "no-cache");

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  // One after another: all at once take a processor for seconds, in which a first run may start.
  for (const file of files) {
    const request = new Request(new URL(file, scope.registration.scope), { cache: cacheMode(file) });
    await untilResumed();
    if ((await cache.match(request)) !== undefined) continue;
    await cache.add(request);
    resumesAt = Math.max(resumesAt, Date.now() + PAUSE);
  }
}

/** Keeps the previous version for tabs that still use it. */
async function dropOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== cacheName);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept =
    request.mode === "navigate" &&
    new URL(request.url).pathname === new URL(scope.registration.scope).pathname
      ? await cache.match(new URL("index.html", scope.registration.scope).href)
      : await caches.match(request, { ignoreVary: true });
  return kept ?? fetch(request);
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(dropOldVersions()));
scope.addEventListener("message", ({ data }) => {
  if (data === "take over") void scope.skipWaiting();
  if (data === "yield") resumesAt = Date.now() + YIELD;
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.registration.scope))
    event.respondWith(answer(request));
});

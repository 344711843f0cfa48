/*
 * Lets the console open without a connection: it keeps the page and the files that it has loaded. What the service answers is never
 * kept here. With a connection, the page always comes from the service, so a new version is there at the next load.
 */

interface LifetimeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends LifetimeEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface AssetsEvent extends LifetimeEvent {
  /** Addresses of the files that the page has loaded. */
  readonly data: readonly string[];
}

declare const clients: { claim(): Promise<void> };
declare function skipWaiting(): Promise<void>;

const cacheName = 'callboard-console';
const pageAddress = '/app';

addEventListener('install', (event) => (event as LifetimeEvent).waitUntil(skipWaiting()));
addEventListener('activate', (event) => (event as LifetimeEvent).waitUntil(clients.claim()));

addEventListener('message', (event) => {
  const { data, waitUntil } = event as unknown as AssetsEvent;
  waitUntil.call(event, keep(data));
});

/** Keeps the page with these files, and drops those of older versions. */
async function keep(assets: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const wanted = new Set([pageAddress, ...assets].map((path) => new URL(path, location.origin).href));
  const kept = await cache.keys();
  await Promise.all(kept.filter(({ url }) => !wanted.has(url)).map((request) => cache.delete(request)));
  const known = new Set(kept.map(({ url }) => url));
  await cache.add(pageAddress);
  await cache.addAll([...wanted].filter((url) => !known.has(url) && !url.endsWith(pageAddress)));
}

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') (event as FetchEvent).respondWith(fetch(request).catch(() => read(pageAddress)));
  else if (pathname.startsWith('/assets/')) (event as FetchEvent).respondWith(readOrFetch(request));
});

async function read(path: string): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? Response.error();
}

async function readOrFetch(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(request)) ?? fetch(request);
}

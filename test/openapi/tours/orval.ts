import { eventsCreate, eventsGet, eventsList, eventsUpdate, tokensLogin } from '../generated/orval/api';
import { account, baseUrl, change, newEvent, show, wrongChange } from './tour';

/** The generated functions call paths: the address of the service and the credential are added here. */
const { fetch } = globalThis;
let token = '';
globalThis.fetch = (path, init) => {
  const headers = new Headers(init?.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  return fetch(new URL(String(path), baseUrl), { ...init, headers });
};

const login = await tokensLogin(account);
if (login.status !== 200) throw new Error(login.data.message);
token = login.data.data.access_token;

const list = await eventsList({ per_page: 2, sort_order: 'desc' });
if (list.status !== 200 || typeof list.data === 'string') throw new Error('There is no list.');
const created = await eventsCreate(newEvent);
if (created.status !== 201) throw new Error('Nothing was created.');
const { uuid } = created.data.data;
const read = await eventsGet(uuid);
if (read.status !== 200 || !('event' in read.data.data)) throw new Error('The event cannot be read.');
const updated = await eventsUpdate(uuid, change);
if (updated.status !== 200) throw new Error('The event cannot be changed.');
const refused = await eventsUpdate(uuid, wrongChange);
if (refused.status !== 422) throw new Error('A wrong change is accepted.');

show({
  listed: list.data.data.data,
  created: created.data.data,
  read: read.data.data.event,
  updated: updated.data.data,
  refused: { status: refused.status, errors: refused.data.errors },
});

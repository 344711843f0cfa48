import { client } from '../generated/hey-api/client.gen';
import { eventsCreate, eventsGet, eventsList, eventsUpdate, tokensLogin } from '../generated/hey-api/sdk.gen';
import { account, baseUrl, change, newEvent, show, wrongChange } from './tour';

client.setConfig({ baseUrl });
const { data: login } = await tokensLogin({ body: account, throwOnError: true });
client.setConfig({ baseUrl, auth: login.data.access_token });

const { data: list } = await eventsList({ query: { per_page: 2, sort_order: 'desc' }, throwOnError: true });
if (typeof list === 'string') throw new Error('The list came as CSV.');
const { data: created } = await eventsCreate({
  body: newEvent,
  headers: { 'Idempotency-Key': 'tour of hey-api' },
  throwOnError: true,
});
const path = { uuid: created.data.uuid };
const { data: read } = await eventsGet({ path, throwOnError: true });
const { data: updated } = await eventsUpdate({ path, body: change, throwOnError: true });
const { error, response } = await eventsUpdate({ path, body: wrongChange });

show({
  listed: list.data.data,
  created: created.data,
  read: read.data.event,
  updated: updated.data,
  refused: { status: response?.status ?? 0, errors: error?.errors ?? {} },
});

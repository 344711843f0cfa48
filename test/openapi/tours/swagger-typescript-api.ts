import { Api, type InputProblem } from '../generated/swagger-typescript-api/api';
import { account, baseUrl, change, newEvent, show, wrongChange } from './tour';

const api = new Api<string>({
  baseUrl,
  securityWorker: (token) => (token ? { headers: { authorization: `Bearer ${token}` } } : {}),
});
const { data: login } = await api.v1.tokensLogin(account);
api.setSecurityData(login.data.access_token);

const { data: list } = await api.v1.eventsList({ per_page: 2, sort_order: 'desc' });
const { data: created } = await api.v1.eventsCreate(newEvent);
const { uuid } = created.data;
const { data: read } = await api.v1.eventsGet(uuid);
const { data: updated } = await api.v1.eventsUpdate(uuid, change);
const refused = await api.v1.eventsUpdate(uuid, wrongChange).then(
  () => ({ status: 200, error: null }),
  ({ status, error }: { status: number; error: InputProblem }) => ({ status, error }),
);

show({
  listed: list.data.data,
  created: created.data,
  read: read.data.event,
  updated: updated.data,
  refused: { status: refused.status, errors: refused.error?.errors ?? {} },
});

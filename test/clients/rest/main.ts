import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi.d.ts';

/* An integration's day: log in, list events, create one, read it back, change it, be refused, and list the staff. */

const [baseUrl = 'http://127.0.0.1:4000', email = '', password = ''] = process.argv.slice(2);

/** In openapi-fetch's reading, which leaves out what is always null. */
type Problem = Omit<components['schemas']['Problem'], 'data'> | Omit<components['schemas']['InputProblem'], 'data'>;

const api = createClient<paths, 'application/json'>({ baseUrl });

/** What went right, or an error that says why not. */
function succeeded<Body>({ data, error }: { data?: Body; error?: { message: string } }): Body {
  if (data === undefined) throw new Error(error?.message ?? 'There is no answer.');
  return data;
}

const login = succeeded(await api.POST('/v1/auth/login', { body: { email, password } }));
api.use({
  onRequest: ({ request }) => {
    request.headers.set('authorization', `${login.data.token_type} ${login.data.access_token}`);
  },
});

const list = succeeded(
  await api.GET('/v1/events', { params: { query: { status: 'active', per_page: 5, sort_order: 'desc' } } }),
);
const onFirstPage: components['schemas']['EventListItem'][] = list.data.data;

const created = succeeded(
  await api.POST('/v1/events', {
    body: {
      title: 'From the integration',
      start_time: '2027-10-02 18:00:00',
      end_time: '2027-10-03 00:30:00',
      timezone: 'America/Chicago',
    },
  }),
).data;
const byUuid = { params: { path: { uuid: created.uuid } } };
const read = succeeded(await api.GET('/v1/events/{uuid}', byUuid)).data;
const updated = succeeded(
  await api.PUT('/v1/events/{uuid}', { ...byUuid, body: { dress_code: 'Black tie', status: 'draft' } }),
).data;

/** The code tells the shapes apart: wrong input always says what is wrong with which field. */
function explain(problem: Problem): string[] {
  if (problem.code !== 'VALIDATION_FAILED') return [problem.message];
  return Object.entries(problem.errors).map(([field, texts]) => `${field} ${texts.join(', ')}`);
}

const refused = await api.PUT('/v1/events/{uuid}', { ...byUuid, body: { end_time: '2027-10-02 17:00:00' } });
const users = succeeded(await api.GET('/api/v1/users', { params: { query: { role: 'staff', per_page: 3 } } }));

console.log(
  JSON.stringify({
    listed: onFirstPage.map(({ uuid, call_times, work_shifts }) => ({
      uuid,
      callTimes: call_times.length,
      shifts: work_shifts.map(({ pay_rate }) => pay_rate ?? 'default'),
    })),
    created,
    read: read.event,
    updated,
    refused: { status: refused.response.status, why: refused.error && explain(refused.error) },
    users: users.data.map(({ name, role }) => ({ name, role })),
    total: users.meta.total,
  }),
);

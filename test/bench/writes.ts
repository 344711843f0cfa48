import { mixed } from './mix.ts';
import { newEvent, rest, turns, uuidsOf } from './requests.ts';
import type { Business } from './scene.ts';
import type { Parts, Plan } from './targets.ts';

/** What changes something, in small businesses: the large one stays as it was filled. */
export async function writePlans({ scene, contenders: { service }, targets }: Parts): Promise<Plan[]> {
  const { ours, inPool } = targets;
  const [first, second] = scene.small as [Business, Business];
  const eventsToChange = await uuidsOf(service.origin, second);
  const mix = await mixed(service.origin, scene.small);
  return [
    {
      name: 'create',
      title: 'create an event, REST',
      targets: () => {
        let count = 0;
        return [
          ours(() => rest.send(first.key, 'POST', '/v1/events', newEvent(count++))),
          inPool('pool', { statements: createStatements, values: [createValues(first.id)] }),
        ];
      },
    },
    {
      name: 'update',
      title: 'update an event, REST',
      targets: () => {
        const turn = turns(eventsToChange.length);
        let count = 0;
        const path = () => `/v1/events/${eventsToChange[turn() - 1]}`;
        return [ours(() => rest.send(second.key, 'PUT', path(), { dress_code: `Shade ${count++}` }))];
      },
    },
    {
      name: 'login',
      title: 'log in (argon2id)',
      targets: () => {
        const headers = { 'content-type': 'application/json' };
        const bodies = scene.logins.map((login) => JSON.stringify(login));
        const turn = turns(bodies.length);
        return [ours(() => ({ method: 'POST', path: '/v1/auth/login', headers, body: bodies[turn() - 1] ?? '' }))];
      },
    },
    {
      name: 'mix',
      title: `90 % reads, 10 % writes over ${scene.small.length} businesses`,
      targets: () => [ours(mix)],
    },
  ];
}

/** What storing an event takes: all else that the service does for a create is what is measured. */
const createStatements = [
  { text: 'BEGIN', takesValues: false },
  {
    text: `INSERT INTO events (business_id, title, timezone, start_local, end_local, starts_at, ends_at, venue_name, city, created_at, modified_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING uuid`,
  },
  { text: 'COMMIT', takesValues: false },
];

const createValues = (businessId: number) => {
  const { title, timezone, start_time, end_time, venue_name, city } = newEvent(0);
  const [startsAt, endsAt, now] = ['2027-10-02 23:00:00Z', '2027-10-03 05:30:00Z', new Date().toISOString()];
  return [businessId, title, timezone, start_time, end_time, startsAt, endsAt, venue_name, city, now];
};

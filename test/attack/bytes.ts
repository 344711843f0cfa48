import type { Attack } from './attack.ts';
import { inParallel, repeated, type Target } from './target.ts';

/* Documented requests whose answers would be larger than the memory. */

const accept = 'text/csv';
const descriptions = (aliases: number, first = 100) =>
  `{ events(first: ${first}) { nodes { ${Array.from({ length: aliases }, (_, index) => `a${index}: description`).join(' ')} } } }`;

const list =
  (perPage: number, headers: Record<string, string> = {}) =>
  (target: Target) =>
    target
      .send('GET', `/v1/events?per_page=${perPage}&sort_order=desc`, { as: target.scene.long.as.admin, headers })
      .then(() => undefined);

const query =
  (document: string, headers: Record<string, string> = {}) =>
  (target: Target) =>
    target.graphql(document, { as: target.scene.long.as.admin, headers }).then(() => undefined);

/** A CSV row or page that is too large is found while the file is sent, and then cuts the connection. */
const mayBeCut: Attack['mayAnswer'] = ({ status, isWhole }) => status === 200 && !isWhole;

export const byteAttacks: readonly Attack[] = [
  { name: 'REST list of 10 with long values', tries: 'bytes', run: list(10) },
  { name: 'REST list of 100 with long values', tries: 'bytes', isShort: true, run: list(100) },
  {
    name: 'REST list of 30, 8 at a time',
    tries: 'bytes',
    run: (target) => inParallel(target, 8, () => list(30)(target)),
  },
  {
    name: 'REST events one by one, 8 at a time',
    tries: 'bytes',
    run: async (target) => {
      const { head } = await target.graphql('{ events(first: 1) { nodes { uuid } } }', {
        as: target.scene.long.as.admin,
      });
      const [uuid] = /[0-9a-f-]{36}/.exec(head) ?? [];
      await inParallel(target, 8, () => target.send('GET', `/v1/events/${uuid}`, { as: target.scene.long.as.admin }));
    },
  },
  { name: 'description under 20 aliases', tries: 'bytes', isShort: true, run: query(descriptions(20)) },
  { name: 'description under 45 aliases', tries: 'bytes', run: query(descriptions(45)) },
  {
    name: 'description under aliases, 8 at a time',
    tries: 'bytes',
    run: (target) => inParallel(target, 8, () => query(descriptions(20, 50))(target)),
  },
  {
    name: 'description in 50 root fields',
    tries: 'bytes',
    run: query(
      repeated(50, (index) =>
        `events(first: 100, page: 1, perPage: null) { nodes { b${index}: description } }`.replace(
          ', page: 1, perPage: null',
          '',
        ),
      ),
    ),
  },
  {
    name: 'custom values by GraphQL',
    tries: 'bytes',
    run: query('{ events(first: 100) { nodes { customFields { value } again: customFields { value } } } }'),
  },
  {
    name: 'CSV of the REST list',
    tries: 'bytes',
    bytesMax: 2_000_000_000,
    mayAnswer: mayBeCut,
    run: list(100, { accept }),
  },
  {
    name: 'CSV of all events with long values by REST',
    tries: 'bytes',
    isShort: true,
    bytesMax: 2_000_000_000,
    mayAnswer: mayBeCut,
    run: (target) =>
      target.send('GET', '/v1/events', { as: target.scene.long.as.admin, headers: { accept } }).then(() => undefined),
  },
  {
    name: 'CSV of all descriptions by GraphQL',
    tries: 'bytes',
    bytesMax: 2_000_000_000,
    mayAnswer: mayBeCut,
    run: query(descriptions(45), { accept }),
  },
];

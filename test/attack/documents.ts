import type { Attack } from './attack.ts';
import { inParallel, proxied, repeated, unique, type Sending, type Target } from './target.ts';

/* Documents without a credential that are different each time, and long. They must leave nothing behind. */

/** Addresses are either of loopback, or told by the trusted proxy on loopback. */
const fromLoopback = (number: number): Sending => ({ from: `127.0.1.${1 + (number % 250)}` });
const throughProxy = (number: number): Sending => ({
  headers: proxied(`198.51.${Math.floor(number / 250) % 250}.${1 + (number % 250)}`),
});

const flood = (target: Target, address: (number: number) => Sending, document: () => string) => {
  let sent = 0;
  const max = target.isShort ? 600 : 6000;
  return inParallel(target, 8, async () => {
    while (sent < max && target.goesOn()) await target.graphql(document(), address(sent++));
  });
};

const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));

const comment = (chars: number) => () => `{ __typename } #${unique()}${'x'.repeat(chars)}`;

export const documentAttacks: readonly Attack[] = [
  {
    name: 'documents with comments of 250 KB',
    tries: 'documents',
    isShort: true,
    run: (target) => flood(target, fromLoopback, comment(250_000)),
  },
  {
    name: 'documents with comments of 8 KB from many addresses',
    tries: 'documents',
    run: (target) => flood(target, throughProxy, comment(8000)),
  },
  {
    name: 'documents with many aliases from many addresses',
    tries: 'documents',
    run: (target) =>
      flood(target, throughProxy, () =>
        repeated(45, (index) => `__typename @include(if: true) # ${unique()} ${index}\n`),
      ),
  },
  {
    name: 'documents with long names and variables',
    tries: 'documents',
    run: (target) =>
      flood(
        target,
        throughProxy,
        () =>
          `query Q${unique().replaceAll('-', '')}${'x'.repeat(4000)}($v: String = "${'y'.repeat(4000)}") { __typename }`,
      ),
  },
  {
    name: 'invalid documents of 250 KB',
    tries: 'documents',
    run: (target) =>
      flood(target, throughProxy, () => `{ no${unique().replaceAll('-', '')} "${'x'.repeat(250_000)}" }`),
  },
  {
    name: 'log-ins and codes with 20,000 unknown keys',
    tries: 'documents',
    isShort: true,
    run: (target) => {
      let sent = 0;
      const paths = ['/v1/auth/login', '/v1/screens/codes', '/v1/screens/claims', '/v1/nothing', '/graphql'];
      return inParallel(target, 8, async (caller) => {
        const sending = { ...fromLoopback(sent++), body: manyKeys(caller % 2 === 0 ? 20_000 : 2600) };
        await target.send('POST', paths[sent % paths.length]!, sending);
      });
    },
  },
  {
    name: 'inputs of a business with 20,000 unknown keys, in REST and GraphQL',
    tries: 'documents',
    run: (target) => {
      const as = target.scene.other.as.key;
      const mutation = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { uuid } }';
      const body = manyKeys(20_000);
      const inputs = Array.from({ length: 100 }, () => manyKeys(180));
      return inParallel(target, 4, async (_caller, turn) => {
        if (turn % 3 === 0) await target.send('POST', '/v1/events', { as, body });
        else if (turn % 3 === 1) await target.send('POST', '/v1/work_shifts/batch', { as, body: { inputs } });
        else await target.graphql(mutation, { as, variables: { input: body } });
      });
    },
  },
  {
    name: 'documents of a business, each different',
    tries: 'documents',
    run: (target) =>
      flood(
        target,
        () => ({ as: target.scene.other.as.key }),
        () => `query Q${unique().replaceAll('-', '')} { events(first: 1) { nodes { id title } } } #${'x'.repeat(8000)}`,
      ),
  },
];

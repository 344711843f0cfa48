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

import type { Attack } from './attack.ts';
import { inParallel, type Answer, type Target } from './target.ts';

/* Small queries whose answers grow with the power of the rows: lists within lists that lead back to themselves. */

const nest = (levels: number, outer: string, inner: string, leaf = 'id'): string =>
  levels === 0 ? leaf : `${outer} { ${inner} { ${nest(levels - 1, outer, inner, leaf)} } }`;

const shifts = (levels: number) => `{ myShifts(perPage: 1) { nodes { ${nest(levels, 'user', 'shifts')} } } }`;
const events = (root: string, levels: number) => `{ ${root} { nodes { ${nest(levels, 'workShifts', 'event')} } } }`;

/** Fragments that spread the next one: the document grows by a line for each level. */
const fragments = (levels: number) =>
  [
    '{ myShifts(perPage: 1) { nodes { ...F0 } } }',
    ...Array.from(
      { length: levels },
      (_, level) => `fragment F${level} on WorkShift { user { shifts { ...F${level + 1} } } }`,
    ),
    `fragment F${levels} on WorkShift { id }`,
  ].join('\n');

const graphqlAttack = (
  name: string,
  role: 'admin' | 'staff' | 'client',
  query: (levels: number) => string,
  more: { isShort?: boolean; variables?: object; accept?: string } = {},
): Attack => ({
  name,
  tries: 'objects',
  isShort: more.isShort ?? false,
  run: async (target: Target) => {
    const as = target.scene.nested.as[role];
    for (const levels of [2, 3, 4])
      await target.graphql(query(levels), {
        as,
        ...(more.variables && { variables: more.variables }),
        ...(more.accept && { headers: { accept: more.accept } }),
      });
  },
});

/** A query that is refused for its objects, over and over. */
const flood = (role: 'admin' | 'staff', root: string, outer: string, inner: string, isShort: boolean): Attack => ({
  name: `nested lists of ${role} over and over`,
  tries: 'objects',
  isShort,
  run: (target) => {
    const query = `{ ${root} { nodes { ${nest(2, outer, inner)} } } }`;
    const as = target.scene.nested.as[role];
    return inParallel(target, 4, async () => requireRefused(await target.graphql(query, { as })));
  },
});

function requireRefused({ status, head }: Answer): void {
  if (status !== 503 && !head.includes('"limit":"objects"')) throw new Error(`not refused: ${status} ${head}`);
}

export const objectAttacks: readonly Attack[] = [
  graphqlAttack('shifts of the person of the shift', 'staff', shifts, { isShort: true }),
  graphqlAttack('events of the shifts of a client', 'client', (levels) => events('myEvents(first: 20)', levels)),
  graphqlAttack('events of the shifts of an admin', 'admin', (levels) => events('events(first: 100)', levels)),
  graphqlAttack('nested lists by fragments', 'staff', fragments),
  graphqlAttack(
    'nested lists by a variable',
    'staff',
    (levels) => `query ($n: Int!) ${shifts(levels).replace('perPage: 1', 'perPage: $n')}`,
    { variables: { n: 1 } },
  ),
  graphqlAttack(
    'nested lists under aliases',
    'staff',
    (levels) =>
      `{ myShifts(perPage: 1) { nodes { user { ${['a', 'b', 'c'].map((alias) => `${alias}: shifts { ${nest(levels - 1, 'user', 'shifts')} }`).join(' ')} } } } }`,
  ),
  graphqlAttack('call times of the call time', 'admin', (levels) =>
    `{ events(first: 100) { nodes { ${nest(levels, 'callTimes', 'workShifts { event', 'id')} } } }`
      .replace(/workShifts \{ event \{/g, 'workShifts { id event {')
      .concat(''),
  ),
  graphqlAttack('nested lists as CSV', 'staff', shifts, { accept: 'text/csv' }),
  flood('staff', 'myShifts(perPage: 100)', 'user', 'shifts', true),
  flood('admin', 'events(first: 100)', 'workShifts', 'event', false),
  {
    name: 'nested lists of one event, named a hundred times',
    tries: 'objects',
    run: async (target) => {
      const { staff } = target.scene.nested.as;
      const { head } = await target.graphql('{ myShifts(perPage: 1) { nodes { event { id } } } }', { as: staff });
      const [, id] = /"id":"([^"]+)"/.exec(head) ?? [];
      const variables = { ids: Array.from({ length: 100 }, () => id) };
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Event { workShifts { ${nest(1, 'user', 'shifts')} } } } }`;
      await inParallel(target, 4, async () => requireRefused(await target.graphql(query, { as: staff, variables })));
    },
  },
  {
    name: 'nested lists, 8 at a time',
    tries: 'objects',
    run: (target) => inParallel(target, 8, () => target.graphql(shifts(3), { as: target.scene.nested.as.staff })),
  },
];

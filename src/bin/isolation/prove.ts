import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import { Failure } from '../../errors.ts';
import { attempted, type Attempt, type Finding } from './attempt.ts';
import { graphqlAttempts, placesIn, readAll, readsOf } from './graphql.ts';
import { Ids } from './ids.ts';
import { openInstance, type Instance } from './instance.ts';
import { listsOf, nameOf, readList, restAttempts, routesOf, type Route } from './rest.ts';

export interface Report {
  readonly url: string;
  readonly a: string;
  readonly b: string;
  readonly findings: readonly Finding[];
  /** What business A reads otherwise at the end than before. */
  readonly changed: readonly string[];
  readonly routes: number;
  readonly fields: number;
  readonly calls: number;
}

/** Fields below one another that are read: far enough to come from any row to those of its neighbours. */
const depths = { seen: 4, compared: 3 };

interface Reading {
  readonly surface: Attempt['surface'];
  readonly target: string;
  readonly read: (instance: Instance, ids: Ids, depth: number) => Promise<string[] | null>;
}

/** Tries to reach business A with B's credential, by all that the instance says it has. */
export async function proveIsolation(
  origin: string,
  credentials: { readonly a: string; readonly b: string },
  note: (text: string) => void,
): Promise<Report> {
  const [a, b] = [openInstance(origin, credentials.a, note), openInstance(origin, credentials.b, note)];
  const names = await businessesOf(a, b);
  const routes = routesOf(await documentOf(b));
  const schema = await schemaOf(b);
  const readings = readingsOf(routes, schema);

  note(`Reading what there is, as A and as B.`);
  const idsOfA = new Ids();
  const isForA = new Set<string>();
  for (const { target, read } of readings) if (await read(a, idsOfA, depths.seen)) isForA.add(target);
  const idsOfB = new Ids();
  const isForB = new Set<string>();
  const findings: Finding[] = [];
  for (const reading of readings) {
    const own = new Ids();
    const texts = await reading.read(b, own, depths.seen);
    if (texts) isForB.add(reading.target);
    findings.push(judgedReading(reading, texts, own, idsOfA));
    idsOfB.addAll(own);
  }

  // A reading that A is refused may be taken down in A's audit trail: what is compared is read by nothing but what A may do.
  const snapshot = () =>
    snapshotOf(
      a,
      readings.filter(({ target }) => isForA.has(target)),
    );
  const before = await snapshot();
  const attempts = [
    ...restAttempts(routes, idsOfA, idsOfB, placesIn(schema, idsOfA)),
    ...graphqlAttempts(schema, idsOfA, idsOfB, ({ name }) => isForB.has(name)),
  ];
  note(`Naming rows of A as B, in ${attempts.length} ways.`);
  for (const writes of [false, true]) {
    const leaks = findings.some(({ verdict }) => verdict === 'leak');
    for (const attempt of attempts.filter((each) => each.writes === writes))
      findings.push(writes && leaks ? untried(attempt) : await attempted(b, attempt));
  }
  const fields = fieldNames(schema);
  const seen = new Set(findings.map(({ target }) => target));
  for (const [surface, all] of [
    ['REST', routes.map(nameOf)],
    ['GraphQL', fields],
  ] as const)
    for (const target of all.filter((each) => !seen.has(each)))
      findings.push({ surface, target, argument: '', writes: true, verdict: 'nameless', detail: 'names no row' });

  const after = await snapshot();
  const changed = [...before].filter(([target, text]) => after.get(target) !== text).map(([target]) => target);
  return {
    url: origin,
    ...names,
    findings,
    changed,
    routes: routes.length,
    fields: fields.length,
    calls: a.calls() + b.calls(),
  };
}

const untried = ({ surface, target, argument, writes }: Attempt): Finding => ({
  ...{ surface, target, argument, writes },
  verdict: 'unproven',
  detail: 'not tried: reads leak, and a write might do harm',
});

function readingsOf(routes: readonly Route[], schema: GraphQLSchema): Reading[] {
  return [
    ...listsOf(routes).map((route) => ({
      surface: 'REST' as const,
      target: nameOf(route),
      read: (instance: Instance, ids: Ids) => readList(instance, route, ids),
    })),
    ...readsOf(schema).map((field) => ({
      surface: 'GraphQL' as const,
      target: field.name,
      read: (instance: Instance, ids: Ids, depth: number) => readAll(instance, field, depth, ids),
    })),
  ];
}

/** Numbers are told apart by what they are the id of; what is the same in no two businesses, wherever it stands. */
function judgedReading({ surface, target }: Reading, texts: string[] | null, own: Ids, idsOfA: Ids): Finding {
  const finding = { surface, target, argument: '', writes: false };
  if (!texts) return { ...finding, verdict: 'closed', detail: 'not for B' };
  const shared = own.places().flatMap((place) =>
    /[. ]id$/.test(place)
      ? own
          .at(place)
          .filter((id) => idsOfA.has(place, id))
          .map((id) => `${place} ${id}`)
      : [],
  );
  const shown = [...idsOfA.unmistakable()].filter((id) => texts.some((text) => text.includes(id)));
  const found = [...shared, ...shown];
  if (found.length > 0)
    return { ...finding, verdict: 'leak', detail: `shows ids of A: ${found.slice(0, 3).join(', ')}` };
  return { ...finding, verdict: 'held', detail: `${own.size} ids, none of A` };
}

/** Readings that show rows, without the stamps that a look at them leaves. */
async function snapshotOf(instance: Instance, readings: readonly Reading[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { target, read } of readings) {
    const ids = new Ids();
    const pages = await read(instance, ids, depths.compared);
    if (ids.size > 0) texts.set(target, JSON.stringify(pages).replaceAll(/last_?used_?at\\":(\\"[^"]*"|null)/gi, ''));
  }
  return texts;
}

async function documentOf(instance: Instance): Promise<unknown> {
  const { status, body } = await instance.call({ method: 'GET', path: '/openapi.json' });
  if (status !== 200 || typeof body !== 'object') throw new Error(`/openapi.json answers ${status}.`);
  return body;
}

async function schemaOf(instance: Instance): Promise<GraphQLSchema> {
  const { data } = await instance.query(getIntrospectionQuery());
  if (!data) throw new Error('/graphql does not tell its schema.');
  return buildClientSchema(data as unknown as IntrospectionQuery);
}

const fieldNames = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}));

/** Who the two are; refuses credentials that are not accepted, of no admin, or of one business. */
async function businessesOf(a: Instance, b: Instance): Promise<{ a: string; b: string }> {
  const viewers = [];
  for (const [name, instance] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const { data } = await instance.query('{ viewer { businessId businessName role } }');
    const viewer = data?.['viewer'] as { businessId: number; businessName: string; role: string } | null | undefined;
    if (!viewer) throw new Failure('UNAUTHENTICATED', `The credential of ${name} is not accepted.`);
    if (viewer.role !== 'ADMIN') throw new Failure('VALIDATION_FAILED', `The credential of ${name} is not an admin's.`);
    viewers.push(viewer);
  }
  const [one, other] = viewers;
  if (one?.businessId === other?.businessId)
    throw new Failure('VALIDATION_FAILED', 'Both credentials are of one business: two are needed.');
  return { a: `${one?.businessName} (${one?.businessId})`, b: `${other?.businessName} (${other?.businessId})` };
}

import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import { Failure } from '../../errors.ts';
import { runProbe, type Probe, type Finding } from './probe.ts';
import { graphqlProbes, createPlaceFinder, readAll, findReads } from './graphql.ts';
import { Ids, showsId } from './ids.ts';
import { openInstance, type Instance } from './instance.ts';
import { findLists, routeName, readList, restProbes, readRoutes, type Route } from './rest.ts';

export interface IsolationReport {
  readonly url: string;
  readonly a: string;
  readonly b: string;
  readonly findings: readonly Finding[];
  /** Routes and queries whose answers to business A differ between the start and the end of the check. */
  readonly changed: readonly string[];
  readonly routes: number;
  readonly fields: number;
  readonly calls: number;
}

/** How deep nested fields are read: deep enough to get from any row to its neighbours. */
const depths = { seen: 4, compared: 3 };

interface Reading {
  readonly surface: Probe['surface'];
  readonly target: string;
  readonly read: (instance: Instance, ids: Ids, depth: number) => Promise<string[] | null>;
}

/** Tries to reach business A with B's credential, over every route and field that the instance describes. */
export async function checkIsolation(
  origin: string,
  credentials: { readonly a: string; readonly b: string },
  note: (text: string) => void,
): Promise<IsolationReport> {
  const [a, b] = [openInstance(origin, credentials.a, note), openInstance(origin, credentials.b, note)];
  const names = await identifyBusinesses(a, b);
  const routes = readRoutes(await fetchOpenApi(b));
  const schema = await fetchSchema(b);
  const readings = listReadings(routes, schema);

  note('Reading all lists and queries as A and as B.');
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
    findings.push(judgeReading(reading, texts, own, idsOfA));
    idsOfB.addAll(own);
  }

  // A refused read may be recorded in A's audit trail, so the snapshot reads only what A may read.
  const snapshot = () =>
    takeSnapshot(
      a,
      readings.filter(({ target }) => isForA.has(target)),
    );
  const before = await snapshot();
  const probes = [
    ...restProbes(routes, idsOfA, idsOfB, createPlaceFinder(schema, idsOfA)),
    ...graphqlProbes(schema, idsOfA, idsOfB, ({ name }) => isForB.has(name)),
  ];
  note(`Trying to reach rows of A as B, in ${probes.length} ways.`);
  for (const writes of [false, true]) {
    const leaks = findings.some(({ verdict }) => verdict === 'leak');
    for (const probe of probes.filter((each) => each.writes === writes))
      findings.push(writes && leaks ? skipProbe(probe) : await runProbe(b, probe));
  }
  const fields = listRootFieldNames(schema);
  const seen = new Set(findings.map(({ target }) => target));
  for (const [surface, all] of [
    ['REST', routes.map(routeName)],
    ['GraphQL', fields],
  ] as const)
    for (const target of all.filter((each) => !seen.has(each)))
      findings.push({ surface, target, argument: '', writes: true, verdict: 'no-id', detail: 'takes no id' });

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

const skipProbe = ({ surface, target, argument, writes }: Probe): Finding => ({
  ...{ surface, target, argument, writes },
  verdict: 'inconclusive',
  detail: 'not tried: reads leak, so a write could do harm',
});

function listReadings(routes: readonly Route[], schema: GraphQLSchema): Reading[] {
  return [
    ...findLists(routes).map((route) => ({
      surface: 'REST' as const,
      target: routeName(route),
      read: (instance: Instance, ids: Ids) => readList(instance, route, ids),
    })),
    ...findReads(schema).map((field) => ({
      surface: 'GraphQL' as const,
      target: field.name,
      read: (instance: Instance, ids: Ids, depth: number) => readAll(instance, field, depth, ids),
    })),
  ];
}

/**
 * Numeric ids are compared only within one type, because two businesses may use the same number; ids that are globally
 * unique are compared everywhere.
 */
function judgeReading({ surface, target }: Reading, texts: string[] | null, own: Ids, idsOfA: Ids): Finding {
  const finding = { surface, target, argument: '', writes: false };
  if (!texts) return { ...finding, verdict: 'forbidden', detail: 'B may not read this' };
  const shared = own.places().flatMap((place) =>
    /[. ]id$/.test(place)
      ? own
          .at(place)
          .filter((id) => idsOfA.has(place, id))
          .map((id) => `${place} ${id}`)
      : [],
  );
  const shown = [...idsOfA.globallyUnique()].filter((id) => texts.some((text) => showsId(text, id)));
  const found = [...shared, ...shown];
  if (found.length > 0)
    return { ...finding, verdict: 'leak', detail: `shows ids of A: ${found.slice(0, 3).join(', ')}` };
  return { ...finding, verdict: 'isolated', detail: `${own.size} ids, none of A` };
}

/** Reads every list that shows rows, without the timestamps that reading itself changes. */
async function takeSnapshot(instance: Instance, readings: readonly Reading[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { target, read } of readings) {
    const ids = new Ids();
    const pages = await read(instance, ids, depths.compared);
    if (ids.size > 0) texts.set(target, JSON.stringify(pages).replaceAll(/last_?used_?at\\":(\\"[^"]*"|null)/gi, ''));
  }
  return texts;
}

async function fetchOpenApi(instance: Instance): Promise<unknown> {
  const { status, body } = await instance.call({ method: 'GET', path: '/openapi.json' });
  if (status !== 200 || typeof body !== 'object') throw new Error(`/openapi.json answers ${status}.`);
  return body;
}

async function fetchSchema(instance: Instance): Promise<GraphQLSchema> {
  const { data } = await instance.query(getIntrospectionQuery());
  if (!data) throw new Error('/graphql does not answer the introspection query.');
  return buildClientSchema(data as unknown as IntrospectionQuery);
}

const listRootFieldNames = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}));

/**
 * Names the two businesses. Refuses credentials that are not accepted, do not belong to an admin, or belong to one
 * business.
 */
async function identifyBusinesses(a: Instance, b: Instance): Promise<{ a: string; b: string }> {
  const viewers = [];
  for (const [name, instance] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const { data } = await instance.query('{ viewer { business { databaseId name } role } }');
    const viewer = data?.['viewer'] as
      { business: { databaseId: number; name: string }; role: string } | null | undefined;
    if (!viewer) throw new Failure('UNAUTHENTICATED', `The credential of ${name} is not accepted.`);
    if (viewer.role !== 'ADMIN')
      throw new Failure('VALIDATION_FAILED', `The credential of ${name} does not belong to an admin or an API key.`);
    viewers.push(viewer.business);
  }
  const [one, other] = viewers;
  if (one?.databaseId === other?.databaseId)
    throw new Failure(
      'VALIDATION_FAILED',
      'Both credentials belong to the same business: credentials of two businesses are needed.',
    );
  return { a: `${one?.name} (${one?.databaseId})`, b: `${other?.name} (${other?.databaseId})` };
}

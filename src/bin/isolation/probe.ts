import { camelCase, makeUnknownId, type Id } from './ids.ts';
import type { ApiCall, Instance, ApiReply } from './instance.ts';

/** One place where B can send an id of A: a parameter or an argument of a route or a field. */
export interface Probe {
  readonly surface: 'REST' | 'GraphQL';
  /** Such as `PUT /v1/events/{uuid}`, `updateEvent` or `Event.workShiftsConnection`. */
  readonly target: string;
  /** Name of the parameter or argument that takes the id. */
  readonly argument: string;
  readonly writes: boolean;
  /** A real id of business A; null if A has no such row. */
  readonly foreign: Id | null;
  /** Other, optional id arguments; they can be filled with ids of B's own rows. */
  readonly others: readonly string[];
  /** Builds the call with the id, with everything that is required, and with the extras. */
  readonly call: (id: Id, beside: Extras) => ApiCall;
}

/** Optional input of a call: arguments filled with ids of B's own rows, and whether all others get sample values. */
interface Extras {
  readonly named: readonly string[];
  readonly samples: boolean;
}

/** From little to much input: some calls look up an id only when more than the required input is present. */
const listExtras = ({ others }: Probe): Extras[] => [
  { named: [], samples: false },
  ...others.map((other) => ({ named: [other], samples: false })),
  { named: others, samples: false },
  { named: [], samples: true },
  ...others.map((other) => ({ named: [other], samples: true })),
];

export type Verdict =
  /** The answer equals the one for an unknown id, byte for byte. */
  | 'isolated'
  /** B may not make this call, whatever id it sends. */
  | 'forbidden'
  /** The probe could not run, or the call was refused before the id was looked up. */
  | 'inconclusive'
  /** The route or field takes no id. */
  | 'no-id'
  | 'leak';

export interface Finding extends Pick<Probe, 'surface' | 'target' | 'argument' | 'writes'> {
  readonly verdict: Verdict;
  readonly detail: string;
}

/**
 * Sends an unknown id first and then the id of A. A write that accepts even the unknown id is not repeated: it does not
 * check the id and could change a row of A.
 */
export async function runProbe(instance: Instance, probe: Probe): Promise<Finding> {
  const { surface, target, argument, writes, foreign, call } = probe;
  const finding = (verdict: Verdict, detail: string): Finding => ({
    surface,
    target,
    argument,
    writes,
    verdict,
    detail,
  });
  if (foreign === null) return finding('inconclusive', 'A has no such row');
  let last = finding('inconclusive', '');
  for (const beside of listExtras(probe)) {
    const unknown = await instance.call(call(makeUnknownId(foreign), beside));
    if (writes && findFailures(unknown.body).length === 0)
      return finding('inconclusive', 'accepts an unknown id as well');
    const real = await instance.call(call(foreign, beside));
    if (real.bytes !== unknown.bytes)
      return finding('leak', `${summarize(real)}, but ${summarize(unknown)} for an unknown id`);
    last = finding(judgeReply(real, probe), `${summarize(real)}, as for an unknown id`);
    if (last.verdict !== 'inconclusive') return last;
  }
  return last;
}

interface SeenFailure {
  readonly code: string;
  readonly fields: readonly string[];
}

function judgeReply({ body }: ApiReply, { argument, writes }: Probe): Verdict {
  const failures = findFailures(body);
  if (failures.length === 0) return writes ? 'inconclusive' : 'isolated';
  if (failures.some(({ code }) => code === 'NOT_FOUND')) return 'isolated';
  if (failures.some(({ code }) => code === 'FORBIDDEN' || code === 'UNAUTHENTICATED')) return 'forbidden';
  const own = camelCase(argument.split('.').at(-1) ?? argument);
  const isNamed = failures.some(({ fields }) => fields.some((field) => camelCase(field).split('.').includes(own)));
  return isNamed ? 'isolated' : 'inconclusive';
}

/**
 * Finds every failure code in an answer with the fields it names. In GraphQL, failures can be part of a successful
 * answer.
 */
function findFailures(value: unknown): SeenFailure[] {
  if (Array.isArray(value)) return value.flatMap(findFailures);
  if (typeof value !== 'object' || value === null) return [];
  const { code, errors, ...rest } = value as { code?: unknown; errors?: unknown };
  const inner = [...Object.values(rest), ...(Array.isArray(errors) ? errors : [])].flatMap(findFailures);
  if (typeof code !== 'string' || !/^[A-Z]+(_[A-Z]+)*$/.test(code)) return inner;
  const blamed = Array.isArray(errors)
    ? errors.map((each) => String((each as { field?: unknown }).field))
    : Object.keys((errors ?? {}) as object);
  return [{ code, fields: blamed }, ...inner];
}

const summarize = ({ status, body }: ApiReply): string =>
  [String(status), ...new Set(findFailures(body).map(({ code }) => code))].join(' ');

import { camelCase, unknownLike, type Id } from './ids.ts';
import type { Call, Instance, Reply } from './instance.ts';

/** One way to name a row of the other business: a parameter or an argument of a route or a field. */
export interface Attempt {
  readonly surface: 'REST' | 'GraphQL';
  /** `PUT /v1/events/{uuid}`, `updateEvent`, `Event.workShiftsConnection`. */
  readonly target: string;
  /** The name that the id is given by. */
  readonly argument: string;
  readonly writes: boolean;
  /** A real id of the other business; null where it has none of the kind. */
  readonly foreign: Id | null;
  /** What else can be named: with rows of B's own. */
  readonly others: readonly string[];
  /** The call that names a row by the id, with what must be given and something beside it. */
  readonly call: (id: Id, beside: Beside) => Call;
}

/** What is given although it need not be: rows of B's own by their arguments, and samples for whatever names none. */
export interface Beside {
  readonly named: readonly string[];
  readonly samples: boolean;
}

/** From little to much: some calls look at an id only when more than what must be given is there. */
const besides = ({ others }: Attempt): Beside[] => [
  { named: [], samples: false },
  ...others.map((other) => ({ named: [other], samples: false })),
  { named: others, samples: false },
  { named: [], samples: true },
];

export type Verdict =
  /** Answered as an id that never was, byte for byte. */
  | 'held'
  /** Refused for who asks, whatever is named. */
  | 'closed'
  /** Could not be tried, or was refused before the id was looked at. */
  | 'unproven'
  /** Names no row of anybody. */
  | 'nameless'
  | 'leak';

export interface Finding extends Pick<Attempt, 'surface' | 'target' | 'argument' | 'writes'> {
  readonly verdict: Verdict;
  readonly detail: string;
}

/**
 * Names an unknown row, then the other business's. A write that takes even the unknown one is not made a second time: it
 * does not look, and would do with the real id what nobody asked for.
 */
export async function attempted(instance: Instance, attempt: Attempt): Promise<Finding> {
  const { surface, target, argument, writes, foreign, call } = attempt;
  const finding = (verdict: Verdict, detail: string): Finding => ({
    surface,
    target,
    argument,
    writes,
    verdict,
    detail,
  });
  if (foreign === null) return finding('unproven', 'A has no row of the kind');
  let last = finding('unproven', '');
  for (const beside of besides(attempt)) {
    const unknown = await instance.call(call(unknownLike(foreign), beside));
    if (writes && failuresIn(unknown.body).length === 0) return finding('unproven', 'an unknown id is taken as well');
    const real = await instance.call(call(foreign, beside));
    if (real.bytes !== unknown.bytes)
      return finding('leak', `${shortly(real)}, but ${shortly(unknown)} for an unknown id`);
    last = finding(judged(real, attempt), `${shortly(real)}, as for an unknown id`);
    if (last.verdict !== 'unproven') return last;
  }
  return last;
}

interface FailureSeen {
  readonly code: string;
  readonly fields: readonly string[];
}

function judged({ body }: Reply, { argument, writes }: Attempt): Verdict {
  const failures = failuresIn(body);
  if (failures.length === 0) return writes ? 'unproven' : 'held';
  if (failures.some(({ code }) => code === 'NOT_FOUND')) return 'held';
  if (failures.some(({ code }) => code === 'FORBIDDEN' || code === 'UNAUTHENTICATED')) return 'closed';
  const own = camelCase(argument.split('.').at(-1) ?? argument);
  const isNamed = failures.some(({ fields }) => fields.some((field) => camelCase(field).split('.').includes(own)));
  return isNamed ? 'held' : 'unproven';
}

/** Whatever in an answer says `code`, with the fields that it blames; in GraphQL some fail inside of what succeeds. */
export function failuresIn(value: unknown): FailureSeen[] {
  if (Array.isArray(value)) return value.flatMap(failuresIn);
  if (typeof value !== 'object' || value === null) return [];
  const { code, errors, ...rest } = value as { code?: unknown; errors?: unknown };
  const inner = [...Object.values(rest), ...(Array.isArray(errors) ? errors : [])].flatMap(failuresIn);
  if (typeof code !== 'string' || !/^[A-Z]+(_[A-Z]+)*$/.test(code)) return inner;
  const blamed = Array.isArray(errors)
    ? errors.map((each) => String((each as { field?: unknown }).field))
    : Object.keys((errors ?? {}) as object);
  return [{ code, fields: blamed }, ...inner];
}

const shortly = ({ status, body }: Reply): string =>
  [String(status), ...new Set(failuresIn(body).map(({ code }) => code))].join(' ');

import type { Request } from 'autocannon';
import { boardSql } from './board-sql.ts';
import { ask, instants, peerBoard, rest, serviceBoard, turns } from './requests.ts';
import { documents } from './shapes.ts';
import { afresh, type Parts, type Plan } from './targets.ts';

/** Pages of the REST list that are read in turn, by page size: among the same events as the boards. */
const pages = { 15: 200, 100: 30 } as const;
type Size = keyof typeof pages;
export const sizes: readonly Size[] = [15, 100];

/** The board in GraphQL and the list in REST, each afresh and repeated. */
export const listPlans = (parts: Parts): Plan[] => sizes.flatMap((size) => plansOf(size, parts));

function plansOf(size: Size, { scene: { main, events }, targets }: Parts): Plan[] {
  const { ours, postgraphile, fromMemory, inPool } = targets;
  const board = serviceBoard(main);
  const boardAfresh = () => {
    const from = instants(events);
    return () => board(size, from());
  };
  const asked = (document: string) => {
    const [from, request] = [instants(events), peerBoard(document, main)];
    return () => request(size, from());
  };
  const rows = (from: () => string) =>
    inPool('database', {
      statements: [{ text: boardSql }],
      values: Array.from({ length: 3000 }, () => [main.id, size, from()]),
    });
  /** The start of the first event on each page of the REST list. */
  const startsOfPages = () => {
    const page = turns(pages[size]);
    return () => new Date(events[(page() - 1) * size]?.startsAt ?? 0).toISOString();
  };
  const listAfresh = () => {
    const page = turns(pages[size]);
    return () => rest.get(main.key, rest.afresh(rest.list(page(), size)));
  };

  return [
    {
      name: `board-${size}`,
      title: `board of ${size}, ${afresh}`,
      targets: () => [
        ours(boardAfresh()),
        postgraphile(asked(documents.postgraphile.board)),
        rows(instants(events)),
        fromMemory(`board-${size}`),
      ],
    },
    {
      name: `board-${size}-same`,
      title: `board of ${size}, repeated unchanged`,
      targets: () => [
        ours(() => board(size)),
        postgraphile(asked(documents.postgraphile.board)),
        fromMemory(`board-${size}`),
      ],
    },
    {
      name: `rest-${size}`,
      title: `REST list of ${size}, ${afresh}`,
      targets: () => [
        ours(listAfresh()),
        ours(boardAfresh(), 'board'),
        rows(startsOfPages()),
        fromMemory(`rest-${size}`),
      ],
    },
    {
      name: `rest-${size}-same`,
      title: `REST list of ${size}, repeated unchanged`,
      targets: () => [ours(() => rest.get(main.key, rest.list(1, size))), fromMemory(`rest-${size}`)],
    },
  ];
}

/** The same with the ETag of the answer; and the names of those where that makes no 304. */
export async function unchangedPlans({ scene: { main }, contenders: { service }, targets }: Parts) {
  const plans: Plan[] = [];
  const missing: string[] = [];
  for (const size of sizes) {
    const requests: Record<string, [title: string, request: Request]> = {
      [`rest-${size}`]: ['REST list', rest.get(main.key, rest.list(1, size))],
      [`board-${size}`]: ['board', serviceBoard(main)(size)],
    };
    for (const [answer, [what, request]] of Object.entries(requests)) {
      const name = `${answer}-304`;
      const again = await ifNoneMatch(service.origin, request);
      if (!again) missing.push(name);
      else
        plans.push({
          name,
          title: `${what} of ${size}, with its current ETag (304)`,
          targets: () => [targets.unchanged(again), targets.fromMemory(answer), targets.unchangedFromMemory(answer)],
        });
    }
  }
  return { plans, missing };
}

/** The request with the ETag of its answer; null where that is not answered 304. */
async function ifNoneMatch(origin: string, request: Request): Promise<Request | null> {
  const { etag } = await ask(origin, request);
  if (etag === null) return null;
  const again = { ...request, headers: { ...request.headers, 'if-none-match': etag } };
  return (await ask(origin, again)).status === 304 ? again : null;
}

/** What `static` sends: the service's own answers, by the names of their workloads. */
export async function answersOf({ main }: Parts['scene'], origin: string): Promise<Map<string, Buffer>> {
  const answers = new Map<string, Buffer>();
  for (const size of sizes) {
    answers.set(`board-${size}`, (await ask(origin, serviceBoard(main)(size))).bytes);
    answers.set(`rest-${size}`, (await ask(origin, rest.get(main.key, rest.list(1, size)))).bytes);
  }
  return answers;
}

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRowsOfEvents, readVisibleEventIds } from '../src/db/changes.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* What staff and clients are told of events that come into their sight and leave it: enough for a right copy, and nothing else. */

const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_125);

const service = useService();
interface Entry {
  readonly kind: string;
  readonly op: string;
  readonly id: number;
  readonly row: { readonly event_id?: number } | null;
}
interface Page {
  readonly changes: readonly Entry[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

async function read(as: string, after?: string, more = ''): Promise<Page> {
  const { status, body } = await service.call('GET', `/v1/changes?${after ? `after=${after}` : ''}${more}`, { as });
  expect(status).toBe(200);
  return body.data as Page;
}

/** All entries behind a cursor, read in pages of some length. */
async function readAll(as: string, after: string, limit: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor = after, hasMore = true; hasMore;) {
    const page = await read(as, cursor, `&limit=${limit}`);
    entries.push(...page.changes);
    cursor = page.next_cursor;
    hasMore = page.has_more;
  }
  return entries;
}

/** A business whose admin changes two events, their call times and their shifts. */
class Stage {
  readonly events: { id: number; uuid: string }[] = [];
  readonly shifts: string[] = [];
  readonly callTimes: string[] = [];
  day = 0;

  private constructor(
    readonly tenant: Tenant,
    readonly positionId: number,
    readonly otherStaff: number,
  ) {}

  static async open(): Promise<Stage> {
    const tenant = await service.createTenant();
    const { id: positionId } = await service.createPosition(tenant.business);
    const { id } = await service.createUser(tenant.business, 'staff');
    const stage = new Stage(tenant, positionId, id);
    await stage.do('createEvent', 0, 0);
    return stage;
  }

  private async send(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) {
    const answer = await service.call(method, url, { as: this.tenant.as.admin, ...(body && { body }) });
    // Some steps are against the rules, such as a shift on a deleted event. They change nothing.
    return answer.status < 300 ? (answer.body.data as { id: number; uuid: string }) : null;
  }

  /** Does one step. `a` and `b` choose the row and the value. */
  async do(step: Step, a: number, b: number): Promise<void> {
    const { tenant, events, shifts, callTimes } = this;
    const event = events[a % Math.max(1, events.length)];
    const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];
    const from = '2031-05-01 10:00:00';
    switch (step) {
      case 'createEvent': {
        if (events.length > 2) return;
        const made = await this.send('POST', '/v1/events', {
          ...{ title: 'Night shift', start_time: from, end_time: '2031-05-02 02:00:00', timezone: 'UTC' },
          ...{ status: pick(['draft', 'active'], b), client_id: pick([tenant.client.id, null], a) },
        });
        if (made) {
          const { id } = await service.prisma.event.findFirstOrThrow({ where: { uuid: made.uuid } });
          events.push({ id, uuid: made.uuid });
        }
        return;
      }
      case 'setStatus':
        await this.send('PUT', `/v1/events/${event?.uuid}`, {
          status: pick(['draft', 'active', 'canceled', 'deleted'], b),
        });
        return;
      case 'setClient':
        await this.send('PUT', `/v1/events/${event?.uuid}`, { client_id: pick([tenant.client.id, null], b) });
        return;
      case 'rename':
        await this.send('PUT', `/v1/events/${event?.uuid}`, { room: `Hall ${a} ${b}` });
        return;
      case 'assign': {
        const made = await this.send('POST', '/v1/work_shifts', {
          ...{ event_uuid: event?.uuid, position_id: this.positionId, override_reason: 'Asked for' },
          user_id: pick([tenant.staff.id, this.otherStaff], b),
        });
        if (made) shifts.push(made.uuid);
        return;
      }
      case 'reassign':
        await this.send('PUT', `/v1/work_shifts/${pick(shifts, a)}`, {
          ...{ user_id: pick([tenant.staff.id, this.otherStaff], b), override_reason: 'Asked for' },
        });
        return;
      case 'cancelShift':
        await this.send('POST', `/v1/work_shifts/${pick(shifts, a)}/actions/cancel`);
        return;
      case 'deleteShift':
        await this.send('DELETE', `/v1/work_shifts/${pick(shifts, a)}`);
        return;
      case 'addCallTime': {
        const made = await this.send('POST', `/v1/call_times`, {
          ...{ event_uuid: event?.uuid, position_id: this.positionId, staff_needed: 1 },
          ...{ start_time: from, end_time: '2031-05-01 18:00:00' },
        });
        if (made) callTimes.push(made.uuid);
        return;
      }
      case 'deleteCallTime':
        await this.send('DELETE', `/v1/call_times/${pick(callTimes, a)}`);
        return;
    }
  }

  /** The rows that a caller sees now, as `<kind> <id>`, with the event of each. */
  async visible(of: 'staff' | 'client'): Promise<Map<string, number>> {
    const { db } = bindToBusiness(service.prisma, this.tenant.business.id, { of, userId: this.tenant[of].id });
    const ids = this.events.map(({ id }) => id);
    const events = await readVisibleEventIds(db, ids);
    const rows = await readRowsOfEvents(db, ids);
    return new Map([
      ...events.map((id) => [`event ${id}`, id] as const),
      ...rows.map(({ kind, id, eventId }) => [`${kind} ${id}`, eventId] as const),
    ]);
  }
}

const steps = [
  ...(['createEvent', 'setStatus', 'setClient', 'rename', 'assign', 'reassign'] as const),
  ...(['cancelShift', 'deleteShift', 'addCallTime', 'deleteCallTime'] as const),
] as const;
type Step = (typeof steps)[number];

const plan = fc.record({
  work: fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...steps), fc.constant<Step>('setStatus'), fc.constant<Step>('assign')),
      fc.nat(5),
      fc.nat(5),
    ),
    {
      minLength: 4,
      maxLength: 14,
    },
  ),
  start: fc.nat(8),
  limit: fc.constantFrom(1, 2, 3, 500),
});

describe.each(['staff', 'client'] as const)('over any course of changes, a %s', (of) => {
  test('gets a right copy, and no tombstone of a row that they never saw', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ work, start, limit }) => {
        const stage = await Stage.open();
        const as = stage.tenant.as[of];
        let cursor = '';
        let copy = new Map<string, number>();
        const seen = new Set<string>();
        for (const [at, [step, a, b]] of work.entries()) {
          if (at === start % work.length) {
            copy = await stage.visible(of);
            cursor = (await read(as)).next_cursor;
            for (const key of copy.keys()) seen.add(key);
          }
          await stage.do(step, a, b);
          if (cursor) for (const key of (await stage.visible(of)).keys()) seen.add(key);
        }
        const now = await stage.visible(of);
        const ofEvent = new Map([...copy, ...now]);
        for (const { kind, op, id, row } of await readAll(as, cursor, limit)) {
          if (!['event', 'callTime', 'workShift'].includes(kind)) continue;
          const key = `${kind} ${id}`;
          if (op === 'changed') {
            expect(now).toContainEqual([key, expect.anything()]);
            copy.set(key, ofEvent.get(key)!);
          } else {
            expect(seen).toContain(key);
            copy.delete(key);
            if (kind === 'event') for (const [other, eventId] of copy) if (eventId === id) copy.delete(other);
          }
          expect(row === null).toBe(op !== 'changed');
        }
        expect([...copy.keys()].toSorted()).toEqual([...now.keys()].toSorted());
      }),
      { seed, numRuns: 25 },
    );
  });
});

describe('of a draft', () => {
  const told = async (as: string, after: string) =>
    (await read(as, after)).changes.map(({ kind, op }) => `${kind} ${op}`);

  /** What a caller is told over REST, over GraphQL and by the stream. */
  test('nobody but admins is told anything, whatever is done with it', async () => {
    const stage = await Stage.open();
    const { tenant } = stage;
    const callers = [tenant.as.staff, tenant.as.client];
    const cursors = await Promise.all(callers.map(async (as) => (await read(as)).next_cursor));
    const silent = async () => {
      for (const [at, as] of callers.entries()) {
        expect(await told(as, cursors[at]!)).toEqual([]);
        const { body } = await service.graphql(
          'query ($after: String) { changes(after: $after) { changes { kind op } } }',
          {
            as,
            variables: { after: cursors[at] },
          },
        );
        expect(body.data.changes.changes).toEqual([]);
        expect(
          (await service.call('GET', `/v1/changes?after=${cursors[at]!}&event_uuid=${draft.uuid}`, { as })).status,
        ).toBe(404);
      }
    };
    await stage.do('createEvent', 0, 0);
    const draft = stage.events.at(-1)!;
    const at = stage.events.length - 1;
    await silent();
    for (const [step, b] of [
      ...[
        ['addCallTime', 0],
        ['assign', 0],
        ['assign', 1],
        ['rename', 0],
        ['reassign', 1],
        ['reassign', 0],
      ],
      ...[
        ['cancelShift', 0],
        ['deleteShift', 0],
        ['assign', 0],
        ['deleteCallTime', 0],
        ['setClient', 1],
        ['setClient', 0],
      ],
      ...[
        ['setStatus', 3],
        ['setStatus', 0],
        ['setStatus', 3],
      ],
    ] as [Step, number][]) {
      await stage.do(step, at, b);
      await silent();
    }
  });

  test('staff and client are told all of it when it is published, and that it left when it is a draft again', async () => {
    const stage = await Stage.open();
    await stage.do('addCallTime', 0, 0);
    await stage.do('assign', 0, 0);
    for (const as of [stage.tenant.as.staff, stage.tenant.as.client]) {
      const { next_cursor: before } = await read(as);
      await stage.do('setStatus', 0, 1);
      expect(await told(as, before)).toEqual(['event changed', 'callTime changed', 'workShift changed']);
      const { next_cursor: published } = await read(as);
      await stage.do('setStatus', 0, 0);
      expect(await told(as, published)).toEqual(['event left']);
      await stage.do('setStatus', 0, 3);
      // The deletion of the draft is not theirs to know.
      expect(await told(as, published)).toEqual(['event left']);
      expect(await told(as, before)).toEqual(['event left']);
      await stage.do('setStatus', 0, 0);
    }
  });
});

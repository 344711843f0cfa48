import { limits } from '../config/limits.ts';
import { readLogAfter, type LogPage } from '../db/change-log.ts';
import type { Transact } from '../db/tenant.ts';
import { readEventUuids } from '../db/changes.ts';
import { lockEndpoint, storeMessages } from '../db/webhook-delivery.ts';
import { tablesWithMessages, toWebhookMessages } from './messages.ts';

/** The result of reading on in the log. `expired`: the log no longer has the position, so changes may be missing. */
export type Reading = 'more' | 'end' | 'expired';

/**
 * Reads the change log on from the position of an endpoint, and stores the messages that it wants, in one transaction: each change
 * becomes a message once, whoever is killed meanwhile.
 */
export function storeNewMessages(transact: Transact, endpointId: number, clock: () => Date): Promise<Reading> {
  return transact(async (db) => {
    const endpoint = await lockEndpoint(db, endpointId);
    if (!endpoint) return 'end';
    const page = await readLogAfter(db, endpoint.position, {
      limit: limits.pageRows,
      tables: tablesWithMessages,
    });
    if (!page) return 'expired';
    const { changes, end, hasMore } = endAtCommit(page);
    const wanted = new Set(endpoint.types);
    const messages = toWebhookMessages(changes, await readEventUuids(db, eventIdsOf(changes))).filter(
      ({ type }) => wanted.size === 0 || wanted.has(type),
    );
    const { revision, changeId } = endpoint.position;
    if (messages.length > 0 || end.revision !== revision || end.changeId !== changeId)
      await storeMessages(db, endpointId, messages, end, clock());
    return hasMore ? 'more' : 'end';
  });
}

/** Leaves out the last commit of a page that it does not hold as a whole, so that its changes of a row become one message. */
function endAtCommit(page: LogPage): LogPage {
  const { revision } = page.end;
  const whole = page.hasMore ? page.changes.filter((change) => change.revision !== revision) : page.changes;
  const last = whole.at(-1);
  return !page.hasMore || !last
    ? page
    : { changes: whole, end: { revision: last.revision, changeId: null }, hasMore: true };
}

const eventIdsOf = (changes: LogPage['changes']): number[] => [
  ...new Set(changes.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]))),
];

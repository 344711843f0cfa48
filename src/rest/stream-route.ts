import type { FastifyReply } from 'fastify';
import type { Static, TObject } from 'typebox';
import { Rehearsed } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import type { Failure } from '../errors.ts';
import { eventType } from '../http/answer-headers.ts';
import type { EventSource, ReadyForMore } from '../http/event-streams.ts';
import { toFailure } from '../http/failures.ts';
import { serializeFailure } from '../http/replies.ts';
import { isOurFault } from '../http/request-log.ts';
import type { LiveItems } from '../services/live.ts';
import { restDialect } from './dialect.ts';
import { readQuery, withUnknownParameters } from './query.ts';
import { describeRoute } from './route-description.ts';
import { inRestNames } from './route-errors.ts';
import type { AnyRoute } from './route-facts.ts';
import type { RestApp } from './route.ts';

interface StreamEvent {
  /** The client sends it as `Last-Event-ID` when it comes back. */
  readonly id: string;
  readonly data: object;
}

interface StreamRoute<Q extends TObject, Item extends object> extends Omit<AnyRoute, 'method' | 'query' | 'isStream'> {
  readonly query: Q;
  /** Name of the events. */
  readonly event: string;
  /** Field of the query that `Last-Event-ID` takes the place of. */
  readonly resumesAt: keyof Static<Q> & string;
  readonly follow: (scope: CallScope, query: Static<Q>) => Promise<LiveItems<Item>>;
  /** Streams of equal rights that get the same item share what is made of it. */
  readonly serialize: (scope: CallScope, item: Item) => Promise<StreamEvent>;
}

/** Adds a route that answers with a stream of events. A failure before the first of them is answered as elsewhere. */
export function streamRoute<Q extends TObject, Item extends object>(
  { http, eventStreams }: RestApp,
  spec: StreamRoute<Q, Item>,
): void {
  const query = restDialect(spec.query);
  const { operation } = spec.calls;
  const described = {
    ...spec,
    method: 'GET',
    isStream: true,
    calls: { operation: { ...operation, cacheable: false } },
  };
  const print = shareByItem(async (scope, item: Item) => printEvent(spec.event, await spec.serialize(scope, item)));
  http.route({
    method: 'GET',
    url: spec.url,
    // The head of a stream says nothing, and its body would have no end.
    exposeHeadRoute: false,
    config: { entry: operation, mediaTypes: [eventType] },
    schema: describeRoute(described as AnyRoute, { query: query.schema }),
    handler: (request, reply) =>
      eventStreams.serve(reply, async (ready) => {
        try {
          const lastId = request.headers['last-event-id'];
          const sent = { ...(query.read(readQuery(query.schema, request.query)) as object) };
          const input = { ...sent, ...(typeof lastId === 'string' && lastId && { [spec.resumesAt]: lastId }) };
          const items = await spec.follow(request.scope, input as Static<Q>);
          if (request.unknownParameters) {
            await items.return();
            throw new Rehearsed();
          }
          return printItems(reply, items, ready, (item) => print(request.scope, item));
        } catch (error) {
          const failure = inRestNames(error, spec);
          throw request.unknownParameters ? withUnknownParameters(failure, request.unknownParameters) : failure;
        }
      }),
  });
}

/** Prints each item as an event, and the failure that ends them as the last one. */
function printItems<Item>(
  reply: FastifyReply,
  items: LiveItems<Item>,
  ready: ReadyForMore,
  print: (item: Item) => Promise<string>,
): EventSource {
  const { answer } = reply.request.record;
  let isOver = false;
  const over = { done: true, value: undefined } as const;
  return {
    next: async () => {
      if (isOver) return over;
      try {
        items.endTurn();
        await ready(items);
        const { done, value } = await items.next();
        if (done) return over;
        const text = await items.compute(() => print(value));
        if (text.length > answer.bytesMax) throw answer.refuseLength();
        return { done: false, value: text };
      } catch (error) {
        isOver = true;
        await items.return();
        return { done: false, value: printFailure(reply, toFailure(answer.refusal ?? error)) };
      }
    },
    return: async () => {
      isOver = true;
      await items.return();
      return over;
    },
  };
}

function shareByItem<Item extends object>(print: (scope: CallScope, item: Item) => Promise<string>) {
  const printed = new WeakMap<Item, Promise<string>>();
  return (scope: CallScope, item: Item): Promise<string> => {
    const known = printed.get(item);
    if (known) return known;
    const text = print(scope, item);
    printed.set(item, text);
    // The next try prints anew.
    text.catch(() => printed.delete(item));
    return text;
  };
}

const printEvent = (event: string, { id, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Named so that it differs from the event `error`, by which browsers report a lost connection. */
function printFailure({ request }: FastifyReply, failure: Failure): string {
  request.record.code = failure.code;
  if (isOurFault(failure.code)) request.log.error({ err: failure.cause }, 'stream failed');
  return `event: failure\ndata: ${JSON.stringify(serializeFailure(failure, request.url, request.id))}\n\n`;
}

import type { Static, TObject, TSchema } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { ListPage, PageRequest } from '../paging/pages.ts';
import { toCsvPage } from './csv.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import type { RouteOf } from './route-facts.ts';
import { route, type RestApp } from './route.ts';

type Facts<P extends TObject, Q extends TObject> = Omit<
  RouteOf<P, Q, TObject, TSchema>,
  'method' | 'response' | 'handle' | 'csv' | 'full'
>;

interface ListRoute<P extends TObject, Q extends TObject, Item extends TObject, Row> extends Facts<P, Q> {
  readonly item: Item;
  /** Name of the CSV file without date and extension. Without it, the list has no CSV. */
  readonly csvName?: string;
  readonly read: (
    scope: CallScope,
    input: { readonly params: Static<P>; readonly query: Static<Q> & PageRequest },
  ) => Promise<ListPage<Row>>;
  /** Reads what belongs to the rows. The returned function serializes one of them. */
  readonly serializeAll: (
    scope: CallScope,
    rows: readonly Row[],
  ) => Promise<(row: Row) => Static<Item>> | ((row: Row) => Static<Item>);
}

/** Adds the route of a list whose pages are JSON and, if it has a name for the file, CSV with the same fields. */
export function listRoute<P extends TObject, Q extends TObject, Item extends TObject, Row>(
  app: RestApp,
  { item, csvName, read, serializeAll, ...facts }: ListRoute<P, Q, Item, Row>,
): void {
  route<P, Q, TObject, TSchema>(app, {
    ...facts,
    method: 'GET',
    response: envelope(pageOf(item)),
    ...(csvName !== undefined && {
      csv: {
        name: csvName,
        row: item,
        read: async (scope, input) => {
          const page = await read(scope, input);
          return toCsvPage<Row>(page, (await serializeAll(scope, page.rows)) as (row: Row) => object);
        },
      },
    }),
    handle: async (scope, { params, query }) => {
      const page = await read(scope, { params, query: { ...query, withTotal: true } });
      return answer(await serializePage(page, await serializeAll(scope, page.rows)));
    },
  });
}

import { useMemo, useState } from 'react';
import { useRead } from './data.ts';
import type { TypedDocument, VariablesOf } from './document.ts';

/** Items of a page of a list. */
const pageSize = 100;

interface Pages<Node> {
  readonly page1: { readonly totalCount: number; readonly nodes: readonly Node[] };
}

/** Reads all pages of a list in one request, at most so many. The document has the first one, named `page1`. */
export function usePages<Node, Taken>(
  query: TypedDocument<Pages<Node>, Taken> | null,
  variables: VariablesOf<Taken>,
  most: number,
) {
  const [count, setCount] = useState(1);
  const { data, ...state } = useRead(query && repeatPage(query, count), variables);
  const totalCount = data?.page1.totalCount ?? 0;
  const wanted = Math.min(most, Math.ceil(totalCount / pageSize));
  // Fewer pages than before are not worth another read.
  if (!state.isLoading && wanted > count) setCount(wanted);
  const nodes = useMemo(() => data && Object.values(data as Pages<Node>).flatMap((page) => page.nodes), [data]);
  return { ...state, nodes, totalCount };
}

/** Repeats the selection of the first page for the others. */
function repeatPage<Data, Taken>(query: TypedDocument<Data, Taken>, count: number): TypedDocument<Data, Taken> {
  const [, head = '', page = '', tail = ''] = /^([^{]*\{)(page1:.*?)(\}(?:fragment .*)?)$/s.exec(query) ?? [];
  const pages = Array.from({ length: count }, (_, index) =>
    page.replace('page1:', `page${index + 1}:`).replace('page:1', `page:${index + 1}`),
  );
  return (head + pages.join(' ') + tail) as TypedDocument<Data, Taken>;
}

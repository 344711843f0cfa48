import { useEffect, useRef, useState } from 'react';
import { pick, useGraphiQL } from '@graphiql/react';
import type { RunQuery } from './run.ts';
import { readShareLink } from './share.ts';
import type { Work } from './tabs.ts';

interface Surroundings {
  readonly place: (work: Work) => void;
  readonly run: RunQuery;
}

/** Whether the page was opened by a link with a query. */
export function useStartsWithQuery(): boolean {
  const [starts] = useState(() => readShareLink(location.hash) !== null);
  return starts;
}

/**
 * Opens the query of a shared link in a tab, and runs it if it only reads: a link must not change anything. The
 * fragment stays in the address until then, so that it survives the log-in.
 */
export function useSharedWork({ place, run }: Surroundings): void {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'responseEditor'),
  );
  const isReady = Boolean(queryEditor && variableEditor && responseEditor);
  const actions = useRef({ place, run });
  useEffect(() => {
    actions.current = { place, run };
  });
  useEffect(() => {
    if (!isReady) return undefined;
    const open = (): void => {
      const work = readShareLink(location.hash);
      if (!work) return;
      history.replaceState(null, '', location.pathname);
      actions.current.place(work);
      actions.current.run(work);
    };
    queueMicrotask(open);
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, [isReady]);
}

import { createContext, useCallback, useEffect, useRef } from 'react';
import { KeyCode, KeyMod, pick, tryParseJSONC, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { onlyReads } from './operations.ts';
import type { Runs } from './runs.ts';
import type { Work } from './tabs.ts';
import type { WorkStorage } from './work-storage.ts';

/**
 * Runs the query in the editor. Without `unasked`, the user asks for it by a click or a key. Whatever starts a run
 * otherwise names the work to run: it is run only if the editors hold exactly that, and if it only reads.
 */
export type RunQuery = (unasked?: Work) => void;

export const RunContext = createContext<RunQuery>(() => {});

/**
 * Checks the variables before GraphiQL does: it would leave the previous result in sight and say nothing outside the
 * JSON view.
 */
export function useRun(runs: Runs, isWaiting: boolean): RunQuery {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'responseEditor'),
  );
  const { run, updateActiveTabValues } = useGraphiQLActions();

  /** Whether the query cannot be sent now. Says why if the user can change it. */
  const refuse = useCallback((): boolean => {
    if (isWaiting) return true;
    try {
      tryParseJSONC(variableEditor?.getValue());
      return false;
    } catch (error) {
      const message = `Not sent: the variables ${(error as Error).message}`;
      const response = JSON.stringify({ errors: [{ message }] }, null, 2);
      runs.refuse({ query: queryEditor?.getValue() ?? '' }, message);
      responseEditor?.setValue(response);
      updateActiveTabValues({ response });
      return true;
    }
  }, [isWaiting, queryEditor, responseEditor, runs, updateActiveTabValues, variableEditor]);

  useEffect(() => {
    const actions = [queryEditor, variableEditor].map((editor) =>
      editor?.addAction({
        id: 'callboard-run',
        label: 'Run',
        keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
        run: () => {
          if (!refuse()) void editor.getAction('graphql-run')?.run();
        },
      }),
    );
    return () => {
      for (const action of actions) action?.dispose();
    };
  }, [queryEditor, refuse, variableEditor]);

  return useCallback(
    (unasked) => {
      if (unasked) {
        // GraphiQL sends what the editors hold now, so this is the text to judge: other work may have been placed since.
        const held = { query: queryEditor?.getValue() ?? '', variables: variableEditor?.getValue() ?? '' };
        if (!isSameWork(held, unasked) || !onlyReads(held.query)) return;
      }
      if (!refuse()) run();
      // On a narrow screen the result stands below the query.
      if (matchMedia('(max-width: 59.99rem)').matches) document.querySelector('.pg-results')?.scrollIntoView();
    },
    [queryEditor, refuse, run, variableEditor],
  );
}

/** The editor may write other ends of lines than it was given. */
function isSameWork(one: Work, other: Work): boolean {
  const [a, b] = [one, other].map(({ query, variables }) =>
    JSON.stringify([query, variables].map((text) => text.split(/\r\n?|\n/))),
  );
  return a === b;
}

const lastRunKey = 'last-run';

interface Rerun {
  readonly storage: WorkStorage;
  readonly runs: Runs;
  readonly run: RunQuery;
}

/** After a reload, fetches the result of the tab in front again if there was one and the query only reads. */
export function useRerun({ storage, runs, run }: Rerun): void {
  const { tabs, activeTabIndex, queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor', 'responseEditor'),
  );
  const tab = tabs[activeTabIndex]?.id ?? '';
  const last = useRef(storage.getItem(lastRunKey));
  const isReady = Boolean(queryEditor && variableEditor && responseEditor);

  useEffect(() => {
    if (!isReady || last.current === null) return;
    const restored = { query: queryEditor?.getValue() ?? '', variables: variableEditor?.getValue() ?? '' };
    if (last.current === tab) queueMicrotask(() => run(restored));
    last.current = null;
  }, [isReady, queryEditor, run, tab, variableEditor]);

  useEffect(
    () =>
      runs.watch(() => {
        if (runs.read().get(tab)?.result?.data) storage.note(lastRunKey, tab);
      }),
    [runs, storage, tab],
  );
}

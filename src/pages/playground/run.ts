import { createContext, useCallback, useEffect, useRef } from 'react';
import { KeyCode, KeyMod, pick, tryParseJSONC, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { isRead } from './operations.ts';
import type { Runs } from './runs.ts';
import type { WorkStorage } from './work-storage.ts';

/** Runs the query of the active tab. */
export const RunContext = createContext<() => void>(() => {});

/**
 * Checks the variables before GraphiQL does: it would leave the previous result in sight and say nothing outside the
 * JSON view.
 */
export function useRun(runs: Runs, isWaiting: boolean): () => void {
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

  return useCallback(() => {
    if (!refuse()) run();
    // On a narrow screen the result stands below the query.
    if (matchMedia('(max-width: 59.99rem)').matches) document.querySelector('.pg-results')?.scrollIntoView();
  }, [refuse, run]);
}

const lastRunKey = 'last-run';

interface Rerun {
  readonly storage: WorkStorage;
  readonly runs: Runs;
  readonly run: () => void;
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
    const wanted = last.current === tab && isRead({ query: queryEditor?.getValue() ?? '' });
    last.current = null;
    if (wanted) queueMicrotask(run);
  }, [isReady, queryEditor, run, tab]);

  useEffect(
    () =>
      runs.watch(() => {
        if (runs.read().get(tab)?.result?.data) storage.note(lastRunKey, tab);
      }),
    [runs, storage, tab],
  );
}

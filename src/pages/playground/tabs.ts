import { useCallback } from 'react';
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { parseQuery } from './operations.ts';
import type { WorkStorage } from './work-storage.ts';

/* Opens and changes tabs without losing what the user wrote. */

/** A query with its variables as JSON. */
export interface Work {
  readonly query: string;
  readonly variables: string;
  /** Set for text that the user did not write, so that the next example may take its place. */
  readonly isExample?: boolean;
}

/** Actions on tabs that first store what the editors hold, since GraphiQL reads them with a delay. */
export function useTabs(): Pick<ReturnType<typeof useGraphiQLActions>, 'addTab' | 'changeTab' | 'closeTab'> {
  const { queryEditor, variableEditor } = useGraphiQL(pick('queryEditor', 'variableEditor'));
  const { addTab, changeTab, closeTab, updateActiveTabValues } = useGraphiQLActions();
  const keep = (): void => {
    if (queryEditor && variableEditor)
      updateActiveTabValues({ query: queryEditor.getValue(), variables: variableEditor.getValue() });
  };
  return {
    addTab,
    changeTab: (index) => {
      keep();
      changeTab(index);
    },
    closeTab: (index) => {
      keep();
      closeTab(index);
    },
  };
}

const placedKey = 'placed';

/** Puts work into the active tab if that holds nothing of the user's own, otherwise into a new tab. */
export function usePlace({ storage, onPlace }: { storage: WorkStorage; onPlace: () => void }): (work: Work) => void {
  const { queryEditor, variableEditor } = useGraphiQL(pick('queryEditor', 'variableEditor'));
  const { addTab, setOperationFacts, updateActiveTabValues } = useGraphiQLActions();
  return useCallback(
    ({ query, variables, isExample }) => {
      if (!queryEditor || !variableEditor) return;
      const current = { query: queryEditor.getValue(), variables: variableEditor.getValue() };
      if (!isReplaceable(current, storage)) addTab();
      onPlace();
      queryEditor.setValue(query);
      variableEditor.setValue(variables);
      if (isExample) storage.note(placedKey, textOf({ query, variables }));
      // GraphiQL reads the editor with a delay, so the operation to run is set directly.
      const parsed = parseQuery(query);
      const operationName = parsed?.operations[0]?.name?.value ?? '';
      if (parsed) setOperationFacts({ documentAST: parsed.document, operations: parsed.operations, operationName });
      updateActiveTabValues({ query, variables, operationName });
    },
    [addTab, onPlace, queryEditor, setOperationFacts, storage, updateActiveTabValues, variableEditor],
  );
}

/** Whether the editors hold nothing that the user wrote: no query, or the latest example as it was opened. */
function isReplaceable(current: Work, storage: WorkStorage): boolean {
  if (current.query.trim() === '') return isEmptyObject(current.variables);
  return textOf(current) === storage.getItem(placedKey);
}

const textOf = ({ query, variables }: Work): string => `${query.trim()}\n${variables.trim()}`;

const isEmptyObject = (variables: string): boolean => /^\s*(\{\s*\})?\s*$/.test(variables);

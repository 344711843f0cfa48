import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { GraphiQLProvider, pick, Tooltip, useGraphiQL, useMonaco } from '@graphiql/react';
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { buildSchema, GraphQLSchema } from 'graphql';
import { builderPlugin } from './builder-panel.tsx';
import { labelEditor, editorThemes, useBraceCompletion, useEditorTheme } from './editor-look.ts';
import { Editors } from './editors.tsx';
import { ExamplesContext, examplesPlugin, useExamples } from './example-list.tsx';
import { Library } from './library.ts';
import { LibraryContext, libraryPlugin } from './library-panel.tsx';
import { findOperation } from './operations.ts';
import { useSharedWork, useStartsWithQuery } from './shared-work.ts';
import type { Role } from '../application/session.ts';
import { Results } from './results.tsx';
import { findWaitEndMs, useSecondsUntil } from './rate-limit-wait.ts';
import { RunContext, useRerun, useRun } from './run.ts';
import { Runs } from './runs.ts';
import { Side } from './side.tsx';
import { Split } from './split.tsx';
import { usePlace } from './tabs.ts';
import { WorkStorage } from './work-storage.ts';
import './workers.ts';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import './workspace.css';

const plugins = [examplesPlugin, builderPlugin, DOC_EXPLORER_PLUGIN, libraryPlugin];
const isWide = matchMedia('(min-width: 60rem)').matches;

/** The workspace: a drawer with examples, documentation and history; the query; its result. */
export default function Workspace({ role, owner }: { role: Role; owner: string }) {
  const { schema, problem } = useSchema();
  const [runs] = useState(() => new Runs());
  useEffect(() => {
    runs.setSchema(schema);
  }, [runs, schema]);
  const [storage] = useState(() => new WorkStorage(owner));
  return (
    <GraphiQLProvider
      fetcher={runs.fetcher}
      schema={schema}
      dangerouslyAssumeSchemaIsValid
      storage={storage}
      plugins={plugins}
      referencePlugin={DOC_EXPLORER_PLUGIN}
      {...(isWide && { visiblePlugin: examplesPlugin })}
      // GraphiQL starts its editors from these, not from the stored tabs.
      {...(storage.initialTab && {
        initialQuery: storage.initialTab.query ?? '',
        initialVariables: storage.initialTab.variables ?? '',
      })}
      defaultQuery=""
      editorTheme={editorThemes}
      onTabChange={({ tabs, activeTabIndex }) => {
        runs.selectTab(tabs[activeTabIndex]?.id ?? '');
      }}
    >
      <DocExplorerStore>
        <Tooltip.Provider>
          <Layout role={role} runs={runs} storage={storage} problem={problem} />
        </Tooltip.Provider>
      </DocExplorerStore>
    </GraphiQLProvider>
  );
}

interface LayoutProps {
  readonly role: Role;
  readonly runs: Runs;
  readonly storage: WorkStorage;
  readonly problem: string | null;
}

function Layout({ role, runs, storage, problem }: LayoutProps) {
  const { tabs, activeTabIndex, queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor', 'responseEditor'),
  );
  const monaco = useMonaco((state) => state.monaco);
  const tab = tabs[activeTabIndex]?.id ?? '';
  const byTab = useSyncExternalStore(runs.watch, runs.read);
  const waitS = useSecondsUntil(Math.max(0, ...[...byTab.values()].map(findWaitEndMs)));
  const run = useRun(runs, waitS > 0);
  const library = useLibrary(storage, runs);
  const startsWithQuery = useStartsWithQuery();
  const place = usePlace({ storage, onPlace: runs.clear });
  const [isResultAlone, setIsResultAlone] = useState(false);
  const examples = useExamples({ role, storage, place, run, startsWithQuery });
  useSharedWork({ place, run });
  useRerun({ storage, runs, run });

  useEditorTheme(monaco);
  useBraceCompletion();
  useStoredTabs(storage);
  useEffect(() => {
    runs.selectTab(tab);
    runs.keepTabs(tabs.map(({ id }) => id));
  }, [runs, tab, tabs]);
  useEffect(() => labelEditor(queryEditor, 'Query'), [queryEditor]);
  useEffect(() => labelEditor(variableEditor, 'Variables'), [variableEditor]);
  useEffect(() => labelEditor(responseEditor, 'Result as JSON'), [responseEditor]);

  return (
    <RunContext value={run}>
      <ExamplesContext value={examples}>
        <LibraryContext value={{ library, place }}>
          <div className="pg-workspace graphiql-container" data-result-alone={isResultAlone}>
            <h1 className="app-hidden">Playground</h1>
            <nav className="pg-skips" aria-label="Skip">
              <a className="cb-skip" href="#query-section">
                Skip to the query
              </a>
              <a className="cb-skip" href="#result-section">
                Skip to the result
              </a>
            </nav>
            <Side />
            <Split
              first={<Editors onStop={() => runs.stop()} problem={problem} waitS={waitS} />}
              second={
                <Results
                  run={byTab.get(tab) ?? null}
                  runs={runs}
                  opened={examples.opened}
                  isAlone={isResultAlone}
                  onAlone={setIsResultAlone}
                />
              }
            />
          </div>
        </LibraryContext>
      </ExamplesContext>
    </RunContext>
  );
}

/** Lists each query that was run. */
function useLibrary(storage: WorkStorage, runs: Runs): Library {
  const [library] = useState(() => new Library(storage));
  useEffect(() => {
    return runs.watchEnd(({ request }) => {
      const { query, variables, operationName } = request;
      const field = findOperation(request)?.selectionSet.selections[0];
      const name = operationName || (field && 'name' in field && field.name?.value) || 'Query';
      const text = variables ? JSON.stringify(variables, null, 2) : '';
      library.addToHistory({ name, query, variables: text, atMs: Date.now() });
    });
  }, [library, runs]);
  return library;
}

/** Stores the open tabs, with the last keystroke, when the page is left or the user logs out. */
function useStoredTabs(storage: WorkStorage): void {
  const { tabs, activeTabIndex, queryEditor, variableEditor } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor'),
  );
  const save = useRef(() => {});
  useLayoutEffect(() => {
    save.current = () => {
      const models = [queryEditor?.getModel(), variableEditor?.getModel()];
      if (models.some((model) => !model || model.isDisposed())) return;
      const [query, variables] = models.map((model) => model!.getValue());
      const current = tabs.map((tab, index) => (index === activeTabIndex ? { ...tab, query, variables } : tab));
      storage.saveTabs({ tabs: current, activeTabIndex });
    };
  });
  useLayoutEffect(() => {
    const saveNow = (): void => save.current();
    storage.open();
    addEventListener('pagehide', saveNow);
    document.addEventListener('visibilitychange', saveNow);
    return () => {
      removeEventListener('pagehide', saveNow);
      document.removeEventListener('visibilitychange', saveNow);
      saveNow();
      storage.close();
    };
  }, [storage]);
}

/** Builds the schema from the published SDL, which does not count against the rate limit. */
function useSchema(): { schema: GraphQLSchema | null; problem: string | null } {
  const [sdl, setSdl] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    fetch('/graphql/schema.graphql')
      .then((response) =>
        response.ok ? response.text() : Promise.reject(new Error(`It answered ${response.status}.`)),
      )
      .then(setSdl)
      .catch((error: Error) => setProblem(`The schema could not be read: ${error.message}`));
  }, []);
  const schema = useMemo(() => (sdl === null ? null : readSchema(sdl)), [sdl]);
  return { schema, problem };
}

/** Types in the order of their names, because the documentation lists them as the schema does. */
function readSchema(sdl: string): GraphQLSchema {
  const config = buildSchema(sdl, { assumeValid: true }).toConfig();
  return new GraphQLSchema({ ...config, types: config.types.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) });
}

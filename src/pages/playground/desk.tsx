import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { GraphiQLProvider, pick, Tooltip, useGraphiQL, useMonaco } from '@graphiql/react';
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { HISTORY_PLUGIN, HistoryStore } from '@graphiql/plugin-history';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { dressEditor, editorThemes, useEditorTheme } from './editor-look.ts';
import { Editors } from './editors.tsx';
import { ExamplesContext, examplesPlugin, useExamples } from './example-list.tsx';
import type { Role } from './examples.ts';
import { storage } from './kept.ts';
import { Results } from './results.tsx';
import { Runs } from './runs.ts';
import { Side } from './side.tsx';
import { Split } from './split.tsx';
import './workers.ts';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import './desk.css';

const plugins = [examplesPlugin, DOC_EXPLORER_PLUGIN, HISTORY_PLUGIN];
const isWide = matchMedia('(min-width: 60rem)').matches;

/** Where one works: examples, documentation and history; the query; its result. */
export default function Desk({ role }: { role: Role }) {
  const { schema, trouble } = useSchema();
  const [runs] = useState(() => new Runs());
  return (
    <GraphiQLProvider
      fetcher={runs.fetcher}
      schema={schema}
      dangerouslyAssumeSchemaIsValid
      storage={storage}
      plugins={plugins}
      referencePlugin={DOC_EXPLORER_PLUGIN}
      {...(isWide && { visiblePlugin: examplesPlugin })}
      defaultQuery=""
      editorTheme={editorThemes}
      onTabChange={({ tabs, activeTabIndex }) => {
        runs.turnTo(tabs[activeTabIndex]?.id ?? '');
      }}
    >
      <HistoryStore>
        <DocExplorerStore>
          <Tooltip.Provider>
            <Layout role={role} runs={runs} trouble={trouble} />
          </Tooltip.Provider>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  );
}

function Layout({ role, runs, trouble }: { role: Role; runs: Runs; trouble: string | null }) {
  const { tabs, activeTabIndex, queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor', 'responseEditor'),
  );
  const monaco = useMonaco((state) => state.monaco);
  const tab = tabs[activeTabIndex]?.id ?? '';
  const byTab = useSyncExternalStore(runs.watch, runs.read);
  const examples = useExamples(role, runs.clear);

  useEditorTheme(monaco);
  useEffect(() => {
    runs.turnTo(tab);
    runs.keep(tabs.map(({ id }) => id));
  }, [runs, tab, tabs]);
  useEffect(() => dressEditor(queryEditor, 'Query'), [queryEditor]);
  useEffect(() => dressEditor(variableEditor, 'Variables'), [variableEditor]);
  useEffect(() => dressEditor(responseEditor, 'Result as JSON'), [responseEditor]);

  return (
    <ExamplesContext value={examples}>
      <div className="pg-desk graphiql-container">
        <Side />
        <Split
          first={<Editors onStop={() => runs.stop()} trouble={trouble} />}
          second={<Results run={byTab.get(tab) ?? null} opened={examples.opened} />}
        />
      </div>
    </ExamplesContext>
  );
}

/** From the printed schema, which costs nothing of the budget. */
function useSchema(): { schema: GraphQLSchema | null; trouble: string | null } {
  const [sdl, setSdl] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    fetch('/graphql/schema.graphql')
      .then((response) =>
        response.ok ? response.text() : Promise.reject(new Error(`It answered ${response.status}.`)),
      )
      .then(setSdl)
      .catch((error: Error) => setTrouble(`The schema could not be read: ${error.message}`));
  }, []);
  const schema = useMemo(() => (sdl === null ? null : buildSchema(sdl, { assumeValid: true })), [sdl]);
  return { schema, trouble };
}

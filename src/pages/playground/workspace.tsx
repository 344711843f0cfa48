import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { GraphiQLProvider, pick, Tooltip, useGraphiQL, useMonaco } from '@graphiql/react';
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer';
import { HISTORY_PLUGIN, HistoryStore } from '@graphiql/plugin-history';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { labelEditor, editorThemes, useEditorTheme } from './editor-look.ts';
import { Editors } from './editors.tsx';
import { ExamplesContext, examplesPlugin, useExamples } from './example-list.tsx';
import type { Role } from '../shared/session.ts';
import { storage } from './storage.ts';
import { Results } from './results.tsx';
import { Runs } from './runs.ts';
import { Side } from './side.tsx';
import { Split } from './split.tsx';
import './workers.ts';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import './workspace.css';

const plugins = [examplesPlugin, DOC_EXPLORER_PLUGIN, HISTORY_PLUGIN];
const isWide = matchMedia('(min-width: 60rem)').matches;

/** The workspace: a drawer with examples, documentation and history; the query; its result. */
export default function Workspace({ role }: { role: Role }) {
  const { schema, problem } = useSchema();
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
        runs.selectTab(tabs[activeTabIndex]?.id ?? '');
      }}
    >
      <HistoryStore>
        <DocExplorerStore>
          <Tooltip.Provider>
            <Layout role={role} runs={runs} problem={problem} />
          </Tooltip.Provider>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  );
}

function Layout({ role, runs, problem }: { role: Role; runs: Runs; problem: string | null }) {
  const { tabs, activeTabIndex, queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('tabs', 'activeTabIndex', 'queryEditor', 'variableEditor', 'responseEditor'),
  );
  const monaco = useMonaco((state) => state.monaco);
  const tab = tabs[activeTabIndex]?.id ?? '';
  const byTab = useSyncExternalStore(runs.watch, runs.read);
  const examples = useExamples(role, runs.clear);

  useEditorTheme(monaco);
  useEffect(() => {
    runs.selectTab(tab);
    runs.keepTabs(tabs.map(({ id }) => id));
  }, [runs, tab, tabs]);
  useEffect(() => labelEditor(queryEditor, 'Query'), [queryEditor]);
  useEffect(() => labelEditor(variableEditor, 'Variables'), [variableEditor]);
  useEffect(() => labelEditor(responseEditor, 'Result as JSON'), [responseEditor]);

  return (
    <ExamplesContext value={examples}>
      <div className="pg-workspace graphiql-container">
        <Side />
        <Split
          first={<Editors onStop={() => runs.stop()} problem={problem} />}
          second={<Results run={byTab.get(tab) ?? null} opened={examples.opened} />}
        />
      </div>
    </ExamplesContext>
  );
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
  const schema = useMemo(() => (sdl === null ? null : buildSchema(sdl, { assumeValid: true })), [sdl]);
  return { schema, problem };
}

import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { pick, useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react';
import { Kind, parse, type OperationDefinitionNode } from 'graphql';
import { documents } from './documents.ts';
import { examplesFor, groups, type Example } from './examples.ts';
import type { Variables } from '../shared/service.ts';
import type { Role } from '../shared/session.ts';
import { readData } from '../shared/session.ts';

interface Examples {
  readonly all: readonly Example[];
  /** Puts the example into the editor with current variables, and runs it unless it changes something. */
  readonly open: (example: Example) => Promise<void>;
  readonly opening: string | null;
  readonly opened: Example | null;
  readonly problem: string | null;
}

export const ExamplesContext = createContext<Examples | null>(null);

export function useExamples(role: Role, onPlace: () => void): Examples {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'responseEditor'),
  );
  const { addTab, run, setOperationFacts, updateActiveTabValues, setVisiblePlugin } = useGraphiQLActions();
  const [opening, setOpening] = useState<string | null>(null);
  const [opened, setOpened] = useState<Example | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<Example | null>(null);

  const place = useCallback(
    (query: string, variables: Variables | undefined) => {
      if (!queryEditor || !variableEditor) return;
      if (!isReplaceable(queryEditor.getValue())) addTab();
      const variablesText = variables ? JSON.stringify(variables, null, 2) : '';
      onPlace();
      queryEditor.setValue(query);
      variableEditor.setValue(variablesText);
      const documentAST = parse(query);
      const operations = documentAST.definitions.filter(
        (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
      );
      const operationName = operations[0]?.name?.value ?? '';
      // GraphiQL reads the editor with a delay, so the operation to run is set directly.
      setOperationFacts({ documentAST, operations, operationName });
      updateActiveTabValues({ query, variables: variablesText, operationName });
    },
    [addTab, onPlace, queryEditor, setOperationFacts, updateActiveTabValues, variableEditor],
  );

  const open = useCallback(
    async (example: Example) => {
      latest.current = example;
      setOpening(example.name);
      setProblem(null);
      try {
        const variables = await example.fill?.(readData, new Date());
        if (latest.current !== example) return;
        place(documents.get(example.name) ?? '', variables);
        setOpened(example);
        if (matchMedia('(max-width: 59.99rem)').matches) showResult(setVisiblePlugin);
        if (!example.changes) run();
      } catch (error) {
        setProblem((error as Error).message);
      } finally {
        if (latest.current === example) setOpening(null);
      }
    },
    [place, run, setVisiblePlugin],
  );

  const isReady = Boolean(queryEditor && variableEditor && responseEditor);
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isReady || hasStarted.current) return;
    hasStarted.current = true;
    const [firstExample] = examplesFor(role);
    if (firstExample && queryEditor?.getValue().trim() === '') queueMicrotask(() => void open(firstExample));
  }, [isReady, open, queryEditor, role]);

  return { all: examplesFor(role), open, opening, opened, problem };
}

/** On a narrow screen, closes the drawer and scrolls to the result. */
function showResult(setVisiblePlugin: (plugin: null) => void): void {
  if (!document.querySelector('.pg-drawer:not([hidden])')) return;
  setVisiblePlugin(null);
  setTimeout(() => document.querySelector('.pg-results')?.scrollIntoView(), 50);
}

const exampleTexts = new Set(documents.values());

/** Whether the editor holds nothing that the user wrote. */
const isReplaceable = (query: string): boolean => query.trim() === '' || exampleTexts.has(query.trim());

function ExampleList() {
  const examples = useContext(ExamplesContext);
  if (!examples) return null;
  const { all, open, opening, opened, problem } = examples;
  return (
    <div className="pg-examples">
      <h2>Examples</h2>
      <p className="app-refusal" role="alert">
        {problem}
      </p>
      {groups
        .filter((group) => all.some((example) => example.group === group))
        .map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <ul>
              {all
                .filter((example) => example.group === group)
                .map((example) => (
                  <li key={example.name}>
                    <button
                      type="button"
                      aria-current={opened === example}
                      aria-busy={opening === example.name}
                      onClick={() => void open(example)}
                    >
                      <strong>{example.title}</strong>
                      <span>{example.about}</span>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  );
}

const Icon = () => (
  <svg
    viewBox="0 0 20 20"
    width="18"
    height="18"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
  >
    <rect x="3" y="4" width="14" height="13" rx="2" />
    <path d="M6.5 9h7M6.5 13h4.5M10 2.5v3" strokeLinecap="round" />
  </svg>
);

export const examplesPlugin: GraphiQLPlugin = { title: 'Examples', icon: Icon, content: ExampleList };

import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { pick, useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react';
import { documents } from './documents.ts';
import { examplesFor, groups, type Example } from './examples.ts';
import type { Role } from '../application/session.ts';
import { readData } from '../application/session.ts';
import type { RunQuery } from './run.ts';
import type { Work } from './tabs.ts';
import type { WorkStorage } from './work-storage.ts';
import { Search, drawIcon } from './controls.tsx';

interface Examples {
  readonly all: readonly Example[];
  /** Puts the example into the editor with current variables, and runs it unless it changes something. */
  readonly open: (example: Example) => Promise<void>;
  readonly opening: string | null;
  readonly opened: Example | null;
  readonly problem: string | null;
}

export const ExamplesContext = createContext<Examples | null>(null);

interface Surroundings {
  readonly role: Role;
  readonly storage: WorkStorage;
  readonly place: (work: Work) => void;
  readonly run: RunQuery;
  /** Whether the address brings a query, which is then shown instead of an example. */
  readonly startsWithQuery: boolean;
}

export function useExamples({ role, storage, place, run, startsWithQuery }: Surroundings): Examples {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'responseEditor'),
  );
  const { setVisiblePlugin } = useGraphiQLActions();
  const [opening, setOpening] = useState<string | null>(null);
  const [opened, setOpened] = useState<Example | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<Example | null>(null);

  const open = useCallback(
    async (example: Example) => {
      latest.current = example;
      setOpening(example.name);
      setProblem(null);
      try {
        const variables = await example.fill?.(readData, new Date());
        if (latest.current !== example) return;
        const work = {
          query: documents.get(example.name) ?? '',
          variables: variables ? JSON.stringify(variables, null, 2) : '',
        };
        place({ ...work, isExample: true });
        setOpened(example);
        if (matchMedia('(max-width: 59.99rem)').matches) showResult(setVisiblePlugin);
        if (!example.changes) run(work);
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
    if (firstExample && storage.isNew && !startsWithQuery) queueMicrotask(() => void open(firstExample));
  }, [isReady, open, role, startsWithQuery, storage]);

  return { all: examplesFor(role), open, opening, opened, problem };
}

/** On a narrow screen, closes the drawer and scrolls to the result. */
function showResult(setVisiblePlugin: (plugin: null) => void): void {
  if (!document.querySelector('.pg-drawer:not([hidden])')) return;
  setVisiblePlugin(null);
  setTimeout(() => document.querySelector('.pg-results')?.scrollIntoView(), 50);
}

/** Whether each word stands in an example's texts or in its query. */
function matches({ name, title, about, group }: Example, text: string): boolean {
  const searched = `${title} ${about} ${group} ${documents.get(name) ?? ''}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function ExampleList() {
  const examples = useContext(ExamplesContext);
  const [text, setText] = useState('');
  if (!examples) return null;
  const { open, opening, opened, problem } = examples;
  const all = examples.all.filter((example) => matches(example, text));
  return (
    <div className="pg-examples">
      <h2>Examples</h2>
      <p className="app-refusal" role="alert">
        {problem}
      </p>
      <Search label="Search the examples" value={text} onChange={setText} placeholder="Search the examples" />
      {all.length === 0 && <p role="status">No example matches.</p>}
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
                      {example.isChart && <em>Chart</em>}
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

const Icon = drawIcon(
  <>
    <rect x="3" y="4" width="14" height="13" rx="2" />
    <path d="M6.5 9h7M6.5 13h4.5M10 2.5v3" strokeLinecap="round" />
  </>,
);

export const examplesPlugin: GraphiQLPlugin = { title: 'Examples', icon: Icon, content: ExampleList };

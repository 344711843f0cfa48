import { useContext, useId, useState } from 'react';
import {
  CloseIcon,
  formatShortcutForOS,
  pick,
  PlusIcon,
  QueryEditor,
  useGraphiQL,
  useGraphiQLActions,
  useMonaco,
  VariableEditor,
} from '@graphiql/react';
import { DOC_EXPLORER_PLUGIN } from '@graphiql/plugin-doc-explorer';
import { RunContext } from './run.ts';
import { ShareTools } from './share-tools.tsx';
import { VariableForm } from './variable-form.tsx';
import { useTabs } from './tabs.ts';
import { Quiet } from './controls.tsx';

interface EditorsProps {
  readonly onStop: () => void;
  readonly problem: string | null;
  /** Seconds until the rate limit is reset, if it was reached. */
  readonly waitS: number;
}

/** The query with its tabs, tools and variables. */
export function Editors({ onStop, problem, waitS }: EditorsProps) {
  const { setVisiblePlugin } = useGraphiQLActions();
  const hasMonaco = useMonaco((state) => Boolean(state.monaco));
  const [showsVariables, setShowsVariables] = useState(() => matchMedia('(min-width: 60rem)').matches);
  const [showsForm, setShowsForm] = useState(false);
  const id = useId();
  return (
    <section className="pg-editors" id="query-section" tabIndex={-1} aria-label="Query">
      <OpenTabs />
      <Tools onStop={onStop} waitS={waitS} />
      {problem !== null && (
        <p className="app-refusal" role="alert">
          {problem}
        </p>
      )}
      <div className="pg-editor">
        {hasMonaco ? (
          <QueryEditor
            role="group"
            aria-label="Query: press Enter to edit, Tab to leave"
            onClickReference={() => setVisiblePlugin(DOC_EXPLORER_PLUGIN)}
          />
        ) : (
          <p className="app-waiting" role="status">
            <span className="app-spinner" aria-hidden="true" />
            Loading the editor…
          </p>
        )}
      </div>
      <div className="pg-fold-line">
        <button
          type="button"
          className="pg-fold"
          aria-expanded={showsVariables}
          aria-controls={id}
          onClick={() => setShowsVariables(!showsVariables)}
        >
          Variables
        </button>
        <Quiet
          aria-pressed={showsForm}
          onClick={() => {
            setShowsForm(!showsForm);
            setShowsVariables(true);
          }}
        >
          Form
        </Quiet>
      </div>
      <div id={id} className={`pg-editor pg-variables${showsVariables ? '' : ' pg-folded'}`}>
        {showsForm && <VariableForm />}
        <div className="pg-variables-json" hidden={showsForm}>
          <VariableEditor role="group" aria-label="Variables: press Enter to edit, Tab to leave" />
        </div>
      </div>
    </section>
  );
}

function OpenTabs() {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const { addTab, changeTab, closeTab } = useTabs();
  return (
    <nav className="pg-tabs" aria-label="Open queries">
      <ul>
        {tabs.map(({ id, title }, index) => {
          const name = title === '<untitled>' ? 'New query' : title;
          return (
            <li key={id} data-active={index === activeTabIndex}>
              <button
                type="button"
                aria-current={index === activeTabIndex ? 'page' : undefined}
                onClick={() => changeTab(index)}
              >
                {name}
              </button>
              {tabs.length > 1 && (
                <button type="button" className="pg-close" aria-label={`Close ${name}`} onClick={() => closeTab(index)}>
                  <CloseIcon aria-hidden="true" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" className="app-icon" aria-label="New query" title="New query" onClick={addTab}>
        <PlusIcon aria-hidden="true" />
      </button>
    </nav>
  );
}

const shortcut = formatShortcutForOS('Ctrl-Enter', '⌘').replace('-', ' ');

function Tools({ onStop, waitS }: Pick<EditorsProps, 'onStop' | 'waitS'>) {
  const { isFetching, operations = [], operationName } = useGraphiQL(pick('isFetching', 'operations', 'operationName'));
  const run = useContext(RunContext);
  const { stop, setOperationName, prettifyEditors, copyQuery } = useGraphiQLActions();
  const [message, setMessage] = useState('');
  const say = (text: string): void => {
    setMessage(text);
    setTimeout(() => setMessage(''), 2000);
  };
  return (
    <div className="pg-tools" role="group" aria-label="Query tools">
      <button
        type="button"
        className="cb-button cb-primary pg-run"
        aria-keyshortcuts="Control+Enter"
        disabled={waitS > 0 && !isFetching}
        onClick={() => {
          if (!isFetching) return run();
          onStop();
          return stop();
        }}
      >
        <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
          <path d={isFetching ? 'M1 1h10v10H1z' : 'M2 .8v10.4L11.2 6z'} fill="currentColor" />
        </svg>
        {isFetching ? 'Stop' : waitS > 0 ? `Run in ${waitS} s` : 'Run'}
      </button>
      <kbd aria-hidden="true">{shortcut}</kbd>
      {operations.length > 1 && (
        <select
          aria-label="Operation to run"
          value={operationName ?? ''}
          onChange={(event) => setOperationName(event.target.value)}
        >
          {operations.map(({ name, operation }) => (
            <option key={name?.value ?? operation}>{name?.value}</option>
          ))}
        </select>
      )}
      <span className="pg-push" role="status">
        {message}
      </span>
      <Quiet onClick={() => void prettifyEditors().then(() => say('Tidied'))}>Tidy</Quiet>
      <ShareTools onMessage={say} />
      <Quiet onClick={() => void copyQuery().then(() => say('Copied'))}>Copy</Quiet>
    </div>
  );
}

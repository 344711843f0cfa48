import { createContext, useContext, useState, useSyncExternalStore, type FormEvent } from 'react';
import { HistoryIcon, pick, useGraphiQL, type GraphiQLPlugin } from '@graphiql/react';
import type { Library, PastQuery } from './library.ts';
import type { Work } from './tabs.ts';
import { Quiet, Search, Slim } from './controls.tsx';

interface LibraryActions {
  readonly library: Library;
  readonly place: (work: Work) => void;
}

export const LibraryContext = createContext<LibraryActions | null>(null);

/** The drawer with the saved queries and the history. */
function LibraryPanel() {
  const actions = useContext(LibraryContext);
  return actions && <LibraryLists {...actions} />;
}

function LibraryLists({ library, place }: LibraryActions) {
  const { history, saved } = useSyncExternalStore(library.watch, library.read);
  const [search, setSearch] = useState('');
  const [asksToClear, setAsksToClear] = useState(false);
  const wanted = search.trim().toLowerCase();
  const isFound = ({ name, query, variables }: PastQuery): boolean =>
    [name, query, variables].some((text) => text.toLowerCase().includes(wanted));
  const list = (title: string, items: readonly PastQuery[]) => (
    <QueryList title={title} items={items.filter(isFound)} library={library} place={place} />
  );

  return (
    <div className="pg-library">
      <h2>Your queries</h2>
      <SaveForm library={library} />
      <Search label="Search your queries" value={search} onChange={setSearch} />
      {list('Saved', saved)}
      {list('History', history)}
      {history.length > 0 && !asksToClear && <Quiet onClick={() => setAsksToClear(true)}>Clear the history</Quiet>}
      {asksToClear && (
        <div role="group" aria-label="Clear the history">
          <p>Remove all {history.length} from the history? Saved queries stay.</p>
          <Slim
            onClick={() => {
              library.clearHistory();
              setAsksToClear(false);
            }}
          >
            Clear
          </Slim>{' '}
          <Quiet onClick={() => setAsksToClear(false)}>Keep</Quiet>
        </div>
      )}
    </div>
  );
}

/** Saves the query in the editor under a name. */
function SaveForm({ library }: { library: Library }) {
  const { queryEditor, variableEditor, tabs, activeTabIndex } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'tabs', 'activeTabIndex'),
  );
  const [message, setMessage] = useState('');
  const tab = tabs[activeTabIndex];
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = (new FormData(event.currentTarget).get('name') as string).trim();
    const query = queryEditor?.getValue() ?? '';
    if (name === '' || query.trim() === '') return setMessage('Write a query and a name first.');
    library.save({ name, query, variables: variableEditor?.getValue() ?? '', atMs: Date.now() });
    const isSaved = library.read().saved.some((saved) => saved.name === name);
    setMessage(isSaved ? `Saved as “${name}”` : 'Not saved: queries with credentials are not stored.');
  };
  return (
    <form onSubmit={save}>
      <label>
        <span>Save this query as</span>
        <input name="name" key={tab?.id} defaultValue={tab?.operationName ?? ''} autoComplete="off" maxLength={80} />
      </label>
      <button type="submit" className="cb-button app-slim">
        Save
      </button>
      <p role="status">{message}</p>
    </form>
  );
}

interface QueryListProps extends LibraryActions {
  readonly title: string;
  readonly items: readonly PastQuery[];
}

function QueryList({ title, items, library, place }: QueryListProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={`${item.name} ${item.atMs}`}>
            <button type="button" onClick={() => place(item)} title={item.query}>
              <strong>{item.name}</strong>
              <span>{describeTime(item.atMs)}</span>
              {item.variables.trim() !== '' && <code>{item.variables.replaceAll(/\s+/g, ' ')}</code>}
            </button>
            <Quiet aria-label={`Remove ${item.name}`} onClick={() => library.remove(item)}>
              ×
            </Quiet>
          </li>
        ))}
      </ul>
    </section>
  );
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const describeTime = (atMs: number): string => timeFormat.format(atMs);

export const libraryPlugin: GraphiQLPlugin = { title: 'History', icon: HistoryIcon, content: LibraryPanel };

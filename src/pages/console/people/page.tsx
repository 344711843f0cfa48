import { PositionsDocument } from '../../../generated/pages/console/people.ts';
import { Suspense, useCallback, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { lazily } from '../../application/lazily.tsx';
import type { Role } from '../../application/session.ts';
import { Waiting } from '../../application/waiting.tsx';
import { useRead } from '../../application/data.ts';
import { loadAllMessages, useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { AddDialog } from './add.tsx';
import { PhoneLink } from '../parts/phone.tsx';
import { usePeople, type PeopleFilter, type Person } from './data.ts';
import './people.css';

// The reader of CSV is for those who import.
const Import = lazily(async () => (await Promise.all([import('./import.tsx'), loadAllMessages()]))[0].default);

const roles: readonly string[] = ['ADMIN', 'STAFF', 'CLIENT'];

function readFilter(search: string): PeopleFilter {
  const query = new URLSearchParams(search);
  const role = query.get('role')?.toUpperCase() ?? '';
  return {
    text: query.get('text') ?? '',
    role: roles.includes(role) ? (role as Role) : null,
    position: query.get('position'),
  };
}

function writeFilter({ text, role, position }: PeopleFilter): string {
  const query = new URLSearchParams({
    ...(text && { text }),
    ...(role && { role: role.toLowerCase() }),
    ...(position && { position }),
  });
  return query.size > 0 ? `/people?${query}` : '/people';
}

/** The people of the business. */
export default function PeoplePage() {
  const { people: texts, shell } = useMessages();
  const search = useSearch();
  const filter = readFilter(search);
  const [, navigate] = useLocation();
  const change = useCallback(
    (next: Partial<PeopleFilter>) =>
      navigate(writeFilter({ ...readFilter(location.search), ...next }), { replace: true }),
    [navigate],
  );
  const [isAdding, setIsAdding] = useState(false);
  const { people, totalCount, ...read } = usePeople(filter);
  const { data: positions } = useRead(PositionsDocument);
  if (new URLSearchParams(search).has('import'))
    return (
      <Suspense fallback={<Waiting what={shell.loading} />}>
        <Import />
      </Suspense>
    );
  const columns: readonly Column<Person>[] = [
    {
      key: 'name',
      title: texts.columns.name,
      renderCell: ({ id, name, canLogIn }) => (
        <>
          <Link href={`/people/${encodeURIComponent(id)}`} className="pp-name" dir="auto">
            {name}
          </Link>{' '}
          {canLogIn === false && <small className="pp-word">{texts.noPassword}</small>}
        </>
      ),
    },
    {
      key: 'role',
      title: texts.columns.role,
      renderCell: ({ role }) => <span className="pp-word">{texts.roles[role]}</span>,
    },
    {
      key: 'phone',
      title: texts.columns.phone,
      renderCell: ({ phone }) => phone && <PhoneLink phone={phone} />,
    },
    { key: 'email', title: texts.columns.email, isMinor: true, renderCell: ({ email }) => email },
  ];
  const isFiltered = filter.text !== '' || filter.role !== null || filter.position !== null;
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <LinkButton href="/people?import">{texts.import}</LinkButton>
          <Button look="primary" onClick={() => setIsAdding(true)}>
            {texts.add}
          </Button>
        </>
      }
    >
      <search className="pp-filters" aria-label={texts.filters.label}>
        <SearchField label={texts.filters.text} value={filter.text} onSearch={(text) => change({ text })} />
        <SelectField
          label={texts.filters.role}
          value={(filter.role ?? '') as Role | ''}
          none={texts.filters.anyRole}
          options={texts.roles}
          onChange={(role) => change({ role: role || null, position: null })}
        />
        <SelectField
          label={texts.filters.position}
          value={filter.position ?? ''}
          none={texts.filters.anyPosition}
          options={new Map(positions?.positions.map(({ id, title }) => [id, title]))}
          onChange={(position) => change({ position: position || null, role: position ? 'STAFF' : filter.role })}
        />
        {isFiltered && (
          <Button look="quiet" onClick={() => change({ text: '', role: null, position: null })}>
            {texts.none.clear}
          </Button>
        )}
      </search>
      <Loaded read={{ ...read, data: people }}>
        {(rows) => (
          <div aria-busy={read.isLoading}>
            <p className="pp-count" role="status">
              {totalCount > rows.length && !read.isLoading
                ? texts.tooMany(rows.length, totalCount)
                : texts.count(totalCount)}
            </p>
            <Table
              caption={texts.title}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              empty={<Empty title={texts.none.title}>{texts.none.lead}</Empty>}
            />
          </div>
        )}
      </Loaded>
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

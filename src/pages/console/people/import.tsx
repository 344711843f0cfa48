import { ImportPeopleDocument } from '../../../generated/pages/console/people.ts';
import { useMemo, useState } from 'react';
import { fetchWhenIdle } from '../../application/lazily.tsx';
import type { Role } from '../../application/session.ts';
import { useViewer, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Field as FieldFrame } from '../parts/field.tsx';
import { CheckField, SelectField } from '../parts/fields.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table as Rows, type Column } from '../parts/table.tsx';
import {
  fields,
  findLeftOut,
  findPasswords,
  judgeRows,
  loadReader,
  matchColumns,
  readTable,
  type ImportRow,
  type Match,
  type Table,
} from './csv.ts';
import { usePeople } from './data.ts';
import { batchMax, InviteAll, type Invited } from './invite-all.tsx';

fetchWhenIdle(loadReader);

const rowsMax = 2000;
const everybody = { text: '', role: null, position: null };

/** Imports people from a file, after a preview of every row. */
export default function Import() {
  const { people: texts, importing } = useMessages();
  const isPerson = useViewer().user !== null;
  const { people } = usePeople(everybody);
  const [table, setTable] = useState<Table | null>(null);
  const [isUnread, setIsUnread] = useState(false);
  const [match, setMatch] = useState<Match>({});
  const [otherRole, setOtherRole] = useState<Role>('STAFF');
  const [isLeavingOut, setIsLeavingOut] = useState(false);
  /** Rows that are stored, and why others were refused, by their number in the file. */
  const [results, setResults] = useState<ReadonlyMap<number, string | null>>(new Map());
  const { write, fault, isPending } = useWrite(ImportPeopleDocument);
  const [isWorking, setIsWorking] = useState(false);
  const [added, setAdded] = useState<readonly Invited[]>([]);

  // The people who are stored meanwhile are not looked up again, or each stored row would be known.
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  if (people && known === null) setKnown(new Set(people.map(({ email }) => email.toLowerCase())));
  const rows = useMemo(
    () =>
      judgeRows(table?.rows ?? [], {
        width: table?.header.length ?? 0,
        match,
        otherRole,
        roleWords: importing.roleWords,
        known: known ?? new Set(),
        mayAddAdmins: isPerson,
      }),
    [table, match, otherRole, importing, known, isPerson],
  );
  const left = rows.filter(({ number }) => results.get(number) !== null);
  const right = left.filter(({ faults }) => faults.length === 0);
  const faulty = left.length - right.length;
  const stored = rows.length - left.length;
  const refused = [...results.values()].filter((reason) => reason !== null).length;

  async function choose(file: File | undefined) {
    if (!file) return;
    const read = await readTable(file).catch(() => null);
    setIsUnread(read === null);
    if (!read) return;
    setTable(read);
    setMatch(matchColumns(read.header, importing.words));
    setResults(new Map());
    setAdded([]);
    setIsLeavingOut(false);
  }

  async function save() {
    setIsWorking(true);
    for (let from = 0; from < right.length; from += batchMax) {
      const batch = right.slice(from, from + batchMax);
      const { data } = await write({ inputs: batch.map(({ input }) => ({ ...input, password: null })) });
      if (!data) break;
      const answers = data.createUsers.map(({ error }, index): [number, string | null] => [
        batch[index]!.number,
        error && [error.message, ...error.errors.flatMap(({ messages }) => messages)].join(' '),
      ]);
      setResults((before) => new Map([...before, ...answers]));
      setAdded((before) => [...before, ...data.createUsers.flatMap(({ user }) => user ?? [])]);
    }
    setIsWorking(false);
  }

  const columns: readonly Column<ImportRow>[] = [
    { key: 'number', title: importing.row, isNumber: true, renderCell: ({ number }) => number },
    { key: 'name', title: importing.fields.name, renderCell: ({ input }) => <span dir="auto">{input.name}</span> },
    { key: 'email', title: importing.fields.email, renderCell: ({ input }) => input.email },
    { key: 'phone', title: importing.fields.phone, isMinor: true, renderCell: ({ input }) => input.phone },
    { key: 'role', title: importing.fields.role, isMinor: true, renderCell: ({ input }) => texts.roles[input.role] },
    {
      key: 'faults',
      title: importing.faultsTitle,
      renderCell: ({ number, faults }) => {
        const reasons = [...faults.map((key) => importing.faults[key]), results.get(number)].filter(Boolean);
        return reasons.length === 0 ? importing.right : <strong className="pp-fault">{reasons.join(' ')}</strong>;
      },
    },
  ];
  const password = table && findPasswords(table.header, importing.words);
  const nameColumn = (name: string, index: number) => name || importing.unnamed(index + 1);
  const leftOut = (table ? findLeftOut(table, match) : [])
    .map((index) => nameColumn(table!.header[index]!, index))
    .filter((name) => name !== password);
  const isTooLong = rows.length > rowsMax;
  const mayImport = right.length > 0 && (faulty === 0 || isLeavingOut) && !isTooLong && known !== null;
  return (
    <Page title={importing.title} actions={<LinkButton href="/people">{importing.back}</LinkButton>}>
      <div className="cs-form">
        <p>{importing.lead}</p>
        <FieldFrame label={importing.file} hint={importing.fileHint}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          )}
        </FieldFrame>
      </div>
      {isUnread && <Notice look="bad">{importing.unread}</Notice>}
      {table && rows.length === 0 && <Notice look="bad">{importing.noRows}</Notice>}
      {isTooLong && <Notice look="bad">{importing.tooMany(rowsMax)}</Notice>}
      {table && rows.length > 0 && !isTooLong && (
        <>
          <h2>{importing.columns}</h2>
          <div className="pp-filters">
            {fields.map((field) => (
              <SelectField
                key={field}
                label={importing.from(importing.fields[field])}
                value={String(match[field] ?? '')}
                none={importing.noColumn}
                options={
                  new Map(
                    table.header
                      .map((name, index) => [String(index), nameColumn(name, index)] as const)
                      .filter(([, name]) => name !== password),
                  )
                }
                onChange={(column) => {
                  const { [field]: _, ...others } = match;
                  setMatch(column === '' ? others : { ...others, [field]: Number(column) });
                }}
              />
            ))}
            <SelectField
              label={importing.otherRole}
              value={otherRole}
              options={{ STAFF: texts.roles.STAFF, CLIENT: texts.roles.CLIENT }}
              onChange={setOtherRole}
            />
          </div>
          {password !== null && password !== undefined && (
            <Notice look="warning">{importing.password(password)}</Notice>
          )}
          {leftOut.length > 0 && <Notice look="warning">{importing.leftOut(leftOut)}</Notice>}
          <h2>{importing.preview}</h2>
          <div className="pp-import" role="status">
            {stored > 0 && <Notice look="good">{importing.stored(stored)}</Notice>}
            {refused > 0 && <Notice look="bad">{importing.refused(refused)}</Notice>}
            {left.length > 0 && <p>{importing.summary(right.length, faulty)}</p>}
          </div>
          {faulty > 0 && right.length > 0 && (
            <CheckField
              label={importing.leaveOut(faulty)}
              hint={importing.mend}
              value={isLeavingOut}
              onChange={setIsLeavingOut}
            />
          )}
          {fault && <Notice look="bad">{fault.message}</Notice>}
          {left.length > 0 && (
            <p>
              <Button look="primary" disabled={!mayImport} isBusy={isPending || isWorking} onClick={() => void save()}>
                {importing.save(right.length)}
              </Button>
            </p>
          )}
          {added.length > 0 && !isWorking && <InviteAll people={added} />}
          <Rows
            caption={importing.preview}
            columns={columns}
            // Rows with faults stand first: they are what there is to do.
            rows={[...left].sort((one, other) => Number(other.faults.length > 0) - Number(one.faults.length > 0))}
            rowKey={({ number }) => String(number)}
            empty={null}
          />
        </>
      )}
    </Page>
  );
}

import { useState } from 'react';
import { readData } from '../../application/session.ts';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Combobox, type Option } from '../parts/combobox.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { RemoveDialog } from './remove.tsx';
import { useDateTime } from './texts.ts';

const document = `query ScreenSettings {
  screens { id name names city text client { name } position { title } claimedAt lastSeenAt }
  positions { id title }
}`;
const clientsDocument = `query Clients($search: String) {
  users(role: CLIENT, search: $search, perPage: 8) { nodes { id name email } }
}`;
const approveMutation = `mutation ApproveScreen($idempotencyKey: String, $input: ApproveScreenInput!) {
  approveScreen(idempotencyKey: $idempotencyKey, input: $input) { id }
}`;
const revokeMutation = `mutation RevokeScreen($id: ID!) { revokeScreen(id: $id) { id } }`;

const namings = ['SHORT', 'FULL', 'HIDDEN'] as const;

interface Screen {
  readonly id: string;
  readonly name: string;
  readonly names: (typeof namings)[number];
  readonly city: string | null;
  readonly text: string | null;
  readonly client: { readonly name: string } | null;
  readonly position: { readonly title: string } | null;
  readonly claimedAt: string | null;
  readonly lastSeenAt: string | null;
}

type Positions = readonly { readonly id: string; readonly title: string }[];

/** What the board shows, by the title of the position. */
interface Shown extends Pick<Values, 'client' | 'city' | 'text'> {
  readonly position: string | null;
}

/** Browsers on walls and at doors that show the board without a log-in. `shown` is what a new one shows at first. */
export const ScreensSection = () => <Screens shown={null} />;

export function Screens({ shown }: { shown: Shown | null }) {
  const { settings } = useMessages();
  const { screens: texts } = settings;
  const formatTime = useDateTime();
  const read = useRead<{ screens: readonly Screen[]; positions: Positions }>(document);
  const [isAdding, setIsAdding] = useState(false);
  const [revoked, setRevoked] = useState<Screen | null>(null);
  const columns: Column<Screen>[] = [
    {
      key: 'name',
      title: texts.name,
      renderCell: ({ name, names }) => (
        <>
          <bdi>{name}</bdi>
          <span className="cs-hint">
            {texts.names}: {texts.namings[names]}
          </span>
        </>
      ),
    },
    {
      key: 'filter',
      title: texts.shows,
      isMinor: true,
      renderCell: ({ client, position, city, text }) =>
        [client?.name, position?.title, city, text].filter(Boolean).join(' · ') || texts.everything,
    },
    {
      key: 'seen',
      title: texts.lastSeen,
      renderCell: ({ claimedAt, lastSeenAt }) =>
        claimedAt === null ? texts.waiting : lastSeenAt === null ? texts.notSeen : formatTime(lastSeenAt),
    },
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (screen) => (
        <div className="cs-row-actions">
          <Button look="quiet" aria-label={settings.revokeOf(screen.name)} onClick={() => setRevoked(screen)}>
            {settings.revoke}
          </Button>
        </div>
      ),
    },
  ];
  const add = (
    <Button look="primary" onClick={() => setIsAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Loaded read={read}>
      {({ screens, positions }) => (
        <>
          {screens.length > 0 && <div className="cb-buttons">{add}</div>}
          <Table
            caption={settings.sections.screens.title}
            columns={columns}
            rows={screens}
            rowKey={({ id }) => id}
            empty={
              <Empty title={texts.none} action={add}>
                {texts.noneLead}
              </Empty>
            }
          />
          {isAdding && <ApproveDialog positions={positions} shown={shown} onClose={() => setIsAdding(false)} />}
          {revoked && (
            <RemoveDialog
              name={revoked.name}
              mutation={revokeMutation}
              variables={{ id: revoked.id }}
              lead={texts.revokeLead}
              isRevoked
              onClose={() => setRevoked(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

interface Values {
  readonly code: string;
  readonly name: string;
  readonly names: Screen['names'];
  readonly client: Option | null;
  readonly positionId: string;
  readonly city: string;
  readonly text: string;
}

const empty: Values = { code: '', name: '', names: 'SHORT', client: null, positionId: '', city: '', text: '' };

interface UserNodes {
  readonly users: { readonly nodes: readonly { readonly id: string; readonly name: string; readonly email: string }[] };
}

async function searchClients(search: string): Promise<readonly Option[]> {
  const { users } = await readData<UserNodes>(clientsDocument, { search: search.trim() || null });
  return users.nodes.map(({ id, name, email }) => ({ value: id, label: name, detail: email }));
}

interface ApproveProps {
  readonly positions: Positions;
  readonly shown: Shown | null;
  readonly onClose: () => void;
}

function ApproveDialog({ positions, shown, onClose }: ApproveProps) {
  const { screens: texts } = useMessages().settings;
  const { position, ...filter } = shown ?? { position: null };
  const positionId = positions.find(({ title }) => title === position)?.id ?? '';
  const draft = useDraft<Values>('screen', { ...empty, ...filter, positionId });
  const { write, isPending, fault } = useWrite(approveMutation);
  const { values, change, discard } = draft;
  const save = async () => {
    const { code, name, names, client, city, text } = values;
    const wanted = { clientId: client?.value, positionId: values.positionId, city: city.trim(), text: text.trim() };
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
    if ((await write({ input: { code, name, names, ...given } })).fault) return;
    discard();
    onClose();
    showToast({ text: texts.approved(name) });
  };
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <p>{texts.how(`${location.host}/board`)}</p>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()} action={texts.approve}>
        <TextField
          label={texts.code}
          value={values.code}
          maxLength={20}
          placeholder="KDWM-7RXQ"
          onChange={(code) => change({ code })}
          error={fault?.fields.code}
        />
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          value={values.name}
          maxLength={100}
          onChange={(name) => change({ name })}
          error={fault?.fields.name}
        />
        <SelectField
          label={texts.names}
          value={values.names}
          onChange={(names) => change({ names })}
          options={namings.map((value) => ({ value, label: texts.namings[value] }))}
        />
        <Combobox
          label={texts.client}
          isOptional
          value={values.client}
          search={searchClients}
          onChange={(client) => change({ client })}
          error={fault?.fields.clientId}
        />
        <SelectField
          label={texts.position}
          value={values.positionId}
          onChange={(positionId) => change({ positionId })}
          options={[
            { value: '', label: texts.all },
            ...positions.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
        <TextField
          label={texts.city}
          isOptional
          value={values.city}
          maxLength={200}
          onChange={(city) => change({ city })}
          error={fault?.fields.city}
        />
        <TextField
          label={texts.text}
          isOptional
          value={values.text}
          maxLength={200}
          onChange={(text) => change({ text })}
          error={fault?.fields.text}
        />
      </Form>
    </Dialog>
  );
}

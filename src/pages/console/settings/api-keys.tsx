import { useState } from 'react';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, DateField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { RemoveDialog } from './remove.tsx';
import { SecretDialog } from './secret.tsx';
import { useDateTime } from './texts.ts';

const document = `query ApiKeys { apiKeys { id name lastFour createdAt lastUsedAt scopes expiresAt } }`;
const createMutation = `mutation CreateApiKey($idempotencyKey: String, $input: CreateApiKeyInput!) {
  createApiKey(idempotencyKey: $idempotencyKey, input: $input) { key apiKey { name } }
}`;
const revokeMutation = `mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { revoked } }`;

const scopes = ['FULL', 'READ', 'EVENTS_WRITE', 'STAFFING_WRITE', 'USERS_WRITE', 'WEBHOOKS'] as const;
type Scope = (typeof scopes)[number];

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

interface NewKey {
  readonly key: string;
  readonly apiKey: { readonly name: string };
}

/** The keys with which programs call the service. */
export function ApiKeysSection() {
  const { settings } = useMessages();
  const { apiKeys: texts } = settings;
  const formatTime = useDateTime();
  const read = useRead<{ apiKeys: readonly ApiKey[] }>(document);
  const [isAdding, setIsAdding] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      title: texts.name,
      renderCell: ({ name, lastFour }) => (
        <>
          <bdi>{name}</bdi>
          <span className="cs-hint">…{lastFour}</span>
        </>
      ),
    },
    {
      key: 'scopes',
      title: texts.scopes,
      renderCell: (key) => key.scopes.map((scope) => texts.scopeNames[scope]).join(', '),
    },
    {
      key: 'used',
      title: texts.lastUsed,
      isMinor: true,
      renderCell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : formatTime(lastUsedAt)),
    },
    {
      key: 'expires',
      title: texts.expires,
      isMinor: true,
      renderCell: ({ expiresAt }) => (expiresAt === null ? texts.doesNot : formatTime(expiresAt)),
    },
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (key) => (
        <div className="cs-row-actions">
          <Button look="quiet" aria-label={settings.revokeOf(key.name)} onClick={() => setRevoked(key)}>
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
      {({ apiKeys }) => (
        <>
          {apiKeys.length > 0 && <div className="cb-buttons">{add}</div>}
          <Table
            caption={settings.sections['api-keys'].title}
            columns={columns}
            rows={apiKeys}
            rowKey={({ id }) => id}
            empty={
              <Empty title={texts.none} action={add}>
                {texts.noneLead}
              </Empty>
            }
          />
          {isAdding && (
            <KeyDialog
              onMade={(key) => {
                setIsAdding(false);
                setMade(key);
              }}
              onClose={() => setIsAdding(false)}
            />
          )}
          {made && (
            <SecretDialog
              title={made.apiKey.name}
              lead={texts.shownOnce}
              secret={made.key}
              onClose={() => setMade(null)}
            />
          )}
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
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Last day on which it holds; empty for none. */
  readonly until: string;
}

function KeyDialog({ onMade, onClose }: { onMade: (key: NewKey) => void; onClose: () => void }) {
  const { apiKeys: texts } = useMessages().settings;
  const draft = useDraft<Values>('API key', { name: '', scopes: ['READ'], until: '' });
  const { write, isPending, fault } = useWrite<{ createApiKey: NewKey }>(createMutation);
  const { values, change, discard } = draft;
  const save = async () => {
    const { until, ...input } = values;
    const expiresAt = until === '' ? null : new Date(`${until}T23:59:59`).toISOString();
    const { data } = await write({ input: { ...input, ...(expiresAt && { expiresAt }) } });
    if (!data) return;
    discard();
    onMade(data.createApiKey);
  };
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()} action={texts.make}>
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          value={values.name}
          maxLength={100}
          onChange={(name) => change({ name })}
          error={fault?.fields.name}
        />
        <fieldset className="cs-set">
          <legend>{texts.scopes}</legend>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              label={texts.scopeNames[scope]}
              hint={texts.scopeHints[scope]}
              value={values.scopes.includes(scope)}
              onChange={(isChosen) =>
                change({ scopes: scopes.filter((each) => (each === scope ? isChosen : values.scopes.includes(each))) })
              }
            />
          ))}
          {fault?.fields.scopes && <span className="cs-error">{fault.fields.scopes}</span>}
        </fieldset>
        <DateField
          label={texts.until}
          hint={texts.untilHint}
          isOptional
          value={values.until}
          onChange={(until) => change({ until })}
          error={fault?.fields.expiresAt}
        />
      </Form>
    </Dialog>
  );
}

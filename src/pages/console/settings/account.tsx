import {
  ChangePasswordDocument,
  MailSettingsDocument,
  MySessionsDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  UpdateMailSettingsDocument,
  type MySessionsQuery,
} from '../../../generated/pages/console/settings.ts';
import { useState } from 'react';
import { logIn, readSession } from '../../application/session.ts';
import { useRead, useViewer, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { useFields, Form } from '../parts/form.tsx';
import { Hinted } from '../parts/hinted.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { useDateTime } from '../parts/date-time.ts';

/** One's own password, and where one is logged in. */
export function AccountSection() {
  const { account } = useMessages().settings;
  if (!useViewer().user) return <Notice>{account.isKey}</Notice>;
  return (
    <>
      <h2>{account.password}</h2>
      <PasswordForm />
      <MailForm />
      <h2>{account.sessions}</h2>
      <Sessions />
    </>
  );
}

const mailKinds = ['OFFER', 'CHANGE', 'SWAP', 'REMINDER'] as const;

/** The kinds of mail that one wants, where the service sends any. */
function MailForm() {
  const { account } = useMessages().settings;
  const { data } = useRead(MailSettingsDocument);
  const { write } = useWrite(UpdateMailSettingsDocument);
  if (!data?.mailSettings.isSending) return null;
  const { off } = data.mailSettings;
  return (
    <>
      <h2>{account.mails}</h2>
      {mailKinds.map((kind) => (
        <CheckField
          key={kind}
          label={account.mailKinds[kind]}
          value={!off.includes(kind)}
          onChange={(isOn) =>
            void write({ input: { off: isOn ? off.filter((each) => each !== kind) : [...off, kind] } })
          }
        />
      ))}
    </>
  );
}

const empty = { current: '', next: '', again: '' };

function PasswordForm() {
  const { account } = useMessages().settings;
  const { email } = useViewer();
  const [isDifferent, setIsDifferent] = useState(false);
  const { write, isPending, fault } = useWrite(ChangePasswordDocument);
  const { values, change, field } = useFields(empty, fault);
  const save = async () => {
    const { current, next, again } = values;
    setIsDifferent(next !== again);
    if (next !== again) return;
    const isKept = readSession().login?.isKept === true;
    if ((await write({ input: { current, next } })).fault) return;
    change(empty);
    // The change ends the log-in that the browser keeps, so that it gets a new one.
    const refusal =
      isKept && email !== null ? await logIn(email, next, true).catch((error: Error) => error.message) : null;
    showToast({ text: refusal === null ? account.changed : account.notKept(refusal) });
  };
  return (
    <Form fault={fault} isPending={isPending} onSubmit={() => void save()} action={account.change}>
      {/* Password managers look for the name that a password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      <TextField label={account.current} type="password" autoComplete="current-password" {...field('current')} />
      <TextField
        label={account.next}
        hint={account.nextHint}
        type="password"
        autoComplete="new-password"
        {...field('next')}
      />
      <TextField
        label={account.again}
        type="password"
        autoComplete="new-password"
        {...field('again')}
        error={isDifferent && values.next !== values.again ? account.different : null}
      />
    </Form>
  );
}

type Session = MySessionsQuery['mySessions'][number];

function Sessions() {
  const { settings } = useMessages();
  const { account } = settings;
  const formatTime = useDateTime();
  const read = useRead(MySessionsDocument);
  const one = useWrite(RevokeSessionDocument);
  const others = useWrite(RevokeOtherSessionsDocument);
  const end = async ({ uuid, userAgent }: Session) => {
    if (!(await one.write({ uuid })).fault) showToast({ text: account.ended(account.device(userAgent)) });
  };
  const endOthers = async () => {
    const { data } = await others.write({});
    if (data) showToast({ text: account.othersEnded(data.revokeOtherSessions.revoked) });
  };
  const fault = one.fault ?? others.fault;
  const columns: Column<Session>[] = [
    {
      key: 'device',
      title: account.where,
      renderCell: ({ userAgent, current, lasting }) => (
        <Hinted hints={[current ? account.isCurrent : lasting ? account.isLasting : account.isShort]}>
          {account.device(userAgent)}
        </Hinted>
      ),
    },
    {
      key: 'since',
      title: account.since,
      isMinor: true,
      renderCell: ({ createdAt }) => formatTime(createdAt),
    },
    { key: 'until', title: account.until, isMinor: true, renderCell: ({ expiresAt }) => formatTime(expiresAt) },
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (session) =>
        !session.current && (
          <Button
            look="quiet"
            aria-label={account.endOf(account.device(session.userAgent), formatTime(session.createdAt))}
            onClick={() => void end(session)}
          >
            {account.end}
          </Button>
        ),
    },
  ];
  return (
    <Loaded read={read}>
      {({ mySessions }) => (
        <>
          {fault && <Notice look="bad">{fault.message}</Notice>}
          <Table
            caption={account.sessions}
            columns={columns}
            rows={mySessions}
            rowKey={({ uuid }) => uuid}
            empty={<p>{account.noSessions}</p>}
          />
          {mySessions.some(({ current }) => !current) && (
            <div className="cb-buttons">
              <Button isBusy={others.isPending} onClick={() => void endOthers()}>
                {account.endOthers}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

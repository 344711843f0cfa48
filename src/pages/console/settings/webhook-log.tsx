import {
  ResendFailedDocument,
  ResendMessageDocument,
  WebhookLogDocument,
  WebhookMessageDocument,
  type WebhookLogQuery,
  type WebhookMessageQuery,
} from '../../../generated/pages/console/settings.ts';
import { useState } from 'react';
import { useRead, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Hinted } from '../parts/hinted.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { useDateTime } from '../parts/date-time.ts';

type Message = WebhookLogQuery['webhookEndpoint']['messages']['nodes'][number];

/** Messages that a webhook has got or is to get, newest first, 50 at a time. */
export function WebhookLog({ webhookId, name }: { webhookId: string; name: string }) {
  const { settings } = useMessages();
  const { webhooks: texts } = settings;
  const formatTime = useDateTime();
  const [status, setStatus] = useState<Message['status'] | ''>('');
  const [cursor, setCursor] = useState<string | null>(null);
  const [opened, setOpened] = useState<Message | null>(null);
  const read = useRead(WebhookLogDocument, { id: webhookId, status: status || null, before: cursor });
  const one = useWrite(ResendMessageDocument);
  const failed = useWrite(ResendFailedDocument);
  const fault = one.fault ?? failed.fault;
  const resend = async ({ id }: Message) => {
    if (!(await one.write({ id })).fault) showToast({ text: texts.resent(1) });
  };
  const resendFailed = async () => {
    let sent = 0;
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const { data } = await failed.write({ id: webhookId, since: new Date(0).toISOString(), after });
      if (!data) return;
      sent += data.resendWebhookMessages.resent;
      after = data.resendWebhookMessages.nextCursor;
    }
    showToast({ text: texts.resent(sent) });
  };
  const columns: Column<Message>[] = [
    {
      key: 'type',
      title: texts.message,
      renderCell: (message) => <Hinted hints={[formatTime(message.createdAt)]}>{texts.nameType(message.type)}</Hinted>,
    },
    {
      key: 'status',
      title: texts.status,
      renderCell: ({ status: each, attemptCount }) => (
        <Hinted hints={[texts.attempts(attemptCount)]}>{texts.statuses[each]}</Hinted>
      ),
    },
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (message) => (
        <div className="cs-row-actions">
          <Button look="quiet" onClick={() => setOpened(message)}>
            {texts.details}
          </Button>
          {message.status !== 'PENDING' && (
            <Button look="quiet" isBusy={one.isPending} onClick={() => void resend(message)}>
              {texts.resend}
            </Button>
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <div className="cs-field-row">
        <SelectField
          label={texts.status}
          value={status}
          onChange={(next) => {
            setStatus(next);
            setCursor(null);
          }}
          none={texts.anyStatus}
          options={texts.statuses}
        />
        <Button isBusy={failed.isPending} onClick={() => void resendFailed()}>
          {texts.resendFailed}
        </Button>
        <Button onClick={read.retry}>{texts.refresh}</Button>
      </div>
      {fault && <Notice look="bad">{fault.message}</Notice>}
      <Loaded read={read}>
        {({ webhookEndpoint: { messages } }) => (
          <>
            <Table
              caption={texts.logOf(name)}
              columns={columns}
              rows={messages.nodes}
              rowKey={({ id }) => id}
              empty={<p>{texts.noMessages}</p>}
            />
            <div className="cb-buttons">
              {cursor !== null && <Button onClick={() => setCursor(null)}>{texts.newest}</Button>}
              {messages.pageInfo.hasNextPage && (
                <Button onClick={() => setCursor(messages.pageInfo.endCursor)}>{texts.older}</Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {opened && <MessageDialog message={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

type Sent = Extract<WebhookMessageQuery['node'], { payload: object }>;

function MessageDialog({ message: { id, type }, onClose }: { message: Message; onClose: () => void }) {
  const { webhooks: texts } = useMessages().settings;
  const formatTime = useDateTime();
  const read = useRead(WebhookMessageDocument, { id });
  return (
    <Dialog title={texts.nameType(type)} isWide onClose={onClose}>
      <Loaded read={read}>
        {({ node }) => {
          const { payload, attempts } = node as Sent;
          return (
            <>
              {attempts.length === 0 && <p>{texts.attempts(0)}</p>}
              <ul>
                {attempts.map(({ at, statusCode, durationMs, error, response }) => (
                  <li key={at}>
                    {formatTime(at)}: {error ?? statusCode} · {durationMs} ms
                    {response && <span className="cs-hint"> {response}</span>}
                  </li>
                ))}
              </ul>
              {/* A region that scrolls has to be reached by keyboard. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <pre className="cs-payload" tabIndex={0} aria-label={texts.payload}>
                {JSON.stringify(payload, null, 2)}
              </pre>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

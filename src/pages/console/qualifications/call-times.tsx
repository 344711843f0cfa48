import { Suspense, useState } from 'react';
import type { CallTime, Event } from '../model/events.ts';
import { formatWhen } from '../../time/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { lazily } from '../../application/lazily.tsx';
import { Table } from '../parts/table.tsx';
import { nameRequirements } from './data.ts';

const RequirementsDialog = lazily(async () => (await import('./call-time-dialog.tsx')).RequirementsDialog, 'over');

/** What each call time of an event requires, and a dialog to change it. */
export function CallTimeRequirements({ event }: { event: Event }) {
  const messages = useMessages();
  const { requirements: texts } = messages.qualifications;
  const [edited, setEdited] = useState<string | null>(null);
  const nameOf = (call: CallTime) => `${call.position.title}, ${formatWhen(call, messages)}`;
  const call = event.callTimes.find(({ uuid }) => uuid === edited);
  if (event.callTimes.length === 0) return null;
  return (
    <section aria-labelledby="required">
      <h2 id="required">{texts.title}</h2>
      <p className="ev-hint">{texts.lead}</p>
      <Table
        caption={texts.title}
        columns={[
          { key: 'call', title: texts.callTime, renderCell: nameOf },
          {
            key: 'requires',
            title: texts.title,
            renderCell: ({ requirements }) => nameRequirements(requirements, messages) || texts.none,
          },
          {
            key: 'actions',
            title: messages.settings.actions,
            isNumber: true,
            renderCell: (each) => (
              <Button look="quiet" aria-label={texts.changeOf(nameOf(each))} onClick={() => setEdited(each.uuid)}>
                {texts.change}
              </Button>
            ),
          },
        ]}
        rows={event.callTimes}
        rowKey={({ uuid }) => uuid}
        empty={null}
      />
      {call && (
        <Suspense>
          <RequirementsDialog call={call} title={texts.of(nameOf(call))} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </section>
  );
}

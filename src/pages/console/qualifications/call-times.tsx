import { useState } from 'react';
import { useWrite } from '../data.ts';
import type { CallTime, Event } from '../event/documents.ts';
import { formatWhen } from '../event/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useDraft } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { nameRequirements, readRequirements, RequirementsField } from './requirements.tsx';

const mutation = `mutation RequireOnCallTime($id: ID!, $version: Int, $input: UpdateCallTimeInput!) {
  updateCallTime(id: $id, version: $version, input: $input) { callTime { uuid version } }
}`;

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
      {call && <RequirementsDialog call={call} title={texts.of(nameOf(call))} onClose={() => setEdited(null)} />}
    </section>
  );
}

interface DialogProps {
  readonly call: CallTime;
  readonly title: string;
  readonly onClose: () => void;
}

function RequirementsDialog({ call: { uuid, version, requirements }, title, onClose }: DialogProps) {
  const draft = useDraft(`requirements ${uuid}`, { requirements: readRequirements(requirements) });
  const { write, fault, isPending } = useWrite<unknown>(mutation);
  const save = async () => {
    if ((await write({ id: uuid, version, input: draft.values })).fault) return;
    draft.discard();
    onClose();
  };
  return (
    <FormDialog {...{ title, draft, fault, isPending, onClose }} onSubmit={() => void save()}>
      <RequirementsField
        value={draft.values.requirements}
        onChange={(next) => draft.change({ requirements: [...next] })}
      />
    </FormDialog>
  );
}

import { useState } from 'react';
import { useWrite } from '../data.ts';
import type { CallTime, Event } from '../event/documents.ts';
import { formatWhen } from '../event/when.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { nameRequirements, readRequirements, RequirementsField, type Requirement } from './requirements.tsx';

const mutation = `mutation RequireOnCallTime($id: ID!, $version: Int, $input: UpdateCallTimeInput!) {
  updateCallTime(id: $id, version: $version, input: $input) { callTime { uuid version } }
}`;

/** What each call time of an event requires, and a dialog to change it. */
export function CallTimeRequirements({ event }: { event: Event }) {
  const messages = useMessages();
  const { requirements: texts } = messages.qualifications;
  const [edited, setEdited] = useState<CallTime | null>(null);
  if (event.callTimes.length === 0) return null;
  const nameOf = (call: CallTime) => `${call.position.title}, ${formatWhen(call, messages)}`;
  return (
    <section aria-labelledby="required" className="ev-required">
      <h2 id="required">{texts.title}</h2>
      <p className="ev-hint">{texts.lead}</p>
      <ul>
        {event.callTimes.map((call) => (
          <li key={call.uuid}>
            <span>
              {nameOf(call)}
              <span className="cs-hint">{nameRequirements(call.requirements, messages) || texts.none}</span>
            </span>
            <Button look="quiet" aria-label={texts.changeOf(nameOf(call))} onClick={() => setEdited(call)}>
              {texts.change}
            </Button>
          </li>
        ))}
      </ul>
      {edited && <RequirementsDialog call={edited} title={texts.of(nameOf(edited))} onClose={() => setEdited(null)} />}
    </section>
  );
}

interface DialogProps {
  readonly call: CallTime;
  readonly title: string;
  readonly onClose: () => void;
}

function RequirementsDialog({ call: { uuid, version, requirements }, title, onClose }: DialogProps) {
  const { requirements: texts } = useMessages().qualifications;
  const stored: { readonly requirements: readonly Requirement[] } = { requirements: readRequirements(requirements) };
  const draft = useDraft(`requirements ${uuid}`, stored);
  const { write, fault, isPending } = useWrite<unknown>(mutation);
  const save = async () => {
    const { data } = await write({ id: uuid, version, input: draft.values });
    if (!data) return;
    draft.discard();
    onClose();
    showToast({ text: texts.saved });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
        <RequirementsField
          value={draft.values.requirements}
          onChange={(next) => draft.change({ requirements: next })}
        />
      </Form>
    </Dialog>
  );
}

import { RemovePersonDocument } from '../../../generated/pages/console/person.ts';
import { useLocation } from 'wouter';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { CheckField } from '../parts/fields.tsx';
import { ConfirmDanger } from '../parts/form-dialog.tsx';
import { useFields } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import type { Person } from './data.ts';

interface InUse {
  readonly workShifts?: number;
  readonly events?: number;
}

/** Asks what becomes of shifts and events, and removes the person. */
export function LeaveDialog({ user, onClose }: { user: Person; onClose: () => void }) {
  const { leaving: texts } = useMessages().person;
  const [, navigate] = useLocation();
  const { id, name, version, role, coming } = user;
  const active = coming.nodes.filter(({ status }) => status === 'ACTIVE').length;
  const { write, fault, isPending } = useWrite(RemovePersonDocument);
  const { values, field } = useFields({ shifts: false, events: false }, null);
  const { workShifts = 0, events = 0 } = (fault?.details['inUse'] as InUse | undefined) ?? {};
  const shifts = Math.max(active, workShifts);

  async function remove() {
    const { data } = await write({
      id,
      version,
      shifts: values.shifts ? 'CANCEL' : null,
      events: values.events ? 'KEEP' : null,
    });
    if (!data) return;
    showToast({ text: texts.done(name) });
    onClose();
    navigate('/people');
  }

  return (
    <ConfirmDanger
      title={texts.title(name)}
      name={name}
      action={texts.action}
      isBusy={isPending}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{texts.lead}</p>
      {shifts > 0 && <CheckField label={texts.shifts(shifts)} {...field('shifts')} />}
      {(role === 'CLIENT' || events > 0) && <CheckField label={texts.events} {...field('events')} />}
      {fault && (
        <Notice look="bad">
          {workShifts > 0 && <p>{texts.inUseShifts(workShifts)}</p>}
          {events > 0 && <p>{texts.inUseEvents(events)}</p>}
          {workShifts + events === 0 && fault.message}
        </Notice>
      )}
    </ConfirmDanger>
  );
}

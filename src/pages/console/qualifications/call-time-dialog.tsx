import { RequireOnCallTimeDocument } from '../../../generated/pages/console/qualifications.ts';
import { useWrite } from '../../application/data.ts';
import type { CallTime } from '../model/events.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useDraft } from '../parts/form.tsx';
import { readRequirements, RequirementsField } from './requirements.tsx';

interface DialogProps {
  readonly call: CallTime;
  readonly title: string;
  readonly onClose: () => void;
}

/** Changes what a call time requires. */
export function RequirementsDialog({ call: { uuid, version, requirements }, title, onClose }: DialogProps) {
  const draft = useDraft(`requirements ${uuid}`, { requirements: readRequirements(requirements) });
  const { write, fault, isPending } = useWrite(RequireOnCallTimeDocument);
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

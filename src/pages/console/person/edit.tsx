import { EditPersonDocument } from '../../../generated/pages/console/person.ts';
import { useWrite, type Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { offerUndo } from '../parts/offer-undo.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useDraft } from '../parts/form.tsx';
import { inputOf, PersonFields, type PersonValues } from '../people/add.tsx';
import type { Person } from './data.ts';

type Input = ReturnType<typeof inputOf>;

const keys = ['name', 'email', 'phone', 'role'] as const;

/** The fields of an input that differ from another. */
const differences = (input: Input, other: Input): Partial<Input> =>
  Object.fromEntries(keys.filter((key) => input[key] !== other[key]).map((key) => [key, input[key]]));

export function EditDialog({ user, onClose }: { user: Person; onClose: () => void }) {
  const { person: texts, parts } = useMessages();
  const { id, name, email, phone, role, version } = user;
  const stored = { name, email: email ?? '', phone: phone ?? '', role };
  const draft = useDraft<PersonValues>(`person ${id}`, stored);
  const { write, fault, isPending } = useWrite(EditPersonDocument);

  async function save() {
    const input = differences(inputOf(draft.values), inputOf(stored));
    const before = differences(inputOf(stored), inputOf(draft.values));
    const { data } = await write({ id, version, input });
    if (!data) return;
    draft.discard();
    onClose();
    offerUndo(texts.editing.saved, () => write({ id, version: data.updateUser.version, input: before }), parts);
  }

  return (
    <FormDialog
      title={texts.editing.title(name)}
      {...{ draft, isPending, onClose }}
      fault={describe(fault, texts.editing.changed)}
      onSubmit={() => void save()}
    >
      <PersonFields draft={draft} fault={fault} />
    </FormDialog>
  );
}

/** The next save goes by the version that is read meanwhile, and changes only what was typed. */
const describe = (fault: Fault | null, message: string): Fault | null =>
  fault?.code === 'PRECONDITION_FAILED' ? { ...fault, message } : fault;

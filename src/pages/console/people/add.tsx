import { useState } from 'react';
import type { Role } from '../../application/session.ts';
import { useWrite, type Fault } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { InvitationDialog } from './invitation.tsx';

/** A user without a password is created by a batch, here one of one. */
const mutation = `mutation AddPerson($idempotencyKey: String, $input: CreateUserInput!) {
  results: createUsers(idempotencyKey: $idempotencyKey, inputs: [$input]) {
    user { id name } error { code message errors { field messages } }
  }
}`;

export interface PersonValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly role: Role;
}

interface PersonFieldsProps {
  readonly values: PersonValues;
  readonly change: (change: Partial<PersonValues>) => void;
  /** What is wrong, by field. */
  readonly faults: Readonly<Record<string, string>>;
}

/** The fields of a person, for a new one and for a change. */
export function PersonFields({ values, change, faults }: PersonFieldsProps) {
  const { people: texts } = useMessages();
  return (
    <>
      <TextField
        label={texts.fields.name}
        value={values.name}
        onChange={(name) => change({ name })}
        error={faults['name']}
        maxLength={200}
      />
      <TextField
        label={texts.fields.email}
        hint={texts.fields.emailHint}
        type="email"
        value={values.email}
        onChange={(email) => change({ email })}
        error={faults['email']}
        maxLength={254}
      />
      <TextField
        label={texts.fields.phone}
        type="tel"
        isOptional
        value={values.phone}
        onChange={(phone) => change({ phone })}
        error={faults['phone']}
        maxLength={40}
      />
      <SelectField
        label={texts.fields.role}
        hint={texts.fields.roleHint[values.role]}
        value={values.role}
        options={(['STAFF', 'CLIENT', 'ADMIN'] as const).map((value) => ({ value, label: texts.roles[value] }))}
        onChange={(role) => change({ role })}
        error={faults['role']}
      />
    </>
  );
}

export const inputOf = ({ name, email, phone, role }: PersonValues) => ({
  name: name.trim(),
  email: email.trim(),
  phone: phone.trim() || null,
  role,
});

interface RowError {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly messages: readonly string[] }[];
}

interface Added {
  readonly results: readonly {
    readonly user: { readonly id: string; readonly name: string } | null;
    readonly error: RowError | null;
  }[];
}

const faultOf = ({ code, message, errors }: RowError): Fault => ({
  code,
  message,
  fields: Object.fromEntries(errors.map(({ field, messages }) => [field, messages.join(' ')])),
  details: {},
});

/** Adds a person, who then gets the link that sets the first password. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { people: texts } = useMessages();
  const draft = useDraft<PersonValues>('new person', { name: '', email: '', phone: '', role: 'STAFF' });
  const { write, fault: failure, isPending } = useWrite<Added>(mutation);
  const [refusal, setRefusal] = useState<Fault | null>(null);
  const fault = failure ?? refusal;
  const [added, setAdded] = useState<{ id: string; name: string } | null>(null);

  async function save(isInvited: boolean) {
    const { data } = await write({ input: { ...inputOf(draft.values), password: null } });
    const [result] = data?.results ?? [];
    setRefusal(result?.error ? faultOf(result.error) : null);
    if (!result?.user) return;
    draft.discard();
    if (isInvited) return setAdded(result.user);
    showToast({ text: texts.adding.added(result.user.name) });
    onClose();
  }

  if (added) return <InvitationDialog person={added} onClose={onClose} />;
  return (
    <Dialog title={texts.adding.title} onClose={onClose}>
      <Form
        draft={draft}
        fault={fault}
        isPending={isPending}
        onSubmit={() => void save(true)}
        action={texts.adding.save}
        more={
          <Button look="quiet" isBusy={isPending} onClick={() => void save(false)}>
            {texts.adding.without}
          </Button>
        }
      >
        <PersonFields values={draft.values} change={draft.change} faults={fault?.fields ?? {}} />
      </Form>
    </Dialog>
  );
}

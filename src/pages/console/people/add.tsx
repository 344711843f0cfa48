import { AddPersonDocument, type AddPersonMutation } from '../../../generated/pages/console/people.ts';
import { useState } from 'react';
import type { Role } from '../../application/session.ts';
import { useWrite, type Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { bindFields, useDraft, type Draft } from '../parts/form.tsx';
import { showToast } from '../parts/toast.tsx';
import { InvitationDialog } from './invitation.tsx';

export interface PersonValues {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly role: Role;
}

/** The fields of a person, for a new one and for a change. */
export function PersonFields({ draft, fault }: { draft: Draft<PersonValues>; fault: Fault | null }) {
  const { people: texts } = useMessages();
  const field = bindFields(draft, fault);
  return (
    <>
      <TextField label={texts.fields.name} {...field('name')} />
      <TextField label={texts.fields.email} hint={texts.fields.emailHint} type="email" {...field('email')} />
      <TextField label={texts.fields.phone} type="tel" isOptional {...field('phone')} />
      <SelectField
        label={texts.fields.role}
        hint={texts.fields.roleHint[draft.values.role]}
        options={texts.roles}
        {...field('role')}
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

type RowError = NonNullable<AddPersonMutation['results'][number]['error']>;

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
  const { write, fault: failure, isPending } = useWrite(AddPersonDocument);
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
    <FormDialog
      title={texts.adding.title}
      {...{ draft, fault, isPending, onClose }}
      onSubmit={() => void save(true)}
      action={texts.adding.save}
      more={
        <Button look="quiet" isBusy={isPending} onClick={() => void save(false)}>
          {texts.adding.without}
        </Button>
      }
    >
      <PersonFields draft={draft} fault={fault} />
    </FormDialog>
  );
}

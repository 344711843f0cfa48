import { useState } from 'react';
import { Link } from 'wouter';
import { useMinute } from '../../board/clock.ts';
import { useRead, useViewer, useWrite } from '../data.ts';
import { addDays, formatDate } from '../events/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DateField, SelectField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { RemoveDialog } from '../settings/remove.tsx';
import type { Qualification, QualificationsData } from './requirements.tsx';

interface Held {
  readonly id: string;
  readonly version: number;
  readonly level: number | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly reference: string | null;
  readonly qualification: Qualification;
}

const query = `query Held($id: ID!) {
  user(id: $id) { qualifications { id version level validFrom validUntil reference qualification { id name } } }
  qualifications { id name }
}`;

interface Data extends QualificationsData {
  readonly user: { readonly qualifications: readonly Held[] } | null;
}

const create = `mutation Hold($idempotencyKey: String, $input: CreateUserQualificationInput!) {
  createUserQualification(idempotencyKey: $idempotencyKey, input: $input) { id }
}`;
const update = `mutation ChangeHeld($id: ID!, $version: Int, $input: UpdateUserQualificationInput!) {
  updateUserQualification(id: $id, version: $version, input: $input) { id }
}`;
const remove = `mutation DropHeld($id: ID!, $version: Int) { deleteUserQualification(id: $id, version: $version) { id } }`;

/** Days before its end from which on a certificate is marked. */
const soonDays = 30;

/** What a person holds. */
export function HeldQualifications({ userId }: { userId: string }) {
  const { qualifications: texts, settings, language } = useMessages();
  const { held: own } = texts;
  const { timezone } = useViewer().business;
  const today = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(useMinute());
  const read = useRead<Data>(query, { id: userId });
  const [edited, setEdited] = useState<Held | 'new' | null>(null);
  const [removed, setRemoved] = useState<Held | null>(null);
  const nameOf = ({ qualification: { name }, level }: Held) => (level === null ? name : texts.withLevel(name, level));
  const showDay = (day: string) => formatDate(day, 'long', language);
  const columns: Column<Held>[] = [
    { key: 'name', title: texts.qualification, renderCell: (held) => <bdi>{nameOf(held)}</bdi> },
    {
      key: 'validity',
      title: own.validity,
      renderCell: ({ validFrom, validUntil }) => (
        <>
          {[validFrom && own.since(showDay(validFrom)), validUntil && own.until(showDay(validUntil))]
            .filter(Boolean)
            .join(' ') || own.always}
          {validUntil !== null && validUntil < today && <strong className="cs-error"> {own.expired}</strong>}
          {validUntil !== null && validUntil >= today && validUntil <= addDays(today, soonDays) && (
            <strong> {own.soon}</strong>
          )}
        </>
      ),
    },
    { key: 'reference', title: own.reference, isMinor: true, renderCell: ({ reference }) => reference },
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (held) => (
        <div className="cs-row-actions">
          <Button look="quiet" aria-label={own.editOf(nameOf(held))} onClick={() => setEdited(held)}>
            {own.edit}
          </Button>
          <Button look="quiet" aria-label={own.removeOf(nameOf(held))} onClick={() => setRemoved(held)}>
            {own.remove}
          </Button>
        </div>
      ),
    },
  ];
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {own.add}
    </Button>
  );
  return (
    <Loaded read={read}>
      {({ user, qualifications }) =>
        qualifications.length === 0 ? (
          <Empty title={texts.noneYet} action={<Link href="/settings/qualifications">{texts.addThem}</Link>} />
        ) : (
          <>
            {user && user.qualifications.length > 0 && <div className="cb-buttons">{add}</div>}
            <Table
              caption={own.title}
              columns={columns}
              rows={user?.qualifications ?? []}
              rowKey={({ id }) => id}
              empty={
                <Empty title={own.none} action={add}>
                  {own.noneLead}
                </Empty>
              }
            />
            {edited && (
              <HeldDialog
                held={edited === 'new' ? null : edited}
                {...{ userId, qualifications }}
                onClose={() => setEdited(null)}
              />
            )}
            {removed && (
              <RemoveDialog
                name={removed.qualification.name}
                mutation={remove}
                variables={{ id: removed.id, version: removed.version }}
                lead={own.removeLead}
                onClose={() => setRemoved(null)}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface DialogProps extends QualificationsData {
  readonly held: Held | null;
  readonly userId: string;
  readonly onClose: () => void;
}

function HeldDialog({ held, userId, qualifications, onClose }: DialogProps) {
  const { qualifications: texts } = useMessages();
  const { held: own } = texts;
  const draft = useDraft(`held ${userId} ${held?.id ?? 'new'}`, {
    qualificationId: held?.qualification.id ?? qualifications[0]?.id ?? '',
    level: String(held?.level ?? 0),
    validFrom: held?.validFrom ?? '',
    validUntil: held?.validUntil ?? '',
    reference: held?.reference ?? '',
  });
  const { write, fault, isPending } = useWrite<unknown>(held ? update : create);
  const { qualificationId, level, ...days } = draft.values;
  const name = qualifications.find(({ id }) => id === qualificationId)?.name ?? '';
  const save = async () => {
    const input = {
      level: Number(level) || null,
      validFrom: days.validFrom || null,
      validUntil: days.validUntil || null,
      reference: days.reference.trim() || null,
    };
    const { id, version } = held ?? {};
    const { data } = await write(held ? { id, version, input } : { input: { ...input, userId, qualificationId } });
    if (!data) return;
    draft.discard();
    onClose();
    showToast({ text: own.saved(name) });
  };
  const field = <Key extends keyof typeof draft.values>(key: Key) => ({
    value: draft.values[key],
    onChange: (value: string) => draft.change({ [key]: value }),
    error: fault?.fields[key],
  });
  return (
    <Dialog title={held ? own.editOf(name) : own.add} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
        {!held && (
          <SelectField
            label={texts.qualification}
            options={qualifications.map(({ id, name: label }) => ({ value: id, label }))}
            {...field('qualificationId')}
          />
        )}
        <SelectField
          label={texts.level}
          options={texts.levels.map((label, at) => ({ value: String(at), label }))}
          {...field('level')}
        />
        <div className="cs-field-row">
          <DateField label={own.from} isOptional {...field('validFrom')} />
          <DateField label={own.to} isOptional {...field('validUntil')} />
        </div>
        <TextField label={own.reference} hint={own.referenceHint} isOptional maxLength={200} {...field('reference')} />
      </Form>
    </Dialog>
  );
}

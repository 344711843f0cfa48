import { useState, type FormEvent } from 'react';
import { readData } from '../application/session.ts';
import type { Address } from './address.ts';
import { useChoices, type Rows } from './choices.ts';
import type { BoardEvent } from './model.ts';

/* Approves the code of a screen. Its filter is at first what the admin's own board shows. */

interface ApproveProps {
  readonly events: readonly BoardEvent[];
  readonly address: Address;
  readonly onApproved: () => Promise<void>;
}

const approveDocument = `mutation Approve($input: ApproveScreenInput!) { approveScreen(input: $input) { uuid name } }`;

export function ApproveForm({ events, address, onApproved }: ApproveProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [approved, setApproved] = useState<string | null>(null);
  const choices = useChoices(events, true);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const read = (name: string) => ((given.get(name) ?? '') as string).trim() || null;
    setIsBusy(true);
    setRefusal(null);
    setApproved(null);
    try {
      const input = {
        code: read('code') ?? '',
        name: read('name') ?? '',
        names: read('names'),
        clientId: read('client'),
        positionId: read('position'),
        city: read('city'),
        text: read('text'),
      };
      const { approveScreen: made } = await readData<{ approveScreen: { name: string } }>(approveDocument, { input });
      setApproved(`${made.name} is approved. It is on in a few seconds; if not, compare its code.`);
      form.reset();
      await onApproved();
    } catch (error) {
      setRefusal((error as Error).message);
    }
    setIsBusy(false);
  };

  return (
    <form className="app-form bd-approve" onSubmit={(event) => void submit(event)}>
      <label className="app-field bd-approve-code">
        <span>Code</span>
        <input
          name="code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          placeholder="KDWM-7RXQ"
        />
      </label>
      <label className="app-field">
        <span>Name</span>
        <input name="name" required autoComplete="off" maxLength={100} placeholder="Stage door" />
      </label>
      <label className="app-field">
        <span>Names of people</span>
        <select name="names" defaultValue="SHORT">
          <option value="SHORT">Short: Anna B.</option>
          <option value="FULL">Full</option>
          <option value="HIDDEN">Hidden</option>
        </select>
      </label>
      <RowChoice name="client" title="Client" rows={choices.clients} chosen={address.client} />
      <RowChoice name="position" title="Position" rows={choices.positions} chosen={address.position} />
      <label className="app-field">
        <span>City</span>
        <input name="city" autoComplete="off" maxLength={200} defaultValue={address.city ?? ''} placeholder="All" />
      </label>
      <label className="app-field">
        <span>Title, venue or city has</span>
        <input name="text" autoComplete="off" maxLength={200} defaultValue={address.text} placeholder="Anything" />
      </label>
      <p className="app-refusal" role="alert">
        {refusal}
      </p>
      <p role="status">{approved}</p>
      <button className="cb-button cb-primary app-wide" type="submit" disabled={isBusy}>
        {isBusy ? 'Approving…' : 'Approve the screen'}
      </button>
    </form>
  );
}

interface RowChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly rows: Rows;
  readonly chosen: string | null;
}

const RowChoice = ({ name, title, rows, chosen }: RowChoiceProps) => (
  <label className="app-field">
    <span>{title}</span>
    <select name={name} defaultValue={(chosen !== null && rows.get(chosen)) || ''}>
      <option value="">All</option>
      {[...rows].map(([label, id]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

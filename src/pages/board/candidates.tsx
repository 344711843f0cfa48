import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { readData } from '../application/session.ts';
import { assign, describeClash, type Clash, type ActionOutcome } from './actions.ts';
import { staffFreeFor } from './documents.ts';
import type { Coverage } from './lanes.ts';
import { toPhoneAddress, type BoardCallTime } from './model.ts';

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
}

interface Found {
  readonly totalCount: number;
  readonly nodes: readonly Candidate[];
}

interface CandidatesProps {
  readonly call: BoardCallTime;
  readonly coverage: Coverage;
  readonly onOutcome: (outcome: ActionOutcome) => void;
}

export const PhoneLink = ({ phone }: { phone: string }) => (
  <small>
    <a href={toPhoneAddress(phone)}>{phone}</a>
  </small>
);

/** Assigns people to a call time: found by name, by position, and free at that time. */
export function Candidates({ call, coverage, onOutcome }: CandidatesProps) {
  const [isOpen, setIsOpen] = useState(coverage.open > 0);
  if (!isOpen)
    return (
      <button type="button" className="cb-button app-slim" onClick={() => setIsOpen(true)}>
        Assign somebody
      </button>
    );
  return <Search call={call} onOutcome={onOutcome} />;
}

interface Wanted {
  readonly search: string;
  readonly isFreeOnly: boolean;
  readonly isPositionOnly: boolean;
}

function Search({ call, onOutcome }: Omit<CandidatesProps, 'coverage'>) {
  const [wanted, setWanted] = useState<Wanted>({ search: '', isFreeOnly: true, isPositionOnly: true });
  const { found, problem } = useCandidates(call, wanted);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const take = async (person: Candidate, reason: string | null): Promise<void> => {
    setBusy(person.id);
    const outcome = await assign({ callUuid: call.uuid, userId: person.id, name: person.name, reason });
    setBusy(null);
    const clashes = 'clashes' in outcome ? outcome.clashes : [];
    setRefused(clashes.length > 0 ? { person, clashes } : null);
    if (clashes.length > 0) return;
    // The list is read again, since that person is no longer free.
    setWanted((same) => ({ ...same }));
    onOutcome(outcome);
  };

  return (
    <div className="bd-assign">
      <h4>Assign</h4>
      <Filters call={call} wanted={wanted} onChange={setWanted} />
      {problem !== null && <p className="app-refusal">{problem}</p>}
      {refused && (
        <Override
          {...refused}
          key={refused.person.id}
          onAssign={(reason) => void take(refused.person, reason)}
          onClose={() => setRefused(null)}
        />
      )}
      <ul className="bd-persons bd-candidates" aria-busy={found === null}>
        {found?.nodes.map((person) => (
          <li key={person.id}>
            <div>
              <strong>{person.name}</strong> {person.phone && <PhoneLink phone={person.phone} />}
            </div>
            <button
              type="button"
              className="cb-button app-slim"
              disabled={busy !== null}
              aria-label={`Assign ${person.name}`}
              onClick={() => void take(person, null)}
            >
              {busy === person.id ? '…' : 'Assign'}
            </button>
          </li>
        ))}
      </ul>
      {found && <Remaining found={found} />}
    </div>
  );
}

const Remaining = ({ found: { totalCount, nodes } }: { found: Found }) => (
  <p className="bd-soft" role="status">
    {totalCount === 0
      ? 'Nobody is like this. Take a box off, or search for somebody else.'
      : totalCount > nodes.length
        ? `The first ${nodes.length} of ${totalCount} people. Search to find others.`
        : `${totalCount} ${totalCount === 1 ? 'person' : 'people'}`}
  </p>
);

interface FiltersProps {
  readonly call: BoardCallTime;
  readonly wanted: Wanted;
  readonly onChange: (wanted: Wanted) => void;
}

const Filters = ({ call, wanted, onChange }: FiltersProps) => (
  <div className="bd-assign-filters">
    <input
      type="search"
      aria-label="Search people by name"
      placeholder="Name"
      maxLength={200}
      value={wanted.search}
      onChange={({ target }) => onChange({ ...wanted, search: target.value })}
    />
    <label className="bd-check">
      <input
        type="checkbox"
        checked={wanted.isFreeOnly}
        onChange={({ target }) => onChange({ ...wanted, isFreeOnly: target.checked })}
      />
      Free at that time
    </label>
    <label className="bd-check">
      <input
        type="checkbox"
        checked={wanted.isPositionOnly}
        onChange={({ target }) => onChange({ ...wanted, isPositionOnly: target.checked })}
      />
      Has worked as {call.position.title}
    </label>
  </div>
);

function useCandidates(call: BoardCallTime, wanted: Wanted) {
  const [answer, setAnswer] = useState<{ found: Found | null; problem: string | null }>({ found: null, problem: null });
  useEffect(() => {
    const { search, isFreeOnly, isPositionOnly } = wanted;
    let isLate = false;
    const read = async (): Promise<void> => {
      const position = isPositionOnly ? call.position.id : null;
      const text = search.trim();
      const variables = { call: call.uuid, position, search: text === '' ? null : text, isFreeOnly };
      try {
        const { free, all } = await readData<{ free?: Found; all?: Found }>(staffFreeFor, variables);
        if (!isLate) setAnswer({ found: free ?? all ?? null, problem: null });
      } catch (error) {
        if (!isLate) setAnswer({ found: null, problem: (error as Error).message });
      }
    };
    const timer = setTimeout(() => void read(), search === '' ? 0 : 250);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [call.uuid, call.position.id, wanted]);
  return answer;
}

interface Refused {
  readonly person: Candidate;
  readonly clashes: readonly Clash[];
}

interface OverrideProps extends Refused {
  readonly onAssign: (reason: string) => void;
  readonly onClose: () => void;
}

/** Shows what stands against an assignment, and takes the reason why it is right. Nothing has been stored yet. */
function Override({ person, clashes, onAssign, onClose }: OverrideProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = new FormData(event.currentTarget).get('reason');
    if (typeof reason === 'string' && reason.trim() !== '') onAssign(reason.trim());
  };
  return (
    <form className="bd-override" role="alert" onSubmit={submit}>
      <strong>{person.name} is not assigned yet</strong>
      <ul>
        {clashes.map((clash) => (
          <li key={JSON.stringify(clash)}>{describeClash(clash)}</li>
        ))}
      </ul>
      <label htmlFor={id}>Assign anyway, because</label>
      <input id={id} name="reason" ref={input} required maxLength={1000} />
      <div className="bd-acts">
        <button type="submit" className="cb-button app-slim cb-primary">
          Assign anyway
        </button>
        <button type="button" className="cb-button app-slim" onClick={onClose}>
          Leave it
        </button>
      </div>
    </form>
  );
}

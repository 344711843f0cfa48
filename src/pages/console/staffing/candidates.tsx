import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../data.ts';
import type { CallTime, Event } from '../event/documents.ts';
import { formatClocks } from '../event/when.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { TextField } from '../parts/fields.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { PhoneLink } from '../people/phone.tsx';

/* Who could work at a call time, and what speaks for and against each. */

interface NearShift {
  readonly uuid: string;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly event: { readonly uuid: string; readonly title: string } | null;
}

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
  readonly near: { readonly nodes: readonly NearShift[] };
}

interface Found {
  readonly nodes: readonly Candidate[];
}

interface CandidateData {
  readonly known: Found;
  readonly free: Found;
  readonly all: Found;
}

/** How many people are listed. */
const mostFound = 30;

const candidatesDocument = `query Candidates($call: ID!, $position: ID!, $search: String, $from: DateTimeISO!, $to: DateTimeISO!) {
  known: staff(freeFor: $call, positionId: $position, search: $search, first: 20) { nodes { ...Candidate } }
  free: staff(freeFor: $call, search: $search, first: ${mostFound}) { nodes { ...Candidate } }
  all: staff(search: $search, first: ${mostFound}) { nodes { ...Candidate } }
}
fragment Candidate on User {
  id name phone
  near: shiftsConnection(filter: { from: $from, to: $to }, first: 5) {
    nodes { uuid startTime endTime startsAt endsAt event { uuid title } }
  }
}`;

const hourMs = 3_600_000;
/** Hours between two shifts below which it is pointed out. */
const restHours = 10;
/** No shift that starts earlier can reach into the rest before a call time. */
const longestHours = 36;

/** A person with what speaks for and against the assignment. */
export interface Judged {
  readonly person: Candidate;
  /** What the service would refuse without a reason. */
  readonly clashes: readonly string[];
  /** What is only worth knowing. */
  readonly remarks: readonly string[];
}

interface CandidatesProps {
  readonly event: Event;
  readonly call: CallTime;
  readonly picked: readonly Judged[];
  readonly onToggle: (judged: Judged) => void;
  /** What is wrong with the choice. */
  readonly error: string | null;
}

/** The people of the staff to choose from, found by name. */
export function Candidates({ event, call, picked, onToggle, error }: CandidatesProps) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [typed, setTyped] = useState('');
  const search = useDelayed(typed.trim());
  const read = useRead<CandidateData>(candidatesDocument, {
    call: call.uuid,
    position: call.position.id,
    search: search === '' ? null : search,
    from: new Date(Date.parse(call.startsAt) - longestHours * hourMs).toISOString(),
    to: new Date(Date.parse(call.endsAt) + restHours * hourMs).toISOString(),
  });
  return (
    <>
      <TextField label={texts.search} type="search" maxLength={200} value={typed} error={error} onChange={setTyped} />
      <Loaded read={read}>
        {(candidates) => (
          <>
            <People judged={judge(candidates, call, event, messages)} picked={picked} onToggle={onToggle} />
            {candidates.all.nodes.length === mostFound && <p className="cs-hint">{texts.more}</p>}
          </>
        )}
      </Loaded>
    </>
  );
}

/** A text once nobody has typed on for a moment. */
export function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}

interface PeopleProps {
  readonly judged: readonly Judged[];
  readonly picked: readonly Judged[];
  readonly onToggle: (judged: Judged) => void;
}

function People({ judged, picked, onToggle }: PeopleProps) {
  const { staffing: texts } = useMessages();
  // Who is chosen stays in sight, whatever is searched for.
  const all = [...picked.filter(({ person }) => !judged.some((each) => each.person.id === person.id)), ...judged];
  if (all.length === 0)
    return <Empty title={texts.nobodyFound} action={<Link href="/people">{texts.toPeople}</Link>} />;
  const groups = [
    { title: texts.free, people: all.filter(({ clashes }) => clashes.length === 0) },
    { title: texts.others, people: all.filter(({ clashes }) => clashes.length > 0) },
  ];
  return (
    <div className="st-people">
      {groups.map(
        ({ title, people }) =>
          people.length > 0 && (
            <fieldset key={title}>
              <legend>{title}</legend>
              {people.map((each) => (
                <div key={each.person.id} className="st-choice">
                  <label>
                    <input
                      type="checkbox"
                      checked={picked.some(({ person }) => person.id === each.person.id)}
                      onChange={() => onToggle(each)}
                    />
                    <span>
                      <bdi>{each.person.name}</bdi>
                      {[...each.clashes, ...each.remarks].map((text) => (
                        <small key={text}>{text}</small>
                      ))}
                    </span>
                  </label>
                  {each.person.phone && <PhoneLink name={each.person.name} phone={each.person.phone} />}
                </div>
              ))}
            </fieldset>
          ),
      )}
    </div>
  );
}

/** All who are found: first who has worked in the position, then who is free, then the others. */
function judge(
  { known, free, all }: CandidateData,
  call: CallTime,
  event: Event,
  messages: Messages,
): readonly Judged[] {
  const { staffing: texts } = messages;
  const isIn = (found: Found, id: string) => found.nodes.some((person) => person.id === id);
  const people = new Map([known, free, all].flatMap(({ nodes }) => nodes.map((person) => [person.id, person])));
  const day = event.startTime.slice(0, 10);
  return [...people.values()].map((person) => {
    const clashes: string[] = [];
    const remarks: string[] = isIn(known, person.id) ? [texts.known(call.position.title)] : [];
    for (const near of person.near.nodes) {
      if (!near.startsAt || !near.endsAt) continue;
      const isHere = near.event?.uuid === event.uuid;
      const clocks = formatClocks(near, day, messages);
      const title = near.event?.title ?? '';
      const restMs = Math.max(
        Date.parse(near.startsAt) - Date.parse(call.endsAt),
        Date.parse(call.startsAt) - Date.parse(near.endsAt),
      );
      if (restMs < 0) clashes.push(isHere ? texts.busyHere(clocks) : texts.busy(title, clocks));
      else if (isHere) remarks.push(texts.alsoHere(clocks));
      else if (restMs < restHours * hourMs) remarks.push(texts.shortRest((restMs / hourMs).toFixed(1), title));
    }
    if (clashes.length === 0 && !isIn(free, person.id) && !isIn(known, person.id) && free.nodes.length < mostFound)
      clashes.push(texts.mayBeBusy);
    return { person, clashes, remarks };
  });
}

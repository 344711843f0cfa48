import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { assign } from '../../board/actions.ts';
import { toPhoneAddress } from '../../board/model.ts';
import { useRead } from '../data.ts';
import type { CallTime, Event } from '../event/documents.ts';
import { formatClocks } from '../event/when.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Against, isLiftable } from './against.tsx';
import { takeSteps, type RefusedStep } from './steps.ts';

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

interface Candidates {
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

interface Judged {
  readonly person: Candidate;
  /** What the service would refuse without a reason. */
  readonly clashes: readonly string[];
  /** What is only worth knowing. */
  readonly remarks: readonly string[];
}

interface Props {
  readonly event: Event;
  readonly call: CallTime;
  readonly onClose: () => void;
}

/** Assigns one or several people to a call time. What speaks against somebody stands beside the name. */
export function FillDialog({ event, call, onClose }: Props) {
  const messages = useMessages();
  const { staffing: texts } = messages;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [picked, setPicked] = useState<readonly Judged[]>([]);
  const [refused, setRefused] = useState<readonly RefusedStep[]>([]);
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const read = useRead<Candidates>(candidatesDocument, {
    call: call.uuid,
    position: call.position.id,
    search: search === '' ? null : search,
    from: new Date(Date.parse(call.startsAt) - longestHours * hourMs).toISOString(),
    to: new Date(Date.parse(call.endsAt) + restHours * hourMs).toISOString(),
  });
  const open = Math.max(
    0,
    call.staffNeeded - event.workShifts.filter(({ callTime }) => callTime?.uuid === call.uuid).length,
  );
  const against = [
    ...picked.flatMap(({ person, clashes }) => clashes.map((clash) => texts.refusedFor(person.name, clash))),
    ...(picked.length > open ? [texts.tooMany(open)] : []),
  ];
  const needsReason = against.length > 0 || refused.some(isLiftable);
  const toggle = (judged: Judged) => {
    setRefused([]);
    setPicked((before) =>
      before.some(({ person }) => person.id === judged.person.id)
        ? before.filter(({ person }) => person.id !== judged.person.id)
        : [...before, judged],
    );
  };

  async function submit() {
    setIsTried(true);
    if (picked.length === 0 || (needsReason && reason.trim() === '')) return;
    setIsBusy(true);
    const steps = picked.map(({ person: { id, name } }) => ({
      name,
      run: () => assign({ callUuid: call.uuid, userId: id, name, reason: needsReason ? reason.trim() : null }),
    }));
    const left = await takeSteps(steps, texts.assigned, messages);
    setIsBusy(false);
    if (left.length === 0) return onClose();
    setRefused(left);
    setIsTried(false);
    setPicked(picked.filter(({ person }) => left.some(({ name }) => name === person.name)));
  }

  return (
    <Dialog
      title={texts.fillTitle(call.position.title, formatClocks(call, event.startTime.slice(0, 10), messages))}
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="fill" isBusy={isBusy}>
          {needsReason ? texts.assignAnyway : texts.assign}
          {picked.length > 1 && ` (${picked.length})`}
        </Button>
      }
    >
      <form
        id="fill"
        className="cs-form st-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (!isBusy) void submit();
        }}
      >
        <TextField
          label={texts.search}
          type="search"
          maxLength={200}
          value={typed}
          error={isTried && picked.length === 0 ? texts.choose : null}
          onChange={setTyped}
        />
        <Loaded read={read}>
          {(candidates) => (
            <>
              <People judged={judge(candidates, call, event, messages)} picked={picked} onToggle={toggle} />
              {candidates.all.nodes.length === mostFound && <p className="cs-hint">{texts.more}</p>}
            </>
          )}
        </Loaded>
        <Against items={against} refused={refused} reason={reason} isMissing={isTried} onChange={setReason} />
      </form>
    </Dialog>
  );
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
                  <Phone name={each.person.name} phone={each.person.phone} />
                </div>
              ))}
            </fieldset>
          ),
      )}
    </div>
  );
}

export function Phone({ name, phone }: { name: string; phone: string | null | undefined }) {
  const { staffing: texts } = useMessages();
  return (
    phone && (
      <a className="st-phone" draggable={false} href={toPhoneAddress(phone)} aria-label={texts.call(name, phone)}>
        {phone}
      </a>
    )
  );
}

/** All who are found: first who has worked in the position, then who is free, then the others. */
function judge({ known, free, all }: Candidates, call: CallTime, event: Event, messages: Messages): readonly Judged[] {
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

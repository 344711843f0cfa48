import {
  AskedByStateDocument,
  AskedDocument,
  type AskedListFragment,
} from '../../../generated/pages/console/offers.ts';
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../time/zones.ts';
import { useRead } from '../../application/data.ts';
import type { CallTime, Event } from '../model/events.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { showToast } from '../parts/toast.tsx';
import { PhoneLink } from '../parts/phone.tsx';
import { approve, refuse, resend, withdraw, type ActionOutcome } from '../changes/actions.ts';
import { Change } from '../changes/change.tsx';
import { describeRefused, fullName, takeSteps, type Step } from '../changes/steps.ts';
import { openStates, overStates } from './data.ts';

/* Who was asked to work at an event, and what an admin does about their answers. */

type Asked = AskedListFragment['nodes'][number];
type Offer = NonNullable<Asked['offer']>;

const states = [...openStates, ...overStates];

/** The people who were asked, those first who wait for an answer, and what is to be said of them all. */
export function useAsked({ uuid }: Event): { readonly asked: readonly Asked[]; readonly note: ReactNode } {
  const { offers: texts } = useMessages();
  const { all } = useRead(AskedDocument, { event: uuid }).data ?? {};
  const isMany = all !== undefined && all.totalCount > all.nodes.length;
  const many = useRead(isMany ? AskedByStateDocument : null, { event: uuid }).data;
  const lists: readonly AskedListFragment[] = isMany ? Object.values(many ?? {}) : all ? [all] : [];
  const total = Math.max(0, ...lists.map(({ totalCount }) => totalCount));
  const asked = lists
    .flatMap(({ nodes }) => nodes)
    .toSorted(
      (a, b) => states.indexOf(a.state) - states.indexOf(b.state) || (a.waitlistPlace ?? 0) - (b.waitlistPlace ?? 0),
    );
  return {
    asked,
    note: total > 100 && <p className="ev-hint">{texts.newest(total)}</p>,
  };
}

interface Open {
  readonly kind: 'approve' | 'refuse' | 'withdraw';
  readonly name: string;
  readonly run: (reason: string | null) => Promise<ActionOutcome>;
  readonly against?: readonly string[];
}

interface Props {
  readonly call: CallTime;
  readonly timezone: string;
  readonly isFull: boolean;
  readonly asked: readonly Asked[];
}

export function AskedPeople({ call, timezone, isFull, asked }: Props) {
  const messages = useMessages();
  const { offers: texts, staffing } = messages;
  const [open, setOpen] = useState<Open | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const close = () => setOpen(null);
  const at = (instant: string) => formatMoment(Date.parse(instant), timezone);

  async function take(step: Step, describe: (names: string) => string, retry?: Open) {
    setIsBusy(true);
    const refused = await takeSteps([step], describe, messages);
    setIsBusy(false);
    const { against, faults } = describeRefused(refused, messages);
    if (retry && against.length > 0) setOpen({ ...retry, against });
    else if (refused.length > 0) showToast({ text: faults.join(' ') });
  }

  const actionsOf = (part: Asked) => {
    const { uuid: key, state, offer, user } = part;
    const name = fullName(part);
    const button = (text: string, onClick: () => void) => (
      <Button look="quiet" isBusy={isBusy} aria-label={`${text.replace('…', '')} ${name}`} onClick={onClick}>
        {text}
      </Button>
    );
    const approval: Open = { kind: 'approve', name, run: (reason) => approve(part, reason) };
    return (
      <div className="st-acts">
        {state === 'REQUESTED' &&
          button(texts.approve, () =>
            isFull
              ? setOpen({ ...approval, against: [staffing.tooMany(0)] })
              : void take({ key, name, run: () => approve(part, null) }, texts.approved, approval),
          )}
        {state === 'REQUESTED' &&
          button(texts.refuse, () => setOpen({ kind: 'refuse', name, run: (reason) => refuse(part, reason) }))}
        {(state === 'SENT' || state === 'WAITLISTED') &&
          button(texts.withdraw, () =>
            setOpen({
              kind: 'withdraw',
              name,
              run: (reason) => withdraw(offer!.uuid, user && [user.id], reason),
            }),
          )}
        {state === 'DECLINED' &&
          !isFull &&
          button(texts.resend, () => void take({ key, name, run: () => resend(part) }, texts.resent))}
      </div>
    );
  };

  const wordsOf = ({ state, respondedAt }: Asked) =>
    state === 'ACCEPTED' && respondedAt === null ? texts.hasPlace : texts.states[state];

  const rows = (shown: readonly Asked[]) => (
    <ul>
      {shown.map((part) => {
        const { uuid, state, waitlistPlace, isClaim, expiresAt, respondedAt, createdAt, user, reason } = part;
        const name = fullName(part);
        const words = wordsOf(part);
        const facts = [
          waitlistPlace === null ? words : texts.place(words, waitlistPlace),
          isClaim && texts.claimed,
          state === 'SENT' ? texts.answerUntil(at(expiresAt)) : at(respondedAt ?? createdAt),
          reason && texts.because(reason),
        ];
        return (
          <li key={uuid} className="st-person">
            <div className="st-who">
              <bdi>{name}</bdi> <span>{facts.filter(Boolean).join(' · ')}</span>
              {user?.phone && <PhoneLink name={name} phone={user.phone} />}
            </div>
            {actionsOf(part)}
          </li>
        );
      })}
    </ul>
  );

  const requests = asked.filter(({ state }) => state === 'REQUESTED');
  const others = asked.filter(({ state }) => state !== 'REQUESTED');
  const counts = states.flatMap((state) => {
    const words = others.flatMap((part) => (part.state === state ? wordsOf(part) : []));
    return [...new Set(words)].map((each) => `${words.filter((other) => other === each).length} ${each}`);
  });
  // An offer with more than one person to answer, or to be asked, is taken back as a whole.
  const offers = new Map(others.map(({ offer }): [string, Offer] => [offer!.uuid, offer!]));
  const whole = [...offers.values()].filter(
    ({ uuid, waitingCount }) =>
      waitingCount + others.filter(({ state, offer }) => state === 'SENT' && offer!.uuid === uuid).length > 1,
  );
  return (
    <>
      {requests.length > 0 && rows(requests)}
      {others.length > 0 && (
        <details>
          <summary>{texts.summary(counts)}</summary>
          {rows(others)}
          {whole.map(({ uuid, createdAt, expiresAt, nextWaveAt, waitingCount }) => (
            <p key={uuid}>
              {texts.offerOf(at(createdAt), texts.answerUntil(at(expiresAt)))}
              {nextWaveAt && `, ${texts.next(waitingCount, at(nextWaveAt))}`}{' '}
              <Button
                look="quiet"
                aria-label={`${texts.withdrawAll.replace('…', '')}: ${call.position.title}, ${at(createdAt)}`}
                onClick={() =>
                  setOpen({
                    kind: 'withdraw',
                    name: texts.everybody,
                    run: (reason) => withdraw(uuid, null, reason),
                  })
                }
              >
                {texts.withdrawAll}
              </Button>
            </p>
          ))}
        </details>
      )}
      {open && (
        <Change
          title={texts[`${open.kind}Title`](open.name)}
          action={open.kind === 'approve' ? texts.approve : texts[`${open.kind}Now`]}
          look={open.kind === 'approve' ? 'primary' : 'danger'}
          steps={[{ key: open.name, name: open.name, run: ({ reason }) => open.run(reason) }]}
          describe={{ approve: texts.approved, refuse: texts.refused, withdraw: texts.withdrawn }[open.kind]}
          against={open.against ?? []}
          isReasonAsked={open.kind !== 'approve'}
          onDone={(refused) => refused.length === 0 && close()}
          onClose={close}
        >
          {() => open.kind !== 'approve' && <p>{texts[`${open.kind}Lead`]}</p>}
        </Change>
      )}
    </>
  );
}

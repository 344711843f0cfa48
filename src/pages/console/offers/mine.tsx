import {
  AcceptOfferDocument,
  DeclineOfferDocument,
  AskedOfMeDocument,
  ClaimCallTimeDocument,
  OpenShiftsDocument,
  StillAskedOfMeDocument,
  type OwnPartFragment,
} from '../../../generated/pages/console/offers.ts';
import { useState } from 'react';
import { formatMoment, formatUntil } from '../../time/zones.ts';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Answer, type Act, type Changed } from '../own-shifts/answer.tsx';
import { ShiftCard } from '../own-shifts/card.tsx';
import { More } from '../own-shifts/more.tsx';
import type { OwnShift } from '../own-shifts/shifts.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { isOpenState, type Place } from './data.ts';

type OwnPart = OwnPartFragment;

interface List {
  readonly nodes: readonly OwnPart[];
}

/** In one request, because all who are asked open the page at the same time. */
export function useAsked() {
  const { data, error } = useRead(AskedOfMeDocument);
  const more = useRead(data?.all.pageInfo.hasNextPage ? StillAskedOfMeDocument : null);
  if (!data || (data.all.pageInfo.hasNextPage && !more.data)) return { data: null, error: error ?? more.error };
  const listOf = (isOpen: boolean): List => ({
    nodes: data.all.nodes.filter(({ state }) => isOpenState(state) === isOpen),
  });
  return { data: { open: more.data?.open ?? listOf(true), over: listOf(false) }, error };
}

/** What the viewer is asked, waits for, and cannot answer any more, as far as it is to come. */
export function Asked() {
  const { offers: texts } = useMessages();
  const [nowMs] = useState(() => Date.now());
  const { open, over } = useAsked().data ?? {};
  const isToCome = ({ endsAt }: OwnPart) => Date.parse(endsAt) > nowMs;
  const parts = (open?.nodes ?? []).toSorted((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
  const gone = over?.nodes.filter(isToCome) ?? [];
  const cards = (shown: readonly OwnPart[]) => shown.map((part) => <PartCard key={part.uuid} part={part} />);
  const sections = [
    [texts.asked, parts.filter(({ state }) => state === 'SENT')],
    [texts.waits, parts.filter(({ state }) => state !== 'SENT')],
  ] as const;
  return (
    <>
      {sections.map(
        ([title, shown]) =>
          shown.length > 0 && (
            <section key={title} className="ms-month" aria-label={title}>
              <h2>{title}</h2>
              {cards(shown)}
            </section>
          ),
      )}
      {gone.length > 0 && (
        <details className="ms-month">
          <summary>{texts.over(gone.length)}</summary>
          <h2 className="app-hidden">{texts.over(gone.length)}</h2>
          {cards(gone)}
        </details>
      )}
    </>
  );
}

function PartCard({ part }: { part: OwnPart }) {
  const messages = useMessages();
  const { offers: texts } = messages;
  const [nowMs] = useState(() => Date.now());
  const { uuid: id, version, state, mode, isClaim, message, expiresAt, reason, timezone, eventTitle: title } = part;
  const describe = () => {
    if (state === 'WAITLISTED') return texts.own.WAITLISTED(part.waitlistPlace ?? 1);
    if (state === 'REQUESTED') return isClaim ? texts.own.CLAIMED : texts.own.REQUESTED;
    if (state === 'SENT' && mode === 'APPROVAL') return texts.own.APPROVAL;
    return texts.own[state as 'SENT' | 'FILLED' | 'WITHDRAWN' | 'REFUSED' | 'EXPIRED'];
  };
  const answer = { variables: { id, version } };
  const accept: Act = {
    ...answer,
    label: state === 'FILLED' ? texts.queue : texts.accept,
    mutation: AcceptOfferDocument,
    onDone: (change) => showOutcome(texts.outcomes, title, change),
  };
  const decline: Act = {
    ...answer,
    label: state === 'SENT' ? texts.decline : texts.takeBack,
    sure: state === 'SENT' ? texts.reallyDecline : texts.reallyTakeBack,
    mutation: DeclineOfferDocument,
    onDone: () => showToast({ text: (state === 'SENT' ? texts.declined : texts.takenBack)(title) }),
  };
  const isOpen = state === 'SENT' || state === 'WAITLISTED' || state === 'REQUESTED';
  const untilMs = Date.parse(expiresAt);
  return (
    <ShiftCard
      shift={toShift(part)}
      stateText={describe()}
      actions={
        <>
          {message && <p className="ms-message">{message}</p>}
          {reason && <p>{texts.because(reason)}</p>}
          {state === 'SENT' && (
            <p>{texts.until(formatMoment(untilMs, timezone), formatUntil(untilMs, nowMs, messages))}</p>
          )}
          {(isOpen || state === 'FILLED') && (
            <Answer
              key={`${state} ${version}`}
              title={title}
              yes={state === 'SENT' || state === 'FILLED' ? accept : null}
              no={isOpen ? decline : null}
              isLeaving
            />
          )}
        </>
      }
    />
  );
}

type OfferOutcome = 'ACCEPTED' | 'REQUESTED' | 'WAITLISTED';
type Outcomes = (title: string, place: number) => Readonly<Record<OfferOutcome, string>>;

const showOutcome = (outcomes: Outcomes, title: string, { state, waitlistPlace }: Changed) =>
  showToast({ text: outcomes(title, waitlistPlace ?? 1)[state as OfferOutcome] });

/** A place as the card shows a shift of one's own. */
export const toShift = (place: Place): OwnShift => ({
  ...place,
  ...{ version: 0, status: 'ACTIVE', confirmed: false, declinedAt: null, dropRequestedAt: null },
  position: { title: place.position },
  callTime: { ...place, skillLevel: null },
  event: { ...place, title: place.eventTitle, status: 'ACTIVE', room: null, state: null, zip: null },
});

/** The places that the viewer can take by themselves, by start. `hasMore` says that others stand above them. */
export function OpenShifts({ cursor = null, hasMore = false }: { cursor?: string | null; hasMore?: boolean }) {
  const { offers: texts } = useMessages();
  const read = useRead(OpenShiftsDocument, { cursor });
  return (
    <Loaded read={read}>
      {({ page: { nodes, pageInfo } }) => (
        <>
          {nodes.length === 0 && cursor === null && !hasMore && (
            <Empty title={texts.nothingOpen}>{texts.nothingOpenLead}</Empty>
          )}
          {nodes.length > 0 && <h2 className="app-hidden">{texts.open}</h2>}
          <div className="ms-month">
            {nodes.map((place) => (
              <ShiftCard
                key={place.uuid}
                shift={toShift(place)}
                stateText={`${texts.places(place.openPlaces)}: ${texts.claims[place.claims as 'OPEN' | 'APPROVAL']}`}
                actions={
                  <Answer
                    title={place.eventTitle}
                    yes={{
                      label: texts.claim[place.claims as 'OPEN' | 'APPROVAL'],
                      mutation: ClaimCallTimeDocument,
                      variables: { id: place.uuid },
                      onDone: (change) => showOutcome(texts.outcomes, place.eventTitle, change),
                    }}
                    isLeaving
                  />
                }
              />
            ))}
          </div>
          {pageInfo.hasNextPage && (
            <More>
              <OpenShifts cursor={pageInfo.endCursor} />
            </More>
          )}
        </>
      )}
    </Loaded>
  );
}

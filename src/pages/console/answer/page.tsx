import {
  AnswerMailedOfferDocument,
  MailedOfferDocument,
  type MailedOfferQuery,
} from '../../../generated/pages/console/answer.ts';
import { useState } from 'react';
import { formatDay, formatMoment, formatTime, formatZone } from '../../time/zones.ts';
import { useRead, useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { PlaceLink } from '../parts/place.tsx';
import '../own-shifts/own-shifts.css';

type MailedOffer = MailedOfferQuery['offer'];

/** Shows an offer to whoever has the link of its mail, and takes the answer. The secret is in the fragment of the address. */
export default function AnswerPage() {
  const { answer: texts } = useMessages();
  const [secret] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [state, setState] = useState<string | null>(null);
  const { data, error } = useRead(state === null ? MailedOfferDocument : null, { secret });
  const { write, isPending, fault } = useWrite(AnswerMailedOfferDocument);
  const answer = async (what: 'ACCEPT' | 'DECLINE') => {
    const { data: answered } = await write({ secret, answer: what });
    if (answered) setState(answered.offer.state);
  };
  const isOver = state === null && (data?.offer ? fault?.code === 'INVALID_CREDENTIALS' : error !== null);
  return (
    <Page title={texts.title}>
      {state !== null && <Notice>{texts.outcomes[state] ?? texts.over}</Notice>}
      {isOver && <Notice look="bad">{texts.over}</Notice>}
      {data?.offer && !isOver && (
        <article className="ms-card">
          {state === null && <p>{texts.offers(data.offer.businessName)}</p>}
          <OfferedPlace offer={data.offer} />
          {state === null && (
            <div className="cb-buttons">
              <Button look="primary" isBusy={isPending} onClick={() => void answer('ACCEPT')}>
                {texts.yes}
              </Button>
              <Button isBusy={isPending} onClick={() => void answer('DECLINE')}>
                {texts.no}
              </Button>
            </div>
          )}
        </article>
      )}
      {fault && !isOver && <Notice look="bad">{fault.message}</Notice>}
      {(isOver || state !== null) && (
        <p>
          <LinkButton href="/my-shifts">{texts.toShifts}</LinkButton>
        </p>
      )}
    </Page>
  );
}

function OfferedPlace({ offer }: { offer: MailedOffer }) {
  const { answer: texts, myShifts } = useMessages();
  const { timezone, startsAt, endsAt, startTimeTbd, endTimeTbd, expiresAt, message, dressCode, notesForStaff } = offer;
  const [from, to] = [Date.parse(startsAt), Date.parse(endsAt)];
  const isPlaced = [offer.venueName, offer.address, offer.city].some(Boolean);
  return (
    <>
      <h2>{offer.eventTitle}</h2>
      <p className="ms-when">
        <time dateTime={startsAt}>{formatDay(from, timezone)}</time>,{' '}
        {myShifts.when(
          startTimeTbd ? myShifts.tbd : formatTime(from, timezone),
          endTimeTbd ? myShifts.tbd : formatTime(to, timezone),
        )}{' '}
        {formatZone(from, timezone)}
      </p>
      <p className="ms-state">{offer.position}</p>
      <Facts
        facts={[
          [myShifts.place, isPlaced && <PlaceLink key="place" {...offer} />],
          [texts.message, message],
          [myShifts.dress, dressCode],
          [myShifts.notes, notesForStaff],
          [texts.answerBy, formatMoment(Date.parse(expiresAt), timezone)],
        ]}
      />
    </>
  );
}

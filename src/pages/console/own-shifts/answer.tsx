import type { OfferState, SwapState } from '../../../generated/pages/types.ts';
import { useEffect, useRef, useState } from 'react';
import type { TypedDocument } from '../../application/document.ts';
import type { Variables } from '../../application/service.ts';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { returnFocus } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';

/** Something that a person answers by a tap. */
export interface Act {
  readonly label: string;
  /** Returns its row as `change`. */
  readonly mutation: TypedDocument<{ readonly change: Changed }, Variables>;
  readonly variables: Variables;
  /** What the second tap is called, where one has to be sure. */
  readonly sure?: string;
  readonly onDone: (change: Changed) => void;
}

export interface Changed {
  readonly version: number;
  /** What has become of an offer or a swap. */
  readonly state?: OfferState | SwapState;
  readonly waitlistPlace?: number | null;
  /** Of a shift. */
  readonly dropRequestedAt?: string | null;
}

interface AnswerProps {
  /** Tells the buttons of several cards apart. */
  readonly title: string;
  readonly yes?: Act | null;
  readonly no?: Act | null;
  /** Whether the card goes away with an answer. */
  readonly isLeaving?: boolean;
}

/** The answers that a card takes. One that is not easily taken back takes a second tap. */
export function Answer({ title, yes, no, isLeaving = false }: AnswerProps) {
  const { myShifts: texts } = useMessages();
  const accept = useWrite(yes?.mutation ?? null);
  const refuse = useWrite(no?.mutation ?? null);
  const [isAsked, setIsAsked] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked) ref.current?.querySelector('button')?.focus();
  }, [isAsked]);

  async function send({ write }: typeof accept, { variables, onDone }: Act) {
    const { data } = await write(variables);
    if (!data) return;
    // The button that had the focus is about to go.
    returnFocus((!isLeaving && ref.current?.closest('article')?.querySelector('h3')) || null);
    setIsAsked(false);
    onDone(data.change);
  }
  const fault = accept.fault ?? refuse.fault;
  return (
    <div className="ms-answer" ref={ref}>
      {isAsked && no ? (
        <>
          <Button key="keep" onClick={() => setIsAsked(false)}>
            {texts.keep}
          </Button>
          <Button key="sure" look="danger" isBusy={refuse.isPending} onClick={() => void send(refuse, no)}>
            {no.sure}
          </Button>
        </>
      ) : (
        <>
          {yes && (
            <Button
              look="primary"
              isBusy={accept.isPending}
              aria-label={`${yes.label}: ${title}`}
              onClick={() => void send(accept, yes)}
            >
              {yes.label}
            </Button>
          )}
          {no && (
            <Button
              isBusy={refuse.isPending}
              aria-label={`${no.label}: ${title}`}
              onClick={() => (no.sure ? setIsAsked(true) : void send(refuse, no))}
            >
              {no.label}
            </Button>
          )}
        </>
      )}
      {fault && <Notice look="bad">{fault.message}</Notice>}
    </div>
  );
}

import {
  ScreenCheckDocument,
  ScreenCodeDocument,
  type ScreenCodeQuery,
} from '../../../generated/pages/console/board.ts';
import { useEffect, useState, type FormEvent } from 'react';
import type { TypedDocument, VariablesOf } from '../../application/document.ts';
import { describeErrors } from '../../application/service.ts';
import { sendAsViewer } from '../../application/session.ts';
import { useMessages } from '../messages/messages.ts';
import { formatTime } from '../../time/zones.ts';
import './kiosk-check-in.css';

/** Milliseconds between reads of the code, whatever the clock of this browser shows. The code before holds as long again. */
const [leastMs, mostMs] = [5_000, 20_000];
/** Milliseconds after which nothing of a person is on display any more. */
const shownMs = 15_000;

async function ask<Data, Taken>(query: TypedDocument<Data, Taken>, variables = {} as VariablesOf<Taken>) {
  const { result } = await sendAsViewer({ query, variables });
  return { data: result.data as Partial<Data> | undefined, reason: describeErrors(result) };
}

function useCode() {
  const [code, setCode] = useState<ScreenCodeQuery['code'] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const read = async () => {
      let waitMs = leastMs;
      try {
        const { data, reason } = await ask(ScreenCodeDocument);
        if (isOver) return;
        const next = data?.code;
        setCode(next ?? null);
        setProblem(reason);
        if (next) waitMs = Math.min(mostMs, Math.max(leastMs, Date.parse(next.expiresAt) - Date.now()));
      } catch (error) {
        if (!isOver) setProblem((error as Error).message);
      }
      if (!isOver) timer = setTimeout(() => void read(), waitMs);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return { code, problem };
}

/** On a screen at an event: the code of the event, and a form for people without a phone at hand. */
export default function KioskCheckIn({ zone }: { zone: string }) {
  const { kiosk: texts } = useMessages().checkIn;
  const { code, problem } = useCode();
  const [values, setValues] = useState({ name: '', phoneDigits: '' });
  const [answer, setAnswer] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    if (answer === null && values.name + values.phoneDigits === '') return;
    // The next person sees nothing of the one before.
    const timer = setTimeout(() => {
      setAnswer(null);
      setValues({ name: '', phoneDigits: '' });
    }, shownMs);
    return () => clearTimeout(timer);
  }, [answer, values]);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    try {
      const { data, reason } = await ask(ScreenCheckDocument, values);
      const check = data?.check;
      const { came, went } = texts;
      setAnswer(
        check
          ? (check.checkedOutAt === null ? came : went)(
              check.firstName,
              formatTime(Date.parse(check.checkedOutAt ?? check.checkedInAt!), zone),
            )
          : reason,
      );
      if (check) setValues({ name: '', phoneDigits: '' });
    } catch (error) {
      setAnswer((error as Error).message);
    }
    setIsBusy(false);
  }
  const field = (name: 'name' | 'phoneDigits') => ({
    name,
    value: values[name],
    autoComplete: 'off',
    required: true,
    onChange: ({ target }: { target: HTMLInputElement }) => setValues({ ...values, [name]: target.value }),
  });
  return (
    <section className="bd-check-in" aria-labelledby="check-in">
      <div>
        <h2 id="check-in">{texts.title(code?.eventTitle)}</h2>
        {code ? (
          <>
            <p>{texts.code}</p>
            <p className="bd-code">{code.code}</p>
          </>
        ) : (
          problem !== null && <p role="status">{texts.noCode(problem)}</p>
        )}
      </div>
      <form onSubmit={(event) => void send(event)}>
        <p>{texts.byName}</p>
        <label>
          {texts.name}
          <input {...field('name')} maxLength={200} />
        </label>
        <label>
          {texts.digits}
          <input {...field('phoneDigits')} inputMode="numeric" pattern="[0-9]{4}" maxLength={4} />
        </label>
        <button type="submit" className="cb-button cb-primary" aria-disabled={isBusy || undefined}>
          {texts.send}
        </button>
        <p role="status">{answer}</p>
      </form>
    </section>
  );
}

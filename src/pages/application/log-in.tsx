import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react';
import { useMessages } from '../console/messages/messages.ts';
import { readDemo, type Demo } from './demo.ts';
import { logIn, logInWithKey } from './session.ts';

interface LogInProps {
  readonly notice: string | null;
  readonly pitch: ReactNode;
  /** Further ways in, below the others. */
  readonly children?: ReactNode;
}

/** The page for users who are not logged in. `pitch` says what they can do once they are. */
export function LogIn({ notice, pitch, children }: LogInProps) {
  const { session: texts } = useMessages();
  const [isDemoKnown, setIsDemoKnown] = useState(false);
  useEffect(() => {
    void readDemo().then(() => setIsDemoKnown(true));
  }, []);
  return (
    <div className="cb app-welcome">
      <div className="app-pitch">{pitch}</div>
      <div className="app-doors">
        <section className="app-card" aria-labelledby="log-in">
          <h2 id="log-in">{texts.title}</h2>
          <LogInBox notice={notice} email="" />
        </section>
        <DemoLogIns />
        {/* They come with the demo accounts above them, which would push them down. */}
        {isDemoKnown && children}
      </div>
    </div>
  );
}

type Way = 'password' | 'key';

export function LogInBox({ notice, email }: { notice: string | null; email: string }) {
  const { session: texts } = useMessages();
  const [way, setWay] = useState<Way>('password');
  const [isSendingMail, setIsSendingMail] = useState(false);
  useEffect(() => void readDemo().then((demo) => setIsSendingMail(demo.isSendingMail === true)), []);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState(notice);
  const id = useId();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = (name: string) => (new FormData(form).get(name) ?? '') as string;
    setIsBusy(true);
    setRefusal(null);
    const reason = await (
      way === 'password'
        ? logIn(typed('email').trim(), typed('password'), typed('keep') !== '')
        : logInWithKey(typed('key').trim())
    ).catch((error: Error) => error.message);
    setIsBusy(false);
    setRefusal(reason);
    if (reason !== null) form.querySelector<HTMLInputElement>('input[type=password]')?.select();
  };

  return (
    <form className="app-form" onSubmit={(event) => void submit(event)} aria-describedby={`${id}-refusal`}>
      <fieldset className="app-segments">
        <legend className="app-hidden">{texts.how}</legend>
        {(['password', 'key'] as const).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="way"
              value={value}
              checked={way === value}
              onChange={() => {
                setWay(value);
                setRefusal(null);
              }}
            />
            <span>{texts.ways[value]}</span>
          </label>
        ))}
      </fieldset>
      {way === 'password' ? (
        <>
          <label className="app-field">
            <span>{texts.email}</span>
            <input name="email" type="email" autoComplete="username" required defaultValue={email} />
          </label>
          <label className="app-field">
            <span>{texts.password}</span>
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
          {/* A browser takes the cookie over https and on loopback only. */}
          {isSecureContext && (
            <label className="app-check">
              <input name="keep" type="checkbox" value="yes" />
              <span>{texts.keep}</span>
            </label>
          )}
        </>
      ) : (
        <label className="app-field">
          <span>{texts.ways.key}</span>
          <input name="key" type="password" autoComplete="off" spellCheck={false} required placeholder="cbk_…" />
        </label>
      )}
      <p id={`${id}-refusal`} className="app-refusal" role="alert">
        {refusal}
      </p>
      <button className="cb-button cb-primary app-wide" type="submit" disabled={isBusy}>
        {isBusy ? texts.busy : texts.title}
      </button>
      {isSendingMail && <a href="/app/forgotten">{texts.forgotten}</a>}
      <p className="app-small cb-soft">{texts.storage}</p>
    </form>
  );
}

/** One button for each demo account, if there are any. */
export function DemoLogIns() {
  const { session: texts } = useMessages();
  const [demo, setDemo] = useState<Demo | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    void readDemo().then(setDemo);
  }, []);
  if (!demo || demo.password === null) return null;
  const { password, logIns } = demo;

  const open = async (email: string): Promise<void> => {
    setOpening(email);
    setRefusal(await logIn(email, password).catch((error: Error) => error.message));
    setOpening(null);
  };

  return (
    <section className="app-card app-demo" aria-labelledby="demo">
      <h2 id="demo">{texts.demo}</h2>
      <p className="cb-soft">{texts.demoLead}</p>
      <div className="app-businesses">
        {[...new Set(logIns.map(({ business }) => business))].map((business) => (
          <div key={business}>
            <h3>{business}</h3>
            <div className="cb-buttons">
              {logIns
                .filter((known) => known.business === business)
                .map(({ email, role }) => (
                  <button
                    key={email}
                    type="button"
                    className={`cb-button${role.toLowerCase() === 'admin' ? ' cb-primary' : ''}`}
                    disabled={opening !== null}
                    title={email}
                    aria-label={texts.demoButton(business, role.toLowerCase())}
                    onClick={() => void open(email)}
                  >
                    {opening === email ? '…' : (texts.demoRoles[role.toLowerCase()] ?? role)}
                  </button>
                ))}
            </div>
          </div>
        ))}
      </div>
      <p className="app-refusal" role="alert">
        {refusal}
      </p>
    </section>
  );
}

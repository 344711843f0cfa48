import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react';
import { logIn, logInWithKey, readDemo, type Demo } from './session.ts';

interface LogInProps {
  readonly notice: string | null;
  readonly pitch?: ReactNode;
  /** Further ways in, below the others. */
  readonly children?: ReactNode;
}

/** The page for users who are not logged in. `pitch` says what they can do once they are. */
export function LogIn({ notice, pitch = playgroundPitch, children }: LogInProps) {
  const [isDemoKnown, setIsDemoKnown] = useState(false);
  useEffect(() => {
    void readDemo().then(() => setIsDemoKnown(true));
  }, []);
  return (
    <div className="cb app-welcome">
      <div className="app-pitch">{pitch}</div>
      <div className="app-doors">
        <section className="app-card" aria-labelledby="log-in">
          <h2 id="log-in">Log in</h2>
          <LogInBox notice={notice} email="" />
        </section>
        <DemoLogIns />
        {/* They come with the demo accounts above them, which would push them down. */}
        {isDemoKnown && children}
      </div>
    </div>
  );
}

const playgroundPitch = (
  <>
    <h1>Ask your events anything</h1>
    <p className="cb-lead">
      Who is still missing this week? What does each client cost? Who is booked twice? Pick a question, get a table, a
      chart and a CSV file.
    </p>
    <ul className="app-asks" aria-label="For example">
      <li>Unfilled call times this week</li>
      <li>Coverage by position</li>
      <li>Labour cost by client</li>
      <li>A staff member’s shifts</li>
    </ul>
  </>
);

type Way = 'password' | 'key';

export function LogInBox({ notice, email }: { notice: string | null; email: string }) {
  const [way, setWay] = useState<Way>('password');
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
        <legend className="app-hidden">How to log in</legend>
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
            <span>{value === 'password' ? 'E-mail and password' : 'API key'}</span>
          </label>
        ))}
      </fieldset>
      {way === 'password' ? (
        <>
          <label className="app-field">
            <span>E-mail</span>
            <input name="email" type="email" autoComplete="username" required defaultValue={email} />
          </label>
          <label className="app-field">
            <span>Password</span>
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
          <label className="app-check">
            <input name="keep" type="checkbox" value="yes" />
            <span>Stay logged in on this device</span>
          </label>
        </>
      ) : (
        <label className="app-field">
          <span>API key</span>
          <input name="key" type="password" autoComplete="off" spellCheck={false} required placeholder="cbk_…" />
        </label>
      )}
      <p id={`${id}-refusal`} className="app-refusal" role="alert">
        {refusal}
      </p>
      <button className="cb-button cb-primary app-wide" type="submit" disabled={isBusy}>
        {isBusy ? 'Logging in…' : 'Log in'}
      </button>
      <p className="app-small cb-soft">
        Your credential stays in this browser tab and is removed when you log out or close the tab.
      </p>
    </form>
  );
}

/** One button for each demo account, if there are any. */
export function DemoLogIns() {
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
      <h2 id="demo">Or look around</h2>
      <p className="cb-soft">This service holds demo data. One click is enough.</p>
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
                    aria-label={`Log in to ${business} as ${role.toLowerCase()}`}
                    onClick={() => void open(email)}
                  >
                    {opening === email ? '…' : (roleNames[role.toLowerCase()] ?? role)}
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

const roleNames: Record<string, string> = { admin: 'As admin', staff: 'As staff', client: 'As client' };

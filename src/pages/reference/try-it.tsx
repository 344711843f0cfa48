import { useId, useRef, useState, useSyncExternalStore, type FormEvent } from 'react';
import { readSession, watchSession } from '../application/session.ts';
import { send, type CallForm, type Filled, type Received } from './call.ts';
import { askToLogIn } from './session-menu.tsx';

/** Longer answers are cut: the page would become slow. */
const shownCharsMax = 100_000;

/** A form that sends an operation, with the example filled in, and shows the answer. */
export function TryIt({ call, name }: { call: CallForm; name: string }) {
  const [received, setReceived] = useState<Received | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState<AbortController | null>(null);
  const [isSure, setIsSure] = useState(false);
  const { login } = useSyncExternalStore(watchSession, readSession);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (call.isDestructive && !isSure) return setIsSure(true);
    setIsSure(false);
    const controller = new AbortController();
    setSending(controller);
    setProblem(null);
    await send(call, readForm(call, event.currentTarget), controller.signal, setReceived).catch((error: Error) => {
      if (!controller.signal.aborted) setProblem(error.message);
    });
    setSending(null);
  };

  return (
    <form className="ref-form" aria-label={`Try it: ${name}`} onSubmit={(event) => void submit(event)}>
      <Fields call={call} />
      {!call.isPublic && login === null && (
        <p className="ref-hint">
          This needs a credential:{' '}
          <button type="button" className="ref-link" onClick={askToLogIn}>
            log in
          </button>{' '}
          first.
        </p>
      )}
      {isSure && (
        <p className="ref-hint" role="alert">
          This deletes or revokes for good, as the account that is logged in. <strong>{name}?</strong>
        </p>
      )}
      <div className="cb-buttons">
        <button type="submit" className="cb-button cb-primary app-slim" disabled={sending !== null}>
          {sending !== null ? 'Sending…' : isSure ? 'Really send' : 'Send'}
        </button>
        {isSure && (
          <button type="button" className="cb-button app-slim" onClick={() => setIsSure(false)}>
            Keep it as it is
          </button>
        )}
        {sending !== null && (
          <button type="button" className="cb-button app-slim" onClick={() => sending.abort()}>
            Stop
          </button>
        )}
      </div>
      <p className="app-refusal" role="alert">
        {problem}
      </p>
      {received && <Result received={received} />}
    </form>
  );
}

/** What the form holds: `p:` stands before the names of parameters. */
function readForm({ parameters, body }: CallForm, form: HTMLFormElement): Filled {
  const data = new FormData(form);
  const typed = (field: string) => (data.get(field) ?? '') as string;
  return {
    values: Object.fromEntries(parameters.map(({ name }) => [name, typed(`p:${name}`).trim()])),
    body: body === undefined ? null : typed('body'),
    accept: typed('accept') || 'application/json',
  };
}

function Fields({ call: { parameters, body, accepts } }: { call: CallForm }) {
  const firstField = useRef<HTMLFormElement | null>(null);
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter(({ isRequired }) => !isRequired);
  const [hasOptional, setHasOptional] = useState(false);
  const id = useId();
  // The button that was pressed is gone: the keyboard goes on in the form.
  const focus = (element: HTMLElement | null) => {
    if (!element || firstField.current) return;
    firstField.current = element.closest('form');
    firstField.current?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true });
  };
  return (
    <div ref={focus} className="ref-inputs">
      {required.map((parameter) => (
        <ParameterField key={parameter.name} parameter={parameter} />
      ))}
      {optional.length > 0 && (
        <details onToggle={(event) => setHasOptional(event.currentTarget.open)}>
          <summary>
            {optional.length} optional {optional.length === 1 ? 'parameter' : 'parameters'}
          </summary>
          <div className={hasOptional ? 'ref-optional' : undefined}>
            {optional.map((parameter) => (
              <ParameterField key={parameter.name} parameter={parameter} />
            ))}
          </div>
        </details>
      )}
      {body !== undefined && (
        <label className="app-field">
          <span>Body</span>
          <textarea
            name="body"
            spellCheck={false}
            rows={Math.min(18, JSON.stringify(body, null, 2).split('\n').length + 1)}
            defaultValue={JSON.stringify(body, null, 2)}
          />
        </label>
      )}
      {accepts.length > 1 && (
        <div className="app-field">
          <label htmlFor={id}>Answer as</label>
          <select id={id} name="accept">
            {accepts.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </div>
      )}
      {accepts.length === 1 && <input type="hidden" name="accept" value={accepts[0]} />}
    </div>
  );
}

const ParameterField = ({
  parameter: { name, place, isRequired, value },
}: {
  parameter: CallForm['parameters'][number];
}) => (
  <label className="app-field">
    <span>
      {name} {place !== 'query' && <small>in the {place}</small>}
    </span>
    <input name={`p:${name}`} defaultValue={value} required={isRequired} autoComplete="off" spellCheck={false} />
  </label>
);

function Result({ received: { status, elapsedMs, headers, text } }: { received: Received }) {
  return (
    <div className="ref-result">
      <p role="status">
        <strong className={status.startsWith('2') ? undefined : 'ref-refused'}>{status}</strong> in{' '}
        {Math.round(elapsedMs).toLocaleString('en-US')} ms
      </p>
      <details>
        <summary>Headers</summary>
        <Code label="Headers of the answer" text={headers} />
      </details>
      <Code label="Answer of the service" text={text.slice(0, shownCharsMax)} />
      {text.length > shownCharsMax && <p>The answer goes on for {text.length - shownCharsMax} more characters.</p>}
    </div>
  );
}

/** Focusable, so that it can be scrolled with the keyboard. */
const Code = ({ label, text }: { label: string; text: string }) => (
  <div className="cb-code">
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to take the focus */}
    <pre tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  </div>
);

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { draftPrefix, readSession } from '../../application/session.ts';
import { readStored, store } from '../../application/storage.ts';
import type { Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export interface Draft<Values> {
  readonly values: Values;
  readonly change: (change: Partial<Values>) => void;
  /** Whether there is something that is not saved. */
  readonly isChanged: boolean;
  /** Whether the values are those of an earlier visit. */
  readonly isRestored: boolean;
  /** Goes back to what is stored; to be called after saving, too. */
  readonly discard: () => void;
}

/**
 * Values of a form, kept in this tab until they are saved or discarded: a lost network, another page or a reload loses nothing.
 * `name` tells the forms of a person apart, such as `event 12`.
 */
export function useDraft<Values extends object>(name: string, stored: Values): Draft<Values> {
  const { viewer } = readSession();
  const key = `${draftPrefix}${viewer?.business.id ?? ''}:${viewer?.email ?? ''}:${name}`;
  const [draft, setDraft] = useState(() => readStored('sessionStorage', key) as Partial<Values> | null);
  const [isRestored, setIsRestored] = useState(draft !== null);
  const isChanged = draft !== null;
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
  return {
    values: { ...stored, ...draft },
    isChanged,
    isRestored,
    change: (change) =>
      setDraft((before) => {
        const next = { ...before, ...change };
        store('sessionStorage', key, next);
        return next;
      }),
    discard: () => {
      setDraft(null);
      setIsRestored(false);
      store('sessionStorage', key, null);
    },
  };
}

/** Ties fields to the values of a draft, and to what a refusal says of them: `<TextField label="Name" {...field('name')} />`. */
export const bindFields =
  <Values extends object>({ values, change }: Pick<Draft<Values>, 'values' | 'change'>, fault: Fault | null) =>
  <Key extends keyof Values & string>(key: Key) => ({
    value: values[key],
    onChange: (value: Values[Key]) => change({ [key]: value } as unknown as Partial<Values>),
    error: fault?.fields[key],
  });

/** Values of a form that are forgotten when it goes, tied to its fields. */
export function useFields<Values extends object>(initial: Values, fault: Fault | null) {
  const [values, setValues] = useState(initial);
  const change = (next: Partial<Values>) => setValues((before) => ({ ...before, ...next }));
  return { values, change, field: bindFields({ values, change }, fault) };
}

export type BindField<Values extends object> = ReturnType<typeof bindFields<Values>>;

export interface FormProps {
  /** Without it, what is typed is not kept, as with passwords. */
  readonly draft?: Pick<Draft<object>, 'isRestored' | 'discard'>;
  readonly fault: Fault | null;
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly action?: string | undefined;
  readonly look?: 'primary' | 'danger';
  readonly isDisabled?: boolean;
  /** Further buttons. */
  readonly more?: ReactNode;
  /** Closes the dialog that the form fills. What was typed is kept. */
  readonly onClose?: () => void;
}

/** Fields and a button that saves them. After a refusal, the focus goes to the first field that is at fault. */
export function Form(props: FormProps) {
  const {
    draft,
    fault,
    isPending,
    isDisabled = false,
    onSubmit,
    children,
    action,
    look = 'primary',
    more,
    onClose,
  } = props;
  const { parts } = useMessages();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fault]);
  return (
    <form
      ref={form}
      className="cs-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // A field that holds what it cannot take, such as a name that nobody has.
        const unclear = event.currentTarget.querySelector<HTMLElement>('[data-unclear]');
        if (unclear) unclear.focus();
        else if (!isPending && !isDisabled) onSubmit();
      }}
    >
      {draft?.isRestored && (
        <Notice action={<Button onClick={draft.discard}>{parts.discard}</Button>}>{parts.draftRestored}</Notice>
      )}
      {children}
      {fault && <Notice look="bad">{fault.message}</Notice>}
      <div className="cb-buttons">
        <Button look={look} type="submit" disabled={isDisabled} isBusy={isPending}>
          {action ?? parts.save}
        </Button>
        {more}
        {onClose && <Button onClick={onClose}>{draft ? parts.close : parts.cancel}</Button>}
      </div>
    </form>
  );
}

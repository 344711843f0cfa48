import type { ReactNode } from 'react';
import { Waiting } from '../../application/waiting.tsx';
import type { ReadState } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly look?: 'info' | 'good' | 'warning' | 'bad';
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** A sentence that belongs to what is around it. A bad one is read out at once. */
export const Notice = ({ look = 'info', children, action }: NoticeProps) => (
  <div className={`cs-notice cs-${look}`} role={look === 'bad' ? 'alert' : undefined}>
    <div>{children}</div>
    {action}
  </div>
);

/** Says that there is nothing, and what to do next. */
export const Empty = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <div className="cs-empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children && <p>{children}</p>}
    {action}
  </div>
);

/** What is read, once it is there; before that, that it is read, and why it could not be. What is shown stays when a later read fails. */
export function Loaded<Data>({ read, children }: { read: ReadState<Data>; children: (data: Data) => ReactNode }) {
  const { parts, shell } = useMessages();
  const { data, error, retry } = read;
  return (
    <>
      {error !== null && (
        <Notice look="bad" action={<Button onClick={retry}>{parts.retry}</Button>}>
          {parts.notRead(error)}
        </Notice>
      )}
      {data === null ? error === null && <Waiting what={shell.loading} /> : children(data)}
    </>
  );
}

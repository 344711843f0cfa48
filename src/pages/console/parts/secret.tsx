import { useState, type ReactNode } from 'react';
import { copyText } from '../../playground/table-export.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import './catalogue.css';

interface SecretProps {
  readonly title: string;
  /** Null until there is one. */
  readonly secret: string | null;
  readonly onClose: () => void;
  /** What to say of it. */
  readonly children: ReactNode;
}

/** Shows a secret that the service never shows again. */
export function SecretDialog({ title, secret, onClose, children }: SecretProps) {
  const { settings, parts } = useMessages();
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => setSaid((await copyText(secret ?? '')) ? settings.copied : settings.notCopied);
  const button = secret !== null && (
    <Button look="primary" onClick={() => void copy()}>
      {settings.copy}
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={button} close={parts.close}>
      {children}
      {secret !== null && <code className="cs-secret">{secret}</code>}
      <p role="status">{said}</p>
    </Dialog>
  );
}

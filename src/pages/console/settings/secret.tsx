import { useState } from 'react';
import { copyText } from '../../playground/table-export.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';

interface SecretProps {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret that the service never shows again. */
export function SecretDialog({ title, lead, secret, onClose }: SecretProps) {
  const { settings } = useMessages();
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => setSaid((await copyText(secret)) ? settings.copied : settings.notCopied);
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice look="warning">{lead}</Notice>
      <code className="cs-secret">{secret}</code>
      <div className="cb-buttons">
        <Button look="primary" onClick={() => void copy()}>
          {settings.copy}
        </Button>
        <span role="status">{said}</span>
      </div>
    </Dialog>
  );
}

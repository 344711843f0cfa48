import { UnsubscribeDocument } from '../../../generated/pages/console/unsubscribe.ts';
import { useState } from 'react';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/frame.tsx';
import { Notice } from '../parts/notice.tsx';

/** Switches a kind of mails off, with the token of a link in one. Programs that follow links change nothing. */
export default function UnsubscribePage() {
  const { unsubscribe: texts } = useMessages();
  const [token] = useState(() => location.hash.slice(1));
  const [kind, setKind] = useState<string | null>(null);
  const { write, isPending, fault } = useWrite(UnsubscribeDocument);
  const confirm = async () => setKind((await write({ token })).data?.done.kind ?? null);
  return (
    <Page title={texts.title}>
      {kind === null ? (
        <>
          <p>{texts.lead}</p>
          <Button look="primary" isBusy={isPending} onClick={() => void confirm()}>
            {texts.confirm}
          </Button>
        </>
      ) : (
        <Notice>{texts.done[kind]}</Notice>
      )}
      {fault && <Notice look="bad">{fault.message}</Notice>}
    </Page>
  );
}

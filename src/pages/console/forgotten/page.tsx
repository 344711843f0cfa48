import { ForgetPasswordDocument } from '../../../generated/pages/console/forgotten.ts';
import { useState } from 'react';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { TextField } from '../parts/fields.tsx';
import { Form, useFields } from '../parts/form.tsx';
import { Page } from '../parts/frame.tsx';
import { Notice } from '../parts/notice.tsx';

/** Asks for a link to a new password. */
export default function ForgottenPage() {
  const { forgotten: texts } = useMessages();
  const [isSent, setIsSent] = useState(false);
  const { write, isPending, fault } = useWrite(ForgetPasswordDocument);
  const { values, field } = useFields({ email: '' }, fault);
  const send = async () => setIsSent((await write(values)).fault === null);
  return (
    <Page title={texts.title}>
      {isSent ? (
        <Notice>{texts.sent}</Notice>
      ) : (
        <>
          <p>{texts.lead}</p>
          <Form
            fault={fault && fault.fields['email'] === undefined ? fault : null}
            isPending={isPending}
            onSubmit={() => void send()}
            action={texts.send}
          >
            <TextField label={texts.email} type="email" autoComplete="username" {...field('email')} />
          </Form>
        </>
      )}
    </Page>
  );
}

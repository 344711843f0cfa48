import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { logIn } from '../../application/session.ts';
import { useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { CheckField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/frame.tsx';
import { Notice } from '../parts/notice.tsx';

const claimDocument = `mutation ClaimInvitation($secret: String!, $password: String!) {
  claim: claimInvitation(secret: $secret, password: $password) { email }
}`;

interface Claimed {
  readonly claim: { readonly email: string };
}

/** A password is not kept anywhere. */
const noDraft = { isRestored: false, discard: () => undefined };

/** Sets the first password of a person who was invited. The secret is in the fragment of the address, which browsers do not send. */
export default function InvitationPage() {
  const { invitation: texts } = useMessages();
  const [, go] = useLocation();
  const [secret] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [password, setPassword] = useState('');
  const [isKept, setIsKept] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { write, isPending, fault } = useWrite<Claimed>(claimDocument);

  const claim = async () => {
    const { data } = await write({ secret, password });
    if (!data) return;
    const reason = await logIn(data.claim.email, password, isKept).catch((error: Error) => error.message);
    setRefusal(reason);
    if (reason === null) go('/', { replace: true });
  };

  if (secret === '') return <Over text={texts.incomplete} />;
  if (fault?.code === 'INVALID_CREDENTIALS') return <Over text={texts.over} />;
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <Form
        draft={noDraft}
        fault={fault && fault.fields['password'] === undefined ? fault : null}
        isPending={isPending}
        onSubmit={() => void claim()}
        action={texts.start}
      >
        <TextField
          label={texts.password}
          hint={texts.hint}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={fault?.fields['password']}
        />
        <CheckField label={texts.keep} value={isKept} onChange={setIsKept} />
      </Form>
      {refusal && <Notice look="bad">{refusal}</Notice>}
    </Page>
  );
}

function Over({ text }: { text: string }) {
  const { invitation: texts } = useMessages();
  return (
    <Page title={texts.title}>
      <Notice look="bad">{text}</Notice>
      <p>
        <Link className="cb-button cb-primary" href="/">
          {texts.toLogIn}
        </Link>
      </p>
    </Page>
  );
}

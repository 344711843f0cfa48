import type { ClaimInvitationMutation } from '../../../generated/pages/console/invitation.ts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { TypedDocument } from '../../application/document.ts';
import { logIn } from '../../application/session.ts';
import { useWrite } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { CheckField, TextField } from '../parts/fields.tsx';
import { Form, useFields } from '../parts/form.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Notice } from '../parts/notice.tsx';

interface SetPasswordProps {
  /** A mutation whose `claim` returns the e-mail of the person. */
  readonly document: TypedDocument<ClaimInvitationMutation, { secret: string; password: string }>;
  readonly texts: Readonly<Record<'title' | 'lead' | 'start' | 'over', string>>;
  /** Where to go when the link is over. */
  readonly next: readonly [href: string, text: string];
}

/** Sets a password with the secret of a link, which is in the fragment of the address: browsers do not send it. Then logs in. */
export function SetPassword({ document, texts, next: [href, toNext] }: SetPasswordProps) {
  const { invitation } = useMessages();
  const [, go] = useLocation();
  const [secret] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const [refusal, setRefusal] = useState<string | null>(null);
  const { write, isPending, fault } = useWrite(document);
  const { values, field } = useFields({ password: '', isKept: false }, fault);

  const claim = async () => {
    const { password, isKept } = values;
    const { data } = await write({ secret, password });
    if (!data) return;
    const reason = await logIn(data.claim.email, password, isKept).catch((error: Error) => error.message);
    setRefusal(reason);
    if (reason === null) go('/', { replace: true });
  };

  if (secret === '' || fault?.code === 'INVALID_CREDENTIALS')
    return (
      <Page title={texts.title}>
        <Notice look="bad">{secret === '' ? invitation.incomplete : texts.over}</Notice>
        <p>
          <LinkButton isPrimary href={href}>
            {toNext}
          </LinkButton>
        </p>
      </Page>
    );
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <Form
        fault={fault && fault.fields['password'] === undefined ? fault : null}
        isPending={isPending}
        onSubmit={() => void claim()}
        action={texts.start}
      >
        <TextField
          label={invitation.password}
          hint={invitation.hint}
          type="password"
          autoComplete="new-password"
          {...field('password')}
        />
        <CheckField label={invitation.keep} {...field('isKept')} />
      </Form>
      {refusal && <Notice look="bad">{refusal}</Notice>}
    </Page>
  );
}

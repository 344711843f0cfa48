import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  PauseWebhookDocument,
  ResumeWebhookDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  WebhooksDocument,
  type CreateWebhookMutation,
  type WebhooksQuery,
} from '../../../generated/pages/console/settings.ts';
import { useState } from 'react';
import { useWrite, type Fault } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { Menu } from '../parts/menu.tsx';
import { Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { Catalogue, type ItemActions } from '../parts/catalogue.tsx';
import { useDateTime } from '../parts/date-time.ts';
import { WebhookLog } from './webhook-log.tsx';

type Webhook = WebhooksQuery['items'][number];

/** All kinds of messages but the test, which is sent to any webhook. */
const listTypes = ({ kinds }: WebhooksQuery): readonly string[] =>
  (kinds?.enumValues ?? []).map(({ name }) => name).filter((name) => !name.startsWith('WEBHOOK_'));

interface Values {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
}

const secretOf = ({ secret, webhookEndpoint }: CreateWebhookMutation['made']) => ({
  name: webhookEndpoint.url,
  secret,
});

/** Addresses of other programs that are told what changes. */
export function WebhooksSection() {
  const { webhooks: texts } = useMessages().settings;
  return (
    <Catalogue<Webhook, Values, WebhooksQuery, CreateWebhookMutation['made']>
      section="webhooks"
      texts={texts}
      query={WebhooksDocument}
      itemsOf={({ items }) => items}
      create={CreateWebhookDocument}
      update={UpdateWebhookDocument}
      remove={DeleteWebhookDocument}
      nameOf={({ description, url }) => description || url}
      renderItems={(webhooks, actionsOf, kinds) =>
        webhooks.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} types={listTypes(kinds)} {...actionsOf(webhook)} />
        ))
      }
      valuesOf={(webhook, kinds) => ({
        url: webhook?.url ?? 'https://',
        description: webhook?.description ?? '',
        types: webhook?.types ?? listTypes(kinds),
      })}
      inputOf={({ types, ...input }, webhook, _webhooks, kinds) => {
        // A new webhook for all types gets later ones as well.
        const isAll = !webhook && types.length === listTypes(kinds).length;
        return { ...input, ...(!isAll && { types }) };
      }}
      secretOf={secretOf}
      renderFields={(field, { values, change, fault }, _webhook, kinds) => (
        <>
          <TextField label={texts.url} hint={texts.urlHint} type="url" {...field('url')} />
          <TextField label={texts.description} isOptional {...field('description')} />
          <Types
            all={listTypes(kinds)}
            chosen={values.types}
            onChange={(types) => change({ types })}
            error={fault?.fields.types}
          />
        </>
      )}
    />
  );
}

type Act = (variables: { readonly id: string }) => Promise<{ readonly fault: Fault | null }>;

interface CardProps extends ItemActions {
  readonly webhook: Webhook;
  /** All that there are. */
  readonly types: readonly string[];
}

function WebhookCard({ webhook, types: all, onEdit, onRemove, onSecret }: CardProps) {
  const { settings } = useMessages();
  const { webhooks: texts } = settings;
  const formatTime = useDateTime();
  const { id, url, description, disabledAt, disabledReason, failingSince, previousSecretExpiresAt } = webhook;
  const types: readonly string[] = webhook.types;
  const rotate = useWrite(RotateWebhookSecretDocument);
  const pause = useWrite(PauseWebhookDocument);
  const resume = useWrite(ResumeWebhookDocument);
  const test = useWrite(TestWebhookDocument);
  const [isLogOpen, setIsLogOpen] = useState(false);
  const fault = rotate.fault ?? pause.fault ?? resume.fault ?? test.fault;
  const name = description || url;
  const act = async (write: Act, text: string, variables = {}) => {
    if (!(await write({ id, ...variables })).fault) showToast({ text });
  };
  const items = [
    { label: settings.edit, onSelect: onEdit! },
    {
      label: texts.sendTest,
      onSelect: () => {
        setIsLogOpen(true);
        void act(test.write, texts.testSent);
      },
    },
    disabledAt === null
      ? { label: texts.pause, onSelect: () => void act(pause.write, texts.paused) }
      : { label: texts.resume, onSelect: () => void act(resume.write, texts.resumed) },
    {
      label: texts.rotate,
      onSelect: () => void rotate.write({ id }).then(({ data }) => data && onSecret(secretOf(data.made))),
    },
    { label: settings.remove, onSelect: onRemove, isDanger: true },
  ];
  return (
    <section className="cs-webhook" aria-label={name}>
      <div className="cs-field-row">
        <span>
          <strong>{name}</strong>
          {description !== '' && <span className="cs-hint">{url}</span>}
          <span className="cs-hint">
            {all.every((type) => types.includes(type)) ? texts.allTypes : texts.typeCount(types.length)}
          </span>
        </span>
        <span className="cs-row-actions">
          <Button aria-expanded={isLogOpen} aria-label={texts.logOf(name)} onClick={() => setIsLogOpen(!isLogOpen)}>
            {texts.log}
          </Button>
          <Menu label={settings.actions} items={items} />
        </span>
      </div>
      {disabledAt !== null && (
        <Notice look="warning">{texts.disabled[disabledReason ?? 'CALLER'](formatTime(disabledAt))}</Notice>
      )}
      {disabledAt === null && failingSince !== null && (
        <Notice look="bad">{texts.failing(formatTime(failingSince))}</Notice>
      )}
      {previousSecretExpiresAt !== null && <Notice>{texts.twoSecrets(formatTime(previousSecretExpiresAt))}</Notice>}
      {fault && (
        <Notice
          look="bad"
          action={
            fault === resume.fault &&
            fault.code === 'CONFLICT' && (
              <Button onClick={() => void act(resume.write, texts.resumed, { skipMissed: true })}>
                {texts.skipMissed}
              </Button>
            )
          }
        >
          {fault.message}
        </Notice>
      )}
      {isLogOpen && <WebhookLog webhookId={id} name={name} />}
    </section>
  );
}

interface TypesProps {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
  readonly error: string | undefined;
}

/** The kinds of messages, by their noun: `WORK_SHIFT` of `WORK_SHIFT_ASSIGNED`. */
function Types({ all, chosen, onChange, error }: TypesProps) {
  const { webhooks: texts } = useMessages().settings;
  const nounOf = (type: string) =>
    Object.keys(texts.nouns).find((noun) => type.startsWith(`${noun}_`)) ?? type.replace(/_[A-Z]+$/, '');
  return (
    <fieldset className="cs-set">
      <legend>{texts.types}</legend>
      {[...new Set(all.map(nounOf))].map((noun) => {
        const own = all.filter((type) => nounOf(type) === noun);
        const count = own.filter((type) => chosen.includes(type)).length;
        return (
          <details key={noun} open={count > 0 && count < own.length}>
            <summary>
              {texts.nouns[noun] ?? texts.nameType(noun)} · {texts.chosen(count, own.length)}
            </summary>
            <div className="cs-set">
              {own.map((type) => (
                <CheckField
                  key={type}
                  label={texts.changes[type.slice(noun.length + 1)] ?? texts.nameType(type)}
                  value={chosen.includes(type)}
                  onChange={(isChosen) =>
                    onChange(isChosen ? [...chosen, type] : chosen.filter((each) => each !== type))
                  }
                />
              ))}
            </div>
          </details>
        );
      })}
      {error && <span className="cs-error">{error}</span>}
    </fieldset>
  );
}

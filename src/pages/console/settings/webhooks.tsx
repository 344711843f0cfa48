import { useState } from 'react';
import { useRead, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Menu } from '../parts/menu.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { RemoveDialog } from './remove.tsx';
import { SecretDialog } from './secret.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { useDateTime } from './texts.ts';

const document = `query Webhooks {
  webhookEndpoints { id url description types disabledAt disabledReason failingSince previousSecretExpiresAt }
}`;
const createMutation = `mutation CreateWebhook($idempotencyKey: String, $input: CreateWebhookEndpointInput!) {
  made: createWebhookEndpoint(idempotencyKey: $idempotencyKey, input: $input) { secret webhookEndpoint { url } }
}`;
const updateMutation = `mutation UpdateWebhook($id: ID!, $input: UpdateWebhookEndpointInput!) {
  made: updateWebhookEndpoint(id: $id, input: $input) { id }
}`;
const deleteMutation = `mutation DeleteWebhook($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }`;
const rotateMutation = `mutation RotateWebhookSecret($id: ID!) {
  made: rotateWebhookSecret(id: $id) { secret webhookEndpoint { url } }
}`;
const pauseMutation = `mutation PauseWebhook($id: ID!) { disableWebhookEndpoint(id: $id) { id } }`;
const resumeMutation = `mutation ResumeWebhook($id: ID!, $skipMissed: Boolean) {
  enableWebhookEndpoint(id: $id, skipMissed: $skipMissed) { id }
}`;
const testMutation = `mutation TestWebhook($id: ID!) { sendTestWebhook(webhookEndpointId: $id) { id } }`;

const nouns = ['EVENT', 'CALL_TIME', 'WORK_SHIFT', 'USER', 'CUSTOM_FIELD'] as const;
const changesOf: Record<(typeof nouns)[number], readonly string[]> = {
  EVENT: ['CREATED', 'UPDATED', 'CANCELED', 'DELETED'],
  CALL_TIME: ['CREATED', 'UPDATED', 'DELETED'],
  WORK_SHIFT: ['ASSIGNED', 'UPDATED', 'CONFIRMED', 'UNCONFIRMED', 'DECLINED', 'CANCELED', 'DELETED'],
  USER: ['CREATED', 'UPDATED', 'DELETED'],
  CUSTOM_FIELD: ['CREATED', 'UPDATED', 'DELETED'],
};
const typesOf = (noun: (typeof nouns)[number]) => changesOf[noun].map((change) => `${noun}_${change}`);
const allTypes = nouns.flatMap(typesOf);

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly disabledAt: string | null;
  readonly disabledReason: 'CALLER' | 'GONE' | 'FAILING' | 'EXPIRED' | null;
  readonly failingSince: string | null;
  readonly previousSecretExpiresAt: string | null;
}

interface Made {
  readonly secret?: string;
  readonly webhookEndpoint?: { readonly url: string };
}

/** Addresses of other programs that are told what changes. */
export function WebhooksSection() {
  const { settings } = useMessages();
  const { webhooks: texts } = settings;
  const read = useRead<{ webhookEndpoints: readonly Webhook[] }>(document);
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const [removed, setRemoved] = useState<Webhook | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Loaded read={read}>
      {({ webhookEndpoints }) => (
        <>
          {webhookEndpoints.length === 0 ? (
            <Empty title={texts.none} action={add}>
              {texts.noneLead}
            </Empty>
          ) : (
            <div className="cb-buttons">{add}</div>
          )}
          {webhookEndpoints.map((webhook) => (
            <WebhookCard
              key={webhook.id}
              webhook={webhook}
              onEdit={() => setEdited(webhook)}
              onRemove={() => setRemoved(webhook)}
              onRotated={setMade}
            />
          ))}
          {edited && (
            <WebhookDialog
              webhook={edited === 'new' ? null : edited}
              onSaved={(next) => {
                setEdited(null);
                if (next.secret !== undefined) setMade(next);
                else showToast({ text: settings.saved });
              }}
              onClose={() => setEdited(null)}
            />
          )}
          {made?.secret !== undefined && (
            <SecretDialog
              title={made.webhookEndpoint?.url ?? ''}
              lead={texts.shownOnce}
              secret={made.secret}
              onClose={() => setMade(null)}
            />
          )}
          {removed && (
            <RemoveDialog
              name={removed.description || removed.url}
              mutation={deleteMutation}
              variables={{ id: removed.id }}
              lead={texts.removeLead}
              onClose={() => setRemoved(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

interface CardProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onRotated: (made: Made) => void;
}

function WebhookCard({ webhook, onEdit, onRemove, onRotated }: CardProps) {
  const { settings } = useMessages();
  const { webhooks: texts } = settings;
  const formatTime = useDateTime();
  const { id, url, description, types, disabledAt, disabledReason, failingSince, previousSecretExpiresAt } = webhook;
  const rotate = useWrite<{ made: Made }>(rotateMutation);
  const pause = useWrite(pauseMutation);
  const resume = useWrite(resumeMutation);
  const test = useWrite(testMutation);
  const [isLogOpen, setIsLogOpen] = useState(false);
  const fault = rotate.fault ?? pause.fault ?? resume.fault ?? test.fault;
  const name = description || url;
  const act = async (write: typeof pause.write, text: string, variables = {}) => {
    if (!(await write({ id, ...variables })).fault) showToast({ text });
  };
  const items = [
    { label: settings.edit, onSelect: onEdit },
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
      onSelect: () => void rotate.write({ id }).then(({ data }) => data && onRotated(data.made)),
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
            {allTypes.every((type) => types.includes(type)) ? texts.allTypes : texts.typeCount(types.length)}
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

interface DialogProps {
  readonly webhook: Webhook | null;
  readonly onSaved: (made: Made) => void;
  readonly onClose: () => void;
}

function WebhookDialog({ webhook, onSaved, onClose }: DialogProps) {
  const { settings } = useMessages();
  const { webhooks: texts } = settings;
  const draft = useDraft(`webhook ${webhook?.id ?? 'new'}`, {
    url: webhook?.url ?? 'https://',
    description: webhook?.description ?? '',
    types: webhook?.types ?? allTypes,
  });
  const { write, isPending, fault } = useWrite<{ made: Made }>(webhook ? updateMutation : createMutation);
  const { values, change, discard } = draft;
  const save = async () => {
    const { types, ...input } = values;
    // A new webhook for all types gets later ones as well.
    const isAll = !webhook && allTypes.every((type) => types.includes(type));
    const full = { ...input, ...(!isAll && { types }) };
    const { data } = await write(webhook ? { id: webhook.id, input: full } : { input: full });
    if (!data) return;
    discard();
    onSaved(data.made);
  };
  return (
    <Dialog title={webhook ? settings.editOf(webhook.description || webhook.url) : texts.add} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          value={values.url}
          onChange={(url) => change({ url })}
          error={fault?.fields.url}
        />
        <TextField
          label={texts.description}
          isOptional
          value={values.description}
          maxLength={200}
          onChange={(description) => change({ description })}
          error={fault?.fields.description}
        />
        <fieldset className="cs-set">
          <legend>{texts.types}</legend>
          {nouns.map((noun) => {
            const own = typesOf(noun);
            const chosen = own.filter((type) => values.types.includes(type)).length;
            return (
              <details key={noun} open={chosen > 0 && chosen < own.length}>
                <summary>
                  {texts.nouns[noun]} · {texts.chosen(chosen, own.length)}
                </summary>
                <div className="cs-set">
                  {own.map((type) => (
                    <CheckField
                      key={type}
                      label={texts.changes[type.slice(noun.length + 1)] ?? type}
                      value={values.types.includes(type)}
                      onChange={(isChosen) =>
                        change({
                          types: isChosen ? [...values.types, type] : values.types.filter((each) => each !== type),
                        })
                      }
                    />
                  ))}
                </div>
              </details>
            );
          })}
          {fault?.fields.types && <span className="cs-error">{fault.fields.types}</span>}
        </fieldset>
      </Form>
    </Dialog>
  );
}
